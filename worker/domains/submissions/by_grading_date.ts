// A course's submissions by date of grading, and those without a grade last, by id: a page reads a window of each, not the whole course.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { atMost } from '../../database/at_most';
import { sharedMark } from '../../database/shared';
import { type Listing, limited, type Order, rows } from '../../http/listing';
import { type PageWanted, startAfter } from '../../http/page';
import { assignmentIn, studentIn, submissionIdOf } from '../../rules/submission_ids';
import type { SubmissionWithColumns } from '../assignments/submissions/columns';
import { enrolledAs, type Students, slotColumns, slotsFound } from '../assignments/submissions/slots';
import { submissions } from './table';

/** How many graded submissions a page examines at most, and how many places of submissions for those without a grade. */
const windows = { graded: 250, ungraded: 1000 };

/** Ungraded submissions come last, in both directions. */
export const gradingOrder = (descending: boolean): readonly Order[] => [
  { by: sql`(submissions.graded_at is null)` },
  { by: sql`coalesce(${submissions.graded_at}, '')`, descending },
  { by: submissions.id, descending },
];

interface GradedIn {
  readonly course: CourseContext;
  readonly now: string;
  readonly page: PageWanted;
}

/** The parts of the list after the bookmark, as conditions. */
function beyondMark(after: readonly unknown[] | undefined, isDown: boolean): { readonly graded: SQL; readonly ungraded: SQL } {
  if (!after) return { graded: sql`1`, ungraded: sql`1` };
  const beyond = sql.raw(isDown ? '<' : '>');
  const [isUngraded, , id] = after;
  if (isUngraded === 0) {
    const [, date, mark] = sharedMark(after);
    return { graded: sql`(s.graded_at, s.id) ${beyond} (${date}, ${mark})`, ungraded: sql`1` };
  }
  // D1 binds numbers as floats, so the division of the id is done here.
  const [assignment, student] = sharedMark([assignmentIn(Number(id)), studentIn(Number(id))]);
  const start = sql`case when assignments.id = ${assignment} then ${student} else ${sql.raw(isDown ? '9e15' : '0')} end`;
  // No graded submission is left: a range of the index that is empty.
  return {
    graded: sql.raw(isDown ? "s.graded_at < ''" : "s.graded_at > x''"),
    ungraded: sql`assignments.id ${beyond}= ${assignment} and e.user_id ${beyond} ${start}`,
  };
}

/**
 * @param students whose submissions are listed
 * @param chosen conditions on `assignments`, `e` and `s`, which may be missing
 * @param since only those graded after this time
 * @returns a listing of windows: a page may be short and still have a next one
 */
export function byGradingDate(
  { course, now, page }: GradedIn,
  students: Students,
  chosen: SQL,
  isDown: boolean,
  since?: string,
): Listing<SubmissionWithColumns> {
  const order = gradingOrder(isDown);
  const rest = beyondMark(startAfter(page, order.length), isDown);
  const by = sql.raw(isDown ? ' desc' : '');
  const enrollment = sql`e.course_id = ${course.id} and ${enrolledAs(students)}`;
  const graded = {
    from: sql`submissions s indexed by submissions_by_grading_date`,
    where: sql`s.course_id = ${course.id} and s.graded_at is not null${since ? sql` and s.graded_at > ${since}` : sql``} and ${rest.graded}`,
    order: sql`s.graded_at${by}, s.id${by}`,
  };
  const ungraded = {
    from: sql`assignments cross join enrollments e`,
    where: sql`assignments.course_id = ${course.id} and assignments.workflow_state = 'published' and ${enrollment} and ${since ? sql`0` : rest.ungraded}`,
    order: sql`assignments.id${by}, e.user_id${by}`,
  };
  const last = (count: number) => sql.raw(`limit 1 offset ${count - 1}`);
  const stops = sql`graded_stop(stop_date, stop_id) as materialized (select s.graded_at, s.id from ${graded.from} where ${graded.where} order by ${graded.order} ${last(windows.graded)}),
    ungraded_stop(stop_assignment, stop_user) as materialized (select assignments.id, e.user_id from ${ungraded.from} where ${ungraded.where} and not exists (select 1 from graded_stop) order by ${ungraded.order} ${last(windows.ungraded)})`;
  const upTo = sql.raw(isDown ? '>=' : '<=');
  const isBeforeGradedStop = sql`(s.graded_at, s.id) ${upTo} (coalesce((select stop_date from graded_stop), ${sql.raw(isDown ? "''" : "x''")}), coalesce((select stop_id from graded_stop), 0))`;
  const isBeforeUngradedStop = sql`(assignments.id, e.user_id) ${upTo} (coalesce((select stop_assignment from ungraded_stop), ${sql.raw(isDown ? '0' : '9e15')}), coalesce((select stop_user from ungraded_stop), 0))`;
  const live = sql`s.workflow_state <> 'deleted'`;
  const wanted = page.per_page + 1;
  const found = sql`with ${stops},
    graded(found_assignment, found_user) as materialized (select s.assignment_id, s.user_id from ${graded.from} cross join assignments on assignments.id = s.assignment_id
      cross join enrollments e indexed by enrollments_of_user_in_course on e.user_id = s.user_id
      where ${graded.where} and ${isBeforeGradedStop} and ${live} and ${enrollment} and ${chosen} order by ${graded.order} limit ${atMost(wanted)}),
    ungraded(found_assignment, found_user) as materialized (select assignments.id, e.user_id from ${ungraded.from}
      left join submissions s on s.assignment_id = assignments.id and s.user_id = e.user_id and ${live}
      where ${ungraded.where} and ${isBeforeUngradedStop} and s.graded_at is null and ${chosen} order by ${ungraded.order} limit ${limited(wanted, sql`not exists (select 1 from graded_stop)`)})
    select * from graded union all select * from ungraded`;
  return rows(submissions, {
    from: slotsFound({ course, now }, found),
    columns: slotColumns,
    where: undefined,
    order,
    after: () => sql`1`,
    once: true,
    upTo: sql`with ${stops} select 0 as mark_0, stop_date as mark_1, stop_id as mark_2 from graded_stop
      union all select 1, '', ${submissionIdOf(sql.raw('stop_assignment'), sql.raw('stop_user'))} from ungraded_stop`,
  }) as Listing<SubmissionWithColumns>;
}
