// Provisional grades: written by several graders, at most as many as the assignment allows (reference 03 §8.2).

import { gradeFrom } from '@carrel/shared/grading/score_to_grade';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { Problem, unauthorized } from '../../../http/problem';
import type { Refusals } from '../../../http/reply';
import { moderatesGrading, moderationOf } from '../../../rules/moderated_grading';
import { submissionId } from '../../../rules/submission_ids';
import { performAssessments } from '../../rubrics/assessments/writes';
import type { GradePrecondition } from './authorisation';
import { type GradeGiven, type GradeWrite, saysSomething } from './input';

type Around = Pick<Call, 'db' | 'me' | 'now'> & { readonly course: CourseContext };

const refuse = (error: string) => new Problem(400, { error });

/** Whether the assignment takes provisional grades only. */
export const isUnpublished = ({ id, options }: GradeWrite['assignment'], { published }: Pick<GradePrecondition, 'published'>): boolean =>
  moderationOf(options).moderated_grading && !published.some((one) => one.assignment_id === id);

/** @throws Problem 401 for a grade that is not provisional, before the grades are published */
export function refuseDirectGrade(deeds: readonly GradeWrite[], ground: Pick<GradePrecondition, 'published'>): void {
  const grades = ({ posted_grade, excuse, late_policy_status, seconds_late_override }: GradeGiven) =>
    [posted_grade, excuse, late_policy_status, seconds_late_override].some((one) => one !== undefined);
  if (deeds.some(({ assignment, grade }) => grade && grades(grade) && isUnpublished(assignment, ground))) throw unauthorized();
}

/** @throws Problem 400 for what a provisional grade cannot be, 401 for a final one by a grader who does not moderate */
export function checkProvisional({ assignment, grade }: GradeWrite, { me, course }: Around): void {
  if (grade?.excuse !== undefined || grade?.late_policy_status !== undefined || grade?.seconds_late_override !== undefined)
    throw refuse('a provisional grade has no other state than a grade');
  if (grade?.final && !moderatesGrading(me, course, moderationOf(assignment.options))) throw unauthorized();
}

export const notAdmitted: Refusals = {
  'provisional_grades.is_admitted': () => refuse('the assignment has as many graders as it allows, or its grades are published'),
};

/** Takes one of the places of graders, if there is one. */
const takePlace = ({ db, me }: Around, { id }: GradeWrite['assignment']): Statement =>
  db.build.run(
    sql`insert or ignore into moderation_graders (assignment_id, user_id) select assignments.id, ${me.id} from assignments where assignments.id = ${id}
      and (select count(*) from moderation_graders m where m.assignment_id = assignments.id) < coalesce(assignments.options ->> 'grader_count', 0)`,
  );

const isAdmitted = (me: { readonly id: number }, assignment_id: number, isFinal: boolean): SQL =>
  sql`(select 1 where ${isFinal ? sql`1` : sql`exists (select 1 from moderation_graders m where m.assignment_id = ${assignment_id} and m.user_id = ${me.id})`}
    and not exists (select 1 from published_moderations p where p.assignment_id = ${assignment_id}))`;

function writeGrades({ db, me, now }: Around, deeds: readonly GradeWrite[], isFinal: boolean): Statement {
  const { assignment, grade, prefersPoints } = deeds[0] as GradeWrite;
  const isGraded = grade?.posted_grade !== undefined;
  const given = gradeFrom(grade?.posted_grade ?? '', assignment, assignment.scheme, prefersPoints);
  const at = given.score === null ? null : now;
  const ids = JSON.stringify(deeds.map(({ user_id }) => submissionId(assignment.id, user_id)));
  const attempt = sql`coalesce((select s.attempt from submissions s where s.id = j.value), 0)`;
  const changed = isGraded
    ? sql`score = excluded.score, grade = excluded.grade, graded_attempt = excluded.graded_attempt, graded_at = excluded.graded_at, `
    : sql``;
  return db.build.run(
    sql`insert into provisional_grades (submission_id, scorer_id, is_final, is_admitted, score, grade, graded_attempt, graded_at, created_at, updated_at)
      select j.value, ${me.id}, ${isFinal ? 1 : 0}, ${isAdmitted(me, assignment.id, isFinal)}, ${given.score}, ${given.grade}, ${attempt}, ${at}, ${now}, ${now} from json_each(${ids}) j where true
      on conflict (submission_id, scorer_id, is_final) do update set ${changed}is_admitted = excluded.is_admitted, updated_at = excluded.updated_at`,
  );
}

const writeComments = ({ db, me, now }: Around, deeds: readonly GradeWrite[], isFinal: boolean): Statement =>
  db.build.run(
    sql`insert into provisional_comments (provisional_grade_id, comment, attempt, attachment_ids, created_at)
      select g.id, j.value ->> 'comment', j.value ->> 'attempt', j.value -> 'files', ${now} from json_each(${JSON.stringify(
        deeds.map(({ assignment, user_id, comment }) => ({
          id: submissionId(assignment.id, user_id),
          comment: comment?.text_comment ?? '',
          attempt: comment?.attempt ?? null,
          files: comment?.file_ids ?? [],
        })),
      )}) j cross join provisional_grades g on g.submission_id = j.value ->> 'id' and g.scorer_id = ${me.id} and g.is_final = ${isFinal ? 1 : 0}`,
  );

/** The grade and comment of one grader for one student, or the group. */
export function performProvisional(around: Around, deeds: readonly GradeWrite[]): Statement[] {
  const first = deeds[0] as GradeWrite;
  const isFinal = first.grade?.final ?? false;
  const said = deeds.filter(({ comment }) => saysSomething(comment));
  return [
    ...(isFinal ? [] : [takePlace(around, first.assignment)]),
    // A comment to the group reaches members whose grades stay as they are.
    ...[deeds.filter(({ grade }) => grade), deeds.filter(({ grade }) => !grade)]
      .filter((some) => some.length > 0)
      .map((some) => writeGrades(around, some, isFinal)),
    ...(said.length > 0 ? [writeComments(around, said, isFinal)] : []),
    ...performAssessments(
      around,
      deeds.flatMap(({ rated, user_id }) => (rated?.user_ids[0] === user_id ? [{ ...rated, type: 'provisional_grade', isFinal }] : [])),
    ),
  ];
}
