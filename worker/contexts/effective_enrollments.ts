// The effective state of contexts/enrollment_dates.ts in SQL, for lists that filter by it. A test checks that both agree.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../database/shared';
import { isStaff, isStudent } from './predicates';

/** Whose dates apply: 1 the enrollment's, 2 the section's, 3 the course's; null the term's. */
const datedBy = sql.raw(
  'case when e.start_at is not null and e.end_at is not null then 1 when s.restrict_enrollments_to_section_dates then 2 when c.restrict_enrollments_to_course_dates then 3 end',
);
const chosen = (side: 'start' | 'end') =>
  sql.raw(`case e.dated_by when 1 then e.${side}_at when 2 then e.section_${side} when 3 then e.course_${side} else e.term_${side} end`);
const ofRole = (side: 'start' | 'end') => sql.raw(`json_extract(t.overrides, '$.' || e.type || '.${side}_at')`);

/** Enrollments as `e` with section `s` and course `c`, without their dates. */
export const enrollmentsInCourses = (
  where: SQL,
): SQL => sql`select e.*, c.workflow_state as course_state, c.updated_at as course_changed, ${isStaff('e')} as is_staff from enrollments e
    join courses c on c.id = e.course_id
    join sections s on s.id = e.course_section_id and (s.workflow_state = 'active' or c.workflow_state = 'deleted')
    where ${where}`;

/**
 * Enrollments as `e` with section `s`, course `c` and term `t`, and their effective dates. Staff whose section or course has dates have a second range,
 * the term; they have no start of the term that is not their role's.
 */
export const datedEnrollments = (where: SQL): SQL => sql`select e.*, ${chosen('start')} as range_start, ${chosen('end')} as range_end,
    iif(e.is_staff and e.dated_by > 1, e.term_start, null) as second_start, iif(e.is_staff and e.dated_by > 1, e.term_end, null) as second_end
  from (select e.*, c.workflow_state as course_state, c.updated_at as course_changed, ${isStaff('e')} as is_staff, ${datedBy} as dated_by,
      s.start_at as section_start, s.end_at as section_end, c.start_at as course_start, c.end_at as course_end,
      coalesce(${ofRole('start')}, iif(${isStaff('e')}, null, t.start_at)) as term_start, coalesce(${ofRole('end')}, t.end_at) as term_end
    from enrollments e
    join courses c on c.id = e.course_id
    join sections s on s.id = e.course_section_id and (s.workflow_state = 'active' or c.workflow_state = 'deleted')
    join terms t on t.id = c.enrollment_term_id
    where ${where}) e`;

const inside = (start: string, end: string, now: string) =>
  sql`((${sql.raw(start)} is null or ${sql.raw(start)} <= ${shared('time', now)}) and (${sql.raw(end)} is null or ${shared('time', now)} <= ${sql.raw(end)}))`;
const isDuring = (now: string) =>
  sql`(${inside('e.range_start', 'e.range_end', now)} or (e.is_staff and e.dated_by > 1 and ${inside('e.second_start', 'e.second_end', now)}))`;
/** Whether any of the dates has passed. */
const isBegun = (now: string) =>
  sql.join(
    ['range_start', 'range_end', 'second_start', 'second_end'].map((name) => sql`e.${sql.raw(name)} < ${shared('time', now)}`),
    sql` or `,
  );

/** The effective state of a row `e` of `datedEnrollments`. */
export const effective = (now: string): SQL<string> => sql`case
    when e.enrollment_state not in ('active', 'invited') then e.enrollment_state
    when e.course_state = 'completed' then 'completed'
    when ${isDuring(now)} then e.enrollment_state
    when ${isBegun(now)} then 'completed'
    when e.type = 'StudentViewEnrollment' then e.enrollment_state
    when e.is_staff then 'inactive'
    when e.enrollment_state = 'active' then 'pending_active'
    else 'pending_invited' end`;

/** Whether the effective state of a row `e` of `datedEnrollments` is `active`. The test student does not wait for a start. */
export const isActiveAt = (now: string): SQL<boolean> =>
  sql<boolean>`(e.enrollment_state = 'active' and e.course_state <> 'completed' and (${isDuring(now)} or (e.type = 'StudentViewEnrollment' and (${isBegun(now)}) is not true)))`;

/**
 * Whether a setting of the course of `e`, own or inherited, is on: contexts/account_settings.ts in SQL. The nearest value from the course upwards
 * wins, unless an account above it locks the setting. In `from`, where D1 does not count expression depth.
 */
const setting = (name: string) =>
  sql.raw(`(select said from (
    select said, height, max(locked * height) over () as top from (
      with recursive up(id, height) as (select account_id, 1 from courses where id = e.course_id
        union select parent_account_id, height + 1 from accounts join up on accounts.id = up.id where parent_account_id is not null)
      select json_extract(settings, '$.${name}.value') as said, height, ifnull(json_extract(settings, '$.${name}.locked'), 0) as locked
        from up join accounts on accounts.id = up.id
      union all select json_extract(settings, '$.${name}'), 0, 0 from courses where id = e.course_id
      union all select 0, 99, 0))
    where said is not null order by height < top, height limit 1)`);

/** The rows of `datedEnrollments`, with their effective state as `effective`. */
export const enrollmentsWithState = (where: SQL, now: string): SQL =>
  sql`select e.*, ${effective(now)} as effective from (${datedEnrollments(where)}) e`;

/** The effective state of one enrollment. @param id of a row outside, whatever its alias */
export const effectiveStateOf = (id: SQL, now: string): SQL<string> =>
  sql<string>`(select (select dated.effective from (${enrollmentsWithState(sql`e.id = seat.seat_id`, now)}) dated) from (select ${id} as seat_id) seat)`;

/** Whether dates lock out the student or observer of a row `e` of `enrollmentsWithState` (reference 02 §4.6). */
export const isShutOut: SQL = sql`((${isStudent('e')} or e.type = 'ObserverEnrollment') and case
    when e.effective in ('pending_active', 'pending_invited') then ${setting('restrict_student_future_view')}
    when e.effective = 'completed' then ${setting('restrict_student_past_view')} else 0 end)`;
