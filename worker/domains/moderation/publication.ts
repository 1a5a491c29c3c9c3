// Publishing the provisional grades of an assignment: the chosen grade of each student, with its comments and its assessment (reference 03 §8.2).

import { sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { found, Problem, problem } from '../../http/problem';
import { answer, type Reply, write } from '../../http/reply';
import { effectiveDate, reaching } from '../../rules/assigned';
import { isClosedAt } from '../../rules/grading_periods';
import { schemesOfAssignments } from '../../rules/grading_schemes';
import { notifyOfInsert } from '../../rules/notify';
import { studentIn, studentOfSubmission } from '../../rules/submission_ids';
import { assignments } from '../assignments/table';
import { performGrades } from '../submissions/grading/writes';
import { submission_comments } from '../submissions/table';
import { checkModerates, isInAssignment, type Moderating, moderatedIn, pathAssignment } from './policy';
import { type ChosenGrade, choicesOf } from './publish';

/** Copies the comments of the chosen graders to the submissions. */
const copyComments = ({ db, now }: Moderating, choices: readonly ChosenGrade[]): Statement[] => [
  db.build.run(
    sql`insert into submission_comments (submission_id, author_id, comment, attempt, attachment_ids, media_comment_id, media_comment_type, is_draft, workflow_state, created_at)
      select g.submission_id, g.scorer_id, c.comment, c.attempt, c.attachment_ids, c.media_comment_id, c.media_comment_type, 0, 'active', c.created_at from json_each(${JSON.stringify(choices.map((one) => one.grade.id))}) j
        join provisional_grades g on g.id = j.value join provisional_comments c on c.provisional_grade_id = g.id order by c.id`,
  ),
  ...notifyOfInsert(db, submission_comments, now),
];

/** The assessments of the chosen graders become those that grade the submissions. */
const copyAssessments = ({ db, now }: Moderating, choices: readonly ChosenGrade[]): Statement =>
  db.build.run(
    sql`insert into rubric_assessments (rubric_id, rubric_association_id, course_id, assignment_id, user_id, submission_id, artifact_attempt, assessment_type, assessor_id, score, data, created_at, updated_at)
      select x.rubric_id, x.rubric_association_id, x.course_id, x.assignment_id, x.user_id, x.submission_id, x.artifact_attempt, 'grading', x.assessor_id, x.score, x.data, ${now}, ${now}
      from json_each(${JSON.stringify(choices.map((one) => one.grade.id))}) j cross join rubric_assessments x on x.provisional_grade_id = j.value where true
      on conflict (submission_id, rubric_association_id) where assessment_type = 'grading' do update set rubric_id = excluded.rubric_id, artifact_attempt = excluded.artifact_attempt,
        assessor_id = excluded.assessor_id, score = excluded.score, data = excluded.data, updated_at = excluded.updated_at`,
  );

/** Whether a graded student's due date is in a closed grading period, which binds everyone but account admins. */
const closedStudents = (call: Moderating) => {
  const due = effectiveDate('due_at', reaching(sql.raw('= assignments.id'), sql.raw('graded.user_id')), call.now);
  return call.db.build.all<{ user_id: number }>(
    call.course.isAdmin
      ? sql`select 0 as user_id where 0`
      : sql`select graded.user_id as user_id from assignments cross join (select distinct ${studentOfSubmission(sql.raw('g.submission_id'))} as user_id
          from provisional_grades g where ${isInAssignment('g.submission_id', call)} and g.score is not null) graded
          where assignments.id = (${pathAssignment(call)}) and ${isClosedAt(due, shared('course', call.course.id), call.now)} limit 1`,
  );
};

/** @throws Problem 400 once grades are published and in a closed grading period, 422 for a submission whose grade is not chosen */
export async function publishGrades(call: Moderating): Promise<Reply> {
  const { db, now } = call;
  const [there, candidates, selections, [scheme], closed] = await db.perform([
    db.build
      .select()
      .from(assignments)
      .where(sql`${assignments.id} = (${pathAssignment(call)})`),
    db.build.all<{ id: number; submission_id: number; scorer_id: number; is_final: number; score: number | null }>(
      sql`select g.id as id, g.submission_id as submission_id, g.scorer_id as scorer_id, g.is_final as is_final, g.score as score from provisional_grades g where ${isInAssignment('g.submission_id', call)} order by g.id`,
    ),
    db.build.all<{ submission_id: number; selected: number }>(
      sql`select m.submission_id as submission_id, m.provisional_grade_id as selected from moderation_selections m where ${isInAssignment('m.submission_id', call)} and m.provisional_grade_id is not null`,
    ),
    schemesOfAssignments(db, pathAssignment(call)),
    closedStudents(call),
  ]);
  const row = found(there[0]);
  checkModerates(call, moderatedIn([{ ...row, is_published: 0 }]));
  if (closed.length > 0) throw new Problem(400, { message: 'This assignment is in a closed grading period for a student with a grade' });
  const choices = choicesOf(
    candidates.map((one) => ({ ...one, is_final: one.is_final === 1 })),
    new Map(selections.map((one) => [one.submission_id, one.selected])),
  );
  if (!choices) throw problem(422, 'a graded submission has no selected grade');
  const deeds = choices
    .filter(({ grade }) => grade.score !== null)
    .map(({ submission_id, grade }) => ({
      assignment: { ...row, scheme },
      user_id: studentIn(submission_id),
      grader_id: grade.scorer_id,
      grade: { posted_grade: String(grade.score) },
      prefersPoints: true,
    }));
  return write(
    [
      // Its key lets only one publication succeed.
      db.build.run(sql`insert into published_moderations (assignment_id, published_at) values (${row.id}, ${now})`),
      ...performGrades(call, deeds),
      ...(choices.length > 0 ? [...copyComments(call, choices), copyAssessments(call, choices)] : []),
    ],
    answer({ message: 'OK' }),
    { 'published_moderations.assignment_id': () => new Problem(400, { message: 'the grades are already published' }) },
  );
}
