// What counts of an entered grade: the late deduction, as SQL on the rows that a write finds, so that a submission or a date that changed a moment
// ago is never graded with the old one (reference 03 §6.2, §6.3).

import { type SQL, sql } from 'drizzle-orm';
import { effectiveDate, reaching } from '../../rules/assigned';
import { isClosedAt } from '../../rules/grading_periods';
import { schemeEntries } from '../../rules/grading_schemes';
import { isNewQuiz } from '../../rules/new_quizzes';
import { expectsSubmissionSql } from '../../rules/submission_types';

/** Grading types whose scores a late policy lowers. */
const deductible = sql.raw(
  "assignments.grading_type in ('points', 'percent', 'letter_grade', 'gpa_scale') and assignments.points_possible > 0",
);
const byTool = sql.raw("s.submission_type in ('external_tool', 'basic_lti_launch')");
const isSetLate = sql.raw("s.late_policy_status is 'late'");

/** The due date of `assignments` for the user of `g`. */
export const dueOf = (now: string): SQL => effectiveDate('due_at', reaching(sql.raw('= assignments.id'), sql.raw('g.user_id')), now);

/** Whether the due date is in a closed grading period, in which a policy changes nothing. For `assignments` and the user of `g`. */
export const isClosedToPolicy = (now: string): SQL => isClosedAt(dueOf(now), sql.raw('assignments.course_id'), now);

/** Seconds late; a timed quiz may be submitted up to a minute late. */
const secondsLate = (now: string): SQL => sql`case when ${isSetLate} then coalesce(s.seconds_late_override, 0)
  when s.late_policy_status is not null or s.submitted_at is null then 0
  else max(0, unixepoch(s.submitted_at) - iif(s.submission_type = 'online_quiz' or ${isNewQuiz}, 60, 0) - coalesce(unixepoch(${dueOf(now)}), unixepoch(s.submitted_at))) end`;

const subject = sql`p.late_submission_deduction_enabled and ${deductible} and (${expectsSubmissionSql} or ${byTool} or ${isSetLate})`;

/** Rounded to hundredths, halves away from zero: a half is often a little less in binary fractions, such as 0.015. */
const hundredths = (value: SQL): SQL => sql`round((${value}) * 1.0000000000001, 2)`;

/** Whole numbers lose their `.0`. */
const numeral = (value: SQL): SQL => sql`printf('%.15g', ${value})`;

/** The grade of a score; `t` has the score, the grading type, the points, and the `scheme` (`schemeEntries`). */
export const gradeText = (score: SQL): SQL => {
  const percent = sql`${score} * 100.0 / t.points_possible`;
  const entries = sql.raw('json_each(t.scheme) entry');
  const reached = sql`select entry.value ->> 'name' from ${entries} where round((entry.value ->> 'value') * 100, 4) <= round(max(0, ${percent}), 4) order by entry.key limit 1`;
  const lowest = sql`select entry.value ->> 'name' from ${entries} order by entry.key desc limit 1`;
  return sql`case t.grading_type when 'points' then ${numeral(score)} when 'percent' then ${numeral(hundredths(percent))} || '%'
    when 'pass_fail' then iif(${score} > 0, 'complete', 'incomplete') else coalesce((${reached}), (${lowest})) end`;
};

/**
 * The entered grades with what counts of them: the columns of `entered`, and `counted_score`, `counted_grade` and `deducted`, which is null unless the
 * submission is late under a policy in an open grading period. Also `is_closed`, `post_manually`, and `was_posted_at` of the submission.
 * @param entered a select of `id`, `assignment_id`, `user_id`, `score`, `grade` and any others
 * @param withWork it also has the `submitted_at` and `submission_type` of work that is handed in with the grade
 */
export const withDeductions = (entered: SQL, now: string, withWork = false): SQL => {
  const handedIn = sql`(select w.id, (select posted.posted_at from submissions posted where posted.id = w.id) as posted_at, w.submitted_at, w.submission_type,
    null as late_policy_status, null as seconds_late_override from (${entered}) w)`;
  const late = sql`select g.*, assignments.grading_type, assignments.points_possible, assignments.post_manually, s.posted_at as was_posted_at,
      p.late_submission_deduction as rate, iif(p.late_submission_interval = 'hour', 3600, 86400) as unit,
      iif(p.late_submission_minimum_percent_enabled, p.late_submission_minimum_percent, 0) as lowest,
      case when g.score is not null and ${subject} then ${secondsLate(now)} end as seconds, ${isSetLate} as is_set, ${isClosedToPolicy(now)} as is_closed, ${schemeEntries} as scheme
    from (${entered}) g join assignments on assignments.id = g.assignment_id
    left join late_policies p on p.course_id = assignments.course_id left join ${withWork ? handedIn : sql`submissions`} s on s.id = g.id`;
  const steps = sql.raw('((l.seconds + l.unit - 1) / l.unit)');
  const most = sql.raw('max(l.score * 100.0 / l.points_possible - l.lowest, 0)');
  const deducted = sql`select l.*, case when not l.is_closed and (l.seconds > 0 or (l.seconds = 0 and l.is_set))
      then ${hundredths(sql`l.points_possible * min(l.rate * ${steps}, ${most}) / 100`)} end as deducted from late l`;
  const counted = sql`select d.*, case when d.deducted is null then d.score when d.deducted > d.score then min(0, d.score)
      else round(d.score - d.deducted, 10) end as counted_score from deducted d`;
  // Each is materialised, because SQLite would otherwise put the text of one into the next, once for every use.
  return sql`with late as materialized (${late}), deducted as materialized (${deducted}), counted as materialized (${counted})
    select t.*, iif(t.deducted > 0, ${gradeText(sql.raw('t.counted_score'))}, t.grade) as counted_grade from counted t`;
};
