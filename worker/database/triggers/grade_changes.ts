// Triggers of the grade-change log, which record changes by any writer: grading, bulk grading, the late policy, posting, merges.

import { nowSql } from './now.ts';
import { columnsDiffer, trigger } from './trigger.ts';

const isPosted = (side: 'old' | 'new') => `(${side}.posted_at is not null)`;

/** The score before deductions: the late policy changes the score, but not what the grader entered. */
const entered = (side: 'old' | 'new') => `${side}.score + coalesce(${side}.points_deducted, 0)`;

/** The change is attributed to the grader of the submission unless only a deduction or the posted state changed. */
const isByGrader = `(new.graded_at is not old.graded_at or new.grader_id is not old.grader_id or new.excused is not old.excused or ${entered('new')} is not ${entered('old')} or (new.score is old.score and new.grade is not old.grade))`;

interface Before {
  readonly score: string;
  readonly grade: string;
  readonly excused: string;
  readonly posted: string;
  readonly byGrader: string;
  readonly posting: string;
}

/** The latest change of the submission, in the log. */
const latest = `select max(v.version_number) from grade_changes v where v.submission_id = new.id`;

const record = (before: Before) => `insert into grade_changes (course_id, assignment_id, student_id, grader_id, version_number, attempt,
      score_before, score_after, grade_before, grade_after, points_deducted, excused_before, excused_after, posted_before, posted_after,
      points_possible_before, points_possible_after, graded_anonymously, is_posting, created_at)
    select new.course_id, new.assignment_id, new.user_id, coalesce((select a.user_id from acting a), iif(${before.byGrader}, new.grader_id, null)),
      coalesce(p.version_number, 0) + 1, new.attempt, ${before.score}, new.score, ${before.grade}, new.grade, new.points_deducted,
      ${before.excused}, new.excused, ${before.posted}, ${isPosted('new')}, iif(p.id is null, a.points_possible, p.points_possible_after),
      a.points_possible, coalesce((select k.graded_anonymously from acting k), a.options ->> 'anonymous_grading', 0), ${before.posting}, ${nowSql}
    from assignments a left join grade_changes p on p.submission_id = new.id and p.version_number = (${latest})
    where a.id = new.assignment_id;`;

/** An override of a final grade is a change without an assignment. */
const recordOverride = (score: string, grade: string) => `insert into grade_changes (course_id, student_id, grader_id, version_number,
      score_before, score_after, grade_before, grade_after, excused_before, excused_after, posted_before, posted_after, created_at)
    values (new.course_id, new.user_id, coalesce((select a.user_id from acting a), new.grader_id), new.version,
      ${score}, new.score, ${grade}, new.grade, 0, 0, 1, 1, ${nowSql});`;

const graded = ['score', 'grade', 'excused'];

export const gradeChangeTriggers = [
  trigger({
    on: 'submissions',
    name: 'audit_grade_insert',
    event: 'insert',
    when: 'new.score is not null or new.grade is not null or new.excused = 1',
    run: [record({ score: 'null', grade: 'null', excused: '0', posted: '0', byGrader: '1', posting: '0' })],
    purpose: 'Record the grade of a submission that is created with one.',
  }),
  trigger({
    on: 'submissions',
    name: 'audit_grade_update',
    event: 'update',
    of: [...graded, 'posted_at'],
    when: `${columnsDiffer(graded)} or ${isPosted('new')} <> ${isPosted('old')}`,
    run: [
      record({
        score: 'old.score',
        grade: 'old.grade',
        excused: 'old.excused',
        posted: isPosted('old'),
        byGrader: isByGrader,
        posting: `not (${columnsDiffer(graded)})`,
      }),
    ],
    purpose: 'Record a change of score, grade, excused or posted state.',
  }),
  trigger({
    on: 'final_grade_overrides',
    name: 'audit_grade_insert',
    event: 'insert',
    when: 'new.score is not null',
    run: [recordOverride('null', 'null')],
    purpose: 'Record a final grade that a grader sets.',
  }),
  trigger({
    on: 'final_grade_overrides',
    name: 'audit_grade_update',
    event: 'update',
    of: ['score'],
    when: columnsDiffer(['score']),
    run: [recordOverride('old.score', 'old.grade')],
    purpose: 'Record a final grade that a grader changes or clears.',
  }),
];
