// What-if grades: a student enters scores and sees the grades that they would have. All for the student alone.

import { WhatIfGrades } from '@carrel/shared/resources/what_if_grades';
import { maybe, number, optional } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isStudent } from '../../contexts/predicates';
import { readId } from '../../contexts/references';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { put } from '../../http/endpoint';
import { badParameter, notFound, unauthorized } from '../../http/problem';
import { answer, write } from '../../http/reply';
import { assignmentIn, mostUsers, studentIn, submissionId } from '../../rules/submission_ids';
import { visibleAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { computedWork, countedGroups } from '../enrollments/grades/facts';
import { whatIfTotals } from '../enrollments/grades/what_if';
import { whatIfJson } from './json';
import { what_if_scores } from './table';

export const about = { title: 'What-if grades', description: 'Grades that students calculate with scores of their own choice.' };

/** As much as an assignment can be worth. */
const mostPoints = 999_999_999;
const returns = { json: WhatIfGrades };

type Asking = Pick<Call, 'db' | 'me'> & { readonly course: CourseContext };

/** What a calculation needs. The row of the student is absent for callers who are no students of the course. */
const readFacts = ({ db, me, course }: Asking) => {
  const [user, here] = [shared('user', me.id), shared('course', course.id)];
  return [
    db.build.all<{ work: string }>(
      sql`select ${computedWork(user, here)} as work where exists (select 1 from enrollments seat where seat.user_id = ${user} and +seat.course_id = ${here} and ${isStudent('+seat')} and +seat.enrollment_state in ('active', 'completed'))`,
    ),
    countedGroups(db, sql`${course.id}`),
    db.build
      .select({ assignment_id: what_if_scores.assignment_id, score: what_if_scores.score })
      .from(what_if_scores)
      .where(ownScores({ me, course })),
  ] as const;
};

const ownScores = ({ me, course }: Pick<Asking, 'me' | 'course'>): SQL =>
  and(eq(what_if_scores.user_id, me.id), eq(what_if_scores.course_id, course.id)) as SQL;

type Facts = readonly [readonly { work: string }[], Parameters<typeof whatIfTotals>[1][]];

const gradesOf = ([[student], [row]]: Facts, { me, course }: Asking, entered: ReadonlyMap<number, number>): object[] =>
  !student || !row || course.settings.hide_final_grades === true
    ? []
    : [whatIfJson(whatIfTotals(student.work, row, entered), (assignment) => submissionId(assignment, me.id))];

const courseOfSubmission = (given: string | undefined): SQL => {
  const id = readId(given ?? '') ?? 0;
  return sql`select course_id from assignments where id = ${assignmentIn(id)} and workflow_state <> 'deleted'`;
};

/** @returns the score with two decimals; null removes it. @throws Problem 400 for more points than an assignment can have */
function enteredScore(given: number | null | undefined): number | null {
  if (given === undefined || given === null) return null;
  if (Math.abs(given) > mostPoints) throw badParameter('student_entered_score', `must be between -${mostPoints} and ${mostPoints}`);
  return Math.round(given * 100) / 100;
}

export const whatIfGradeRoutes = [
  put(
    '/submissions/:submission_id/what_if_grades',
    {
      within: (path) => ({ course: courseOfSubmission(path.submission_id) }),
      can: 'user',
      params: { student_entered_score: optional(maybe(number)) },
      returns,
      summary: 'Enter a what-if score and calculate grades',
    },
    async (call) => {
      const { course, db, me, path, params } = call;
      const id = readId(path.submission_id);
      if (!course?.canRead || id === undefined || id >= mostUsers ** 2 || studentIn(id) !== me.id) throw notFound();
      const here = { ...call, course };
      const assignment_id = assignmentIn(id);
      const isHere = and(visibleAssignments(course, here), eq(assignments.id, assignment_id), eq(assignments.workflow_state, 'published'));
      const [student, counted, stored, there] = await db.perform([
        ...readFacts(here),
        db.build.select({ id: assignments.id }).from(assignments).where(isHere),
      ]);
      if (student.length === 0 || there.length === 0) throw notFound();
      const score = enteredScore(params.student_entered_score);
      const entered = new Map(stored.map((one) => [one.assignment_id, one.score]));
      if (score === null) entered.delete(assignment_id);
      else entered.set(assignment_id, score);
      const which = and(ownScores(here), eq(what_if_scores.assignment_id, assignment_id)) as SQL;
      const change =
        score === null
          ? db.build.delete(what_if_scores).where(which)
          : db.build
              .insert(what_if_scores)
              .values({ user_id: me.id, course_id: course.id, assignment_id, score })
              .onConflictDoUpdate({
                target: [what_if_scores.user_id, what_if_scores.course_id, what_if_scores.assignment_id],
                set: { score },
              });
      return write(
        [change],
        answer({ grades: gradesOf([student, [...counted]], here, entered), submission: { id, student_entered_score: score } }),
      );
    },
  ),

  put(
    '/courses/:course_id/what_if_grades/reset',
    { can: 'read', returns, summary: 'Remove the what-if scores of a course and calculate grades' },
    async (call) => {
      const [student, counted] = await call.db.perform(readFacts(call));
      if (student.length === 0) throw unauthorized();
      return write(
        [call.db.build.delete(what_if_scores).where(ownScores(call))],
        answer({ grades: gradesOf([student, [...counted]], call, new Map()) }),
      );
    },
  ),
];
