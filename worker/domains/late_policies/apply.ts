// Applies the late policy to submissions that exist, and gives the missing score to those that do not. Each statement leaves what is right already.

import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { valuesInOrder } from '../../database/values_in_order';
import { assignedTo } from '../../rules/assigned';
import { schemeEntries } from '../../rules/grading_schemes';
import { expectsWorkSql } from '../../rules/new_quizzes';
import { submissionIdOf } from '../../rules/submission_ids';
import { submissions } from '../submissions/table';
import { dueOf, gradeText, isClosedToPolicy, withDeductions } from './deduction';

/** Which submissions: `existing` is a condition on `s`, a row of `submissions`, and `places` a select of `assignment_id` and `user_id`. */
export interface PolicyScope {
  readonly existing: SQL;
  readonly places: SQL;
}

/** Lowers entered scores, or restores them; alone it suffices after a write that makes nothing missing. */
export function applyDeductions(db: Database, { existing }: Pick<PolicyScope, 'existing'>, now: string): Statement {
  const entered = sql`select s.id, s.assignment_id, s.user_id, coalesce(s.entered_score, s.score) as score, coalesce(s.entered_grade, s.grade) as grade
    from submissions s where ${existing} and s.score is not null and not s.is_missing_score`;
  const before = sql.raw('result.deducted is not null');
  return db.build.run(sql`update submissions set score = result.counted_score, grade = result.counted_grade, points_deducted = result.deducted,
      entered_score = iif(${before}, result.score, null), entered_grade = iif(${before}, result.grade, null), updated_at = ${now}
    from (${withDeductions(entered, now)}) result where submissions.id = result.id and not result.is_closed
      and (submissions.points_deducted is not result.deducted or submissions.score is not result.counted_score)`);
}

/** Missing submissions among the places that get a score, with it (reference 03 §6.2). */
function missingAmong(places: SQL, now: string): SQL {
  const isMissing = sql`case when s.late_policy_status is not null then s.late_policy_status = 'missing'
    else s.grader_id is null and s.submitted_at is null and ${dueOf(now)} < ${now} and ${expectsWorkSql} end`;
  return sql`select g.assignment_id, g.user_id, assignments.course_id, assignments.grading_type, assignments.points_possible, assignments.post_manually,
      ${schemeEntries} as scheme, ${isClosedToPolicy(now)} as is_closed, case when assignments.grading_type = 'pass_fail' then 0.0
        else round(assignments.points_possible - assignments.points_possible * p.missing_submission_deduction / 100, 10) end as score
    from (${places}) g join assignments on assignments.id = g.assignment_id
    join late_policies p on p.course_id = assignments.course_id and p.missing_submission_deduction_enabled
    left join submissions s on s.assignment_id = g.assignment_id and s.user_id = g.user_id
    where assignments.workflow_state = 'published' and assignments.grading_type <> 'not_graded' and assignments.points_possible > 0
      and (s.id is null or s.score is null or s.is_missing_score) and not coalesce(s.excused, 0) and ${isMissing} and ${assignedTo(sql.raw('g.user_id'))}`;
}

/** Removes the score of those that are no longer missing, or whose policy no longer gives one. */
function takeBack(db: Database, { existing }: PolicyScope, now: string): Statement {
  const given = sql`select s.assignment_id, s.user_id from submissions s where ${existing} and s.is_missing_score`;
  return db.build.run(sql`update submissions set score = null, grade = null, graded_at = null, graded_attempt = null, posted_at = null, is_missing_score = 0,
      workflow_state = iif(submissions.submission_type is null, 'unsubmitted', 'submitted'), updated_at = ${now}
    where submissions.id in (select id from (select s.id from submissions s where ${existing} and s.is_missing_score
      and not exists (select 1 from (select s.user_id as user_id) g join assignments on assignments.id = s.assignment_id and ${isClosedToPolicy(now)})
      and not exists (select 1 from (${missingAmong(given, now)}) still where still.assignment_id = s.assignment_id and still.user_id = s.user_id)))`);
}

/** Gives the missing score: no grader, posted unless the assignment posts manually. */
function giveMissing(db: Database, { places }: PolicyScope, now: string): Statement {
  const cells = {
    id: submissionIdOf(sql.raw('t.assignment_id'), sql.raw('t.user_id')),
    course_id: sql`t.course_id`,
    assignment_id: sql`t.assignment_id`,
    user_id: sql`t.user_id`,
    attachment_ids: sql`'[]'`,
    score: sql`t.score`,
    grade: gradeText(sql.raw('t.score')),
    graded_attempt: sql`0`,
    graded_at: sql`${now}`,
    posted_at: sql`iif(t.post_manually, null, ${now})`,
    excused: sql`0`,
    is_missing_score: sql`1`,
    workflow_state: sql`'graded'`,
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
  };
  return db.build
    .insert(submissions)
    .select(sql`select ${valuesInOrder(getTableColumns(submissions), cells)} from (${missingAmong(places, now)}) t where not t.is_closed`)
    .onConflictDoUpdate({
      target: submissions.id,
      set: {
        score: sql`excluded.score`,
        grade: sql`excluded.grade`,
        graded_at: sql`excluded.graded_at`,
        graded_attempt: sql`coalesce(submissions.attempt, 0)`,
        posted_at: sql`coalesce(submissions.posted_at, excluded.posted_at)`,
        is_missing_score: true,
        workflow_state: 'graded',
        updated_at: now,
      },
      setWhere: sql`submissions.score is not excluded.score`,
    });
}

/** All of the policy for these submissions, in one batch. */
export const applyLatePolicy = (db: Database, scope: PolicyScope, now: string): Statement[] => [
  applyDeductions(db, scope, now),
  takeBack(db, scope, now),
  giveMissing(db, scope, now),
];
