// Which grading period a date is in, which is current, which are closed (reference 03 §10): pure, and the same as SQL.

import { minuteOf, type PeriodDates, periodOf } from '@carrel/shared/grading/period_of_date';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database/open';
import { shared } from '../database/shared';
import { withColumns } from '../database/together';

export const currentPeriod = <P extends PeriodDates>(periods: readonly P[], now: string): P | undefined => periodOf(periods, now);

export const isPeriodClosed = ({ close_date }: Pick<PeriodDates, 'close_date'>, now: string): boolean => now > close_date;

/** Whether a due date is in a closed period. */
export const isInClosedPeriod = (periods: readonly PeriodDates[], due_at: string | null, now: string): boolean => {
  const period = periodOf(periods, due_at);
  return period !== undefined && isPeriodClosed(period, now);
};

/** Whether two periods of a set overlap. */
export const overlaps = (one: PeriodDates, other: PeriodDates): boolean =>
  minuteOf(one.start_date) < minuteOf(other.end_date) && minuteOf(other.start_date) < minuteOf(one.end_date);

/**
 * The id of the set of a course: its own, else that of its term; null without one.
 * Where no set exists, courses and terms are not read.
 * @param course a literal id is evaluated once per statement, a column once per row
 */
export const setOfCourse = (course: SQL): SQL<number | null> =>
  sql<
    number | null
  >`case when exists (select 1 from grading_period_sets own where own.id > 0) then coalesce((select own.id from grading_period_sets own where own.course_id = ${course} and own.workflow_state = 'active'), (select t.grading_period_group_id from courses place join terms t on t.id = place.enrollment_term_id where place.id = ${course})) end`;

/** Whether a date is in the period `p`. */
const isWithin = (date: SQL): SQL => sql`case when ${date} is null
  then not exists (select 1 from grading_periods q where q.grading_period_group_id = p.grading_period_group_id and q.workflow_state = 'active' and q.end_date > p.end_date)
  else substr(p.start_date, 1, 16) < substr(${date}, 1, 16) and substr(${date}, 1, 16) <= substr(p.end_date, 1, 16) end`;

const periodsIn = (set: SQL): SQL => sql`grading_periods p where p.grading_period_group_id = ${set} and p.workflow_state = 'active'`;
const periodsOf = (course: SQL): SQL => periodsIn(setOfCourse(course));

/** The id of the period of a date; null without one. @param date a column, because it is repeated @param set `setOfCourse(…)`, or its value */
export const periodIdOf = (date: SQL, set: SQL): SQL<number | null> =>
  sql<number | null>`(select p.id from ${periodsIn(set)} and ${isWithin(date)})`;

const theDate = (date: SQL): SQL => sql`(select ${date} as at) due`;
const dateOf = sql.raw('due.at');

/** Whether a date is in a closed period. */
export const isClosedAt = (date: SQL, course: SQL, now: string): SQL<number> =>
  sql<number>`exists (select 1 from ${periodsOf(course)} and p.close_date < ${shared('time', now)} and exists (select 1 from ${theDate(date)} where ${isWithin(dateOf)}))`;

/** Whether a date is in the period. */
export const isDateIn = (date: SQL, period: number): SQL<number> =>
  sql<number>`exists (select 1 from grading_periods p where p.id = ${period} and exists (select 1 from ${theDate(date)} where ${isWithin(dateOf)}))`;

/** Whether a date is in the current period of the course. */
export function isDateInCurrent(date: SQL, course: SQL, now: string): SQL<number> {
  const minute = sql`substr(${shared('time', now)}, 1, 16)`;
  return sql<number>`exists (select 1 from ${periodsOf(course)} and substr(p.start_date, 1, 16) < ${minute} and ${minute} <= substr(p.end_date, 1, 16) and exists (select 1 from ${theDate(date)} where ${isWithin(dateOf)}))`;
}

/** The due dates of the row of `assignments`, for everyone and for those with overrides. */
const dueDates = sql.raw(`(select assignments.due_at as at where not assignments.only_visible_to_overrides
  union all select case when o.due_at_overridden then o.due_at else assignments.due_at end from assignment_overrides o
    where o.assignment_id = assignments.id and o.workflow_state = 'active' and not o.unassign_item) due`);

/** Whether any due date of the row of `assignments` is in a closed period of its course. */
export const isAssignmentClosed = (course: SQL, now: string): SQL<number> => isAssignmentClosedIn(setOfCourse(course), now);

/** The same with the set of the course. */
export const isAssignmentClosedIn = (set: SQL, now: string): SQL<number> =>
  sql<number>`exists (select 1 from ${periodsIn(set)} and p.close_date < ${shared('time', now)} and exists (select 1 from ${dueDates} where ${isWithin(dateOf)}))`;

/** Whether any due date of the row of `assignments` is in the period. */
export const isAssignmentIn = (period: number): SQL<number> =>
  sql<number>`exists (select 1 from grading_periods p where p.id = ${period} and exists (select 1 from ${dueDates} where ${isWithin(dateOf)}))`;

/** The set of a course: a row of a page of courses. */
export interface SetRow {
  readonly course_id: number;
  readonly set_id: number;
  readonly weighted: number;
  readonly display_totals: number;
  /** JSON. */
  readonly periods: string;
}

/** The sets of courses, with their periods; courses without a set have no row. @param ids a select of courses */
export const selectSets = ({ build }: Database, ids: SQL) =>
  withColumns(
    build.all<SetRow>(
      sql`select here.id as course_id, s.id as set_id, s.weighted, s.display_totals_for_all_grading_periods as display_totals, ${periodsAsJson} as periods
        from (select courses.id, ${setOfCourse(sql.raw('courses.id'))} as set_id from courses where courses.id in (${ids})) here join grading_period_sets s on s.id = here.set_id`,
    ),
    ['course_id', 'set_id', 'weighted', 'display_totals', 'periods'],
  );

/** The periods of the set `s`, by start. */
export const periodsAsJson: SQL =
  sql.raw(`(select json_group_array(json_object('id', p.id, 'title', p.title, 'start_date', p.start_date, 'end_date', p.end_date, 'close_date', p.close_date, 'weight', p.weight))
  from (select * from grading_periods where grading_period_group_id = s.id and workflow_state = 'active' order by start_date, id) p)`);

export interface Period extends PeriodDates {
  readonly id: number;
  readonly title: string;
  readonly weight: number | null;
}

/** The set of one course of a page. */
export interface SetOfCourse {
  readonly isWeighted: boolean;
  readonly showsTotals: boolean;
  readonly periods: readonly Period[];
}

export const setFrom = (rows: readonly SetRow[], course: number): SetOfCourse | undefined => {
  const row = rows.find((one) => one.course_id === course);
  return row && { isWeighted: row.weighted === 1, showsTotals: row.display_totals === 1, periods: JSON.parse(row.periods) as Period[] };
};
