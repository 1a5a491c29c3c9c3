// To-do items: submissions due soon or slightly late, and submissions to grade. One select over courses, in date order.

import { type SQL, sql } from 'drizzle-orm';
import { isActiveGrader } from '../../contexts/predicates';
import { heldSections } from '../../contexts/section_limit';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { assignedTo, effectiveDate, reaching, restrictedIn } from '../../rules/assigned';
import { expectsSubmissionSql } from '../../rules/submission_types';
import { awaitingGrades } from '../assignments/computed_columns';
import { firstDue, movedFor, storedDue } from '../assignments/due_walk';
import { ownCourseIds } from '../courses/own_courses';

import { awaitsGrade } from '../submissions/table';

export interface DueItem {
  readonly type: 'submitting' | 'grading';
  readonly assignment_id: number;
  /** `9999` when undated, to sort last. */
  readonly at: string;
  readonly needs_grading_count: number | null;
}

const day = 86_400_000;
const away = (now: string, days: number) => `${new Date(Date.parse(now) + days * day).toISOString().slice(0, 19)}Z`;

/** Ignored by the user: permanently, or until it changes. */
const isIgnored = (purpose: string, me: SQL, changed: SQL) =>
  sql`exists (select 1 from ignored_todos g where g.user_id = ${me} and g.asset_string = 'assignment_' || assignments.id and g.purpose = ${sql.raw(`'${purpose}'`)} and (g.permanent or g.updated_at >= ${changed}))`;

/** Courses where the caller grades: as teacher or TA, unless an account removes the permission from the role. */
const graded = (me: SQL, now: string): SQL =>
  sql`select e.course_id from enrollments e join courses c on c.id = e.course_id where e.user_id = ${me} and ${isActiveGrader('e')}
    and e.course_id in (${ownCourseIds(me, { enrollment_state: 'active' }, now)})
    and not exists (select 1 from role_overrides o where o.role_id = e.role_id and o.permission = 'manage_grades' and o.enabled = 0
      and o.account_id in (with recursive up(id) as (select c.account_id union select accounts.parent_account_id from accounts join up on accounts.id = up.id where accounts.parent_account_id is not null) select up.id from up))`;

/** Limits section-restricted graders to the sections in `held`. */
const inHeldSections = sql` and (not exists (select 1 from held where held.course_id = assignments.course_id)
  or exists (select 1 from held where held.course_id = assignments.course_id and held.section_id = enrollments.course_section_id))`;

/** The window of a page. */
interface Reaching {
  readonly per_page: number;
  readonly number?: number;
  readonly after?: readonly unknown[];
}

/** All to-do items of one course or all of the caller's courses, limited to the window of a page if given. */
export function dueRows({ me: viewer, now, course }: Pick<Call, 'me' | 'now' | 'course'>, page?: Reaching): SQL {
  const me = shared('user', viewer.id);
  const source = reaching(sql.raw('= assignments.id'), me);
  const date = (field: 'due_at' | 'unlock_at' | 'lock_at') => effectiveDate(field, source, now);
  const here = course ? sql` and assignments.course_id = ${shared('course', course.id)}` : sql``;
  const inside = sql`between ${shared('start', away(now, -28))} and ${shared('end', away(now, 7))}`;
  const touched = sql`(select 1 from submissions s where s.assignment_id = assignments.id and s.user_id = ${me} and (s.submitted_at is not null or s.excused or s.graded_at is not null))`;
  const learning = sql`select id from learning`;
  const moved = sql`select id from moved`;
  const waved = isIgnored(
    'grading',
    me,
    sql`coalesce((select max(s.submitted_at) from submissions s where s.assignment_id = assignments.id), assignments.updated_at)`,
  );
  const awaits = sql`assignments.workflow_state = 'published'${here} and exists (select 1 from submissions where submissions.assignment_id = assignments.id and ${awaitsGrade})
      and not ${waved}`;
  const after = page?.after?.[0];
  // At most one page per course.
  const most = page && page.per_page * (page.number ?? 1) + 1;
  const expected = sql`assignments.workflow_state = 'published'${here} and not exists ${touched} and ${expectsSubmissionSql}
      and not ${isIgnored('submitting', me, sql.raw('assignments.updated_at'))} and (assignments.id not in (select id from restricted) or ${assignedTo(me)})`;
  // The walk has chosen all others by the same conditions.
  const isChosen = sql`assignments.id not in (${moved})${after === undefined ? sql`` : sql` and ${storedDue} <> ${after}`}`;
  // Assignments with the date of the bookmark have not been checked by the walk.
  const stillAwaits = after === undefined ? sql`` : sql` and ${awaits}`;
  const isOpen = (unlock_at: SQL, lock_at: SQL) =>
    sql`coalesce(${unlock_at}, '') <= ${shared('time', now)} and coalesce(${lock_at}, '9999') > ${shared('time', now)}`;
  return sql`with learning(id) as materialized (${ownCourseIds(me, { enrollment_type: 'student', enrollment_state: 'active' }, now)}), grading(id) as materialized (${graded(me, now)}), held(course_id, section_id) as materialized (${heldSections(me)}),
    restricted(id) as materialized (${restrictedIn(sql`in (${learning})`)}), moved(id) as materialized (${movedFor(learning, me)})
    select * from (
    select 'submitting' as type, assignments.id as assignment_id, ${date('due_at')} as at, null as needs_grading_count from assignments
      where assignments.id in (${firstDue({
        courses: learning,
        chosen: sql`${storedDue} ${inside} and ${expected} and ${isOpen(sql.raw('assignments.unlock_at'), sql.raw('assignments.lock_at'))} and assignments.id not in (${moved})`,
        after,
        most,
      })} union ${moved})
      and (${isChosen} or (${expected} and ${isOpen(date('unlock_at'), date('lock_at'))}))
    union all select 'grading', assignments.id, coalesce(assignments.due_at, '9999'), ${awaitingGrades({ course }, course ? undefined : inHeldSections)} as waiting from assignments
      where assignments.id in (${firstDue({ courses: sql`select id from grading`, chosen: sql`${storedDue} > '' and ${awaits}`, after, most })}
        union ${firstDue({ courses: sql`select id from grading`, chosen: sql`${storedDue} = '' and ${awaits}` })})${stillAwaits} and waiting > 0
  ) due where due.type = 'grading' or due.at ${inside}`;
}
