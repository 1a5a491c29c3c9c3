// What there is to do: work to hand in soon or hardly late, and work to grade. As one select over courses, in the order of its dates.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { awaitingGrades } from '../assignments/columns';
import { assignedTo, effectiveDate, reaching } from '../assignments/reach';
import { ownCourseIds } from '../courses/own_courses';
import { written } from '../planner/reach';

export interface Due {
  readonly type: 'submitting' | 'grading';
  readonly assignment_id: number;
  /** `9999` without a date, so that it comes last. */
  readonly at: string;
  readonly needs_grading_count: number | null;
}

const day = 86_400_000;
const away = (now: string, days: number) => `${new Date(Date.parse(now) + days * day).toISOString().slice(0, 19)}Z`;

/** Whether students hand something in over the wire. */
export const expectsOnline = sql.raw(
  "exists (select 1 from json_each(assignments.submission_types) t where t.value not in ('', 'none', 'not_graded', 'on_paper', 'wiki_page', 'external_tool'))",
);

/** What the person waved away: for ever, or while nothing has changed since. */
const isIgnored = (purpose: string, me: SQL, changed: SQL) =>
  sql`exists (select 1 from ignored_todos g where g.user_id = ${me} and g.asset_string = 'assignment_' || assignments.id and g.purpose = ${sql.raw(`'${purpose}'`)} and (g.permanent or g.updated_at >= ${changed}))`;

/** Courses where the caller grades: as teacher or assistant, unless an account has taken that from the role. */
const graded = (me: SQL, now: string): SQL =>
  sql`select e.course_id from enrollments e join courses c on c.id = e.course_id where e.user_id = ${me} and e.type in ('TeacherEnrollment', 'TaEnrollment') and e.enrollment_state = 'active'
    and e.course_id in (${ownCourseIds(me, { enrollment_state: 'active' }, now)})
    and not exists (select 1 from role_overrides o where o.role_id = e.role_id and o.permission = 'manage_grades' and o.enabled = 0
      and o.account_id in (with recursive up(id) as (select c.account_id union select parent_account_id from accounts join up on accounts.id = up.id where parent_account_id is not null) select id from up))`;

/** Everything to do, in one course or in all of the caller's. */
export function dueRows({ me: viewer, now, course }: Call): SQL {
  const me = written(viewer.id);
  const source = reaching(sql.raw('= assignments.id'), me);
  const date = (field: 'due_at' | 'unlock_at' | 'lock_at') => effectiveDate(field, source, now);
  const here = course ? sql` and assignments.course_id = ${written(course.id)}` : sql``;
  const inside = sql`between ${written(away(now, -28))} and ${written(away(now, 7))}`;
  const learning = ownCourseIds(me, { enrollment_type: 'student', enrollment_state: 'active' }, now);
  const touched = sql`(select 1 from submissions s where s.assignment_id = assignments.id and s.user_id = ${me} and (s.submitted_at is not null or s.excused or s.graded_at is not null))`;
  return sql`select * from (
    select 'submitting' as type, assignments.id as assignment_id, ${date('due_at')} as at, null as needs_grading_count from assignments
      where assignments.id in (
        select a.id from assignments a where a.course_id in (${learning}) and a.due_at ${inside}
        union select o.assignment_id from assignment_overrides o where o.course_id in (${learning}) and o.workflow_state = 'active' and o.due_at_overridden and o.due_at ${inside})
      and assignments.workflow_state = 'published'${here} and ${expectsOnline} and ${assignedTo(me)} and not exists ${touched}
      and coalesce(${date('unlock_at')}, '') <= ${written(now)} and coalesce(${date('lock_at')}, '9999') > ${written(now)}
      and not ${isIgnored('submitting', me, sql.raw('assignments.updated_at'))}
    union all select 'grading', assignments.id, coalesce(assignments.due_at, '9999'), ${awaitingGrades({ course })} as waiting from assignments
      where assignments.course_id in (${graded(me, now)})${here} and assignments.workflow_state = 'published' and waiting > 0
      and not ${isIgnored('grading', me, sql`coalesce((select max(s.submitted_at) from submissions s where s.assignment_id = assignments.id), assignments.updated_at)`)}
  ) due where due.type = 'grading' or due.at ${inside}`;
}
