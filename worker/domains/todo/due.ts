// To-do items: submissions due soon or slightly late, and submissions to grade. One select over courses for each.

import { type SQL, sql } from 'drizzle-orm';
import { isActiveGrader } from '../../contexts/predicates';
import { heldSections } from '../../contexts/section_limit';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { assignedTo, closedIn, effectiveDates, reaching } from '../../rules/assigned';
import { expectsWorkSql } from '../../rules/new_quizzes';
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

type Asked = Pick<Call, 'me' | 'now' | 'course'>;

/**
 * The to-do items of a type, of one course or all of the caller's courses, limited to the window of a page if given. One statement for each type, because
 * one for both with the details would come near D1's limits.
 */
export const dueRows = (type: DueItem['type'], call: Asked, page?: Reaching): SQL =>
  type === 'submitting' ? submittingRows(call, page) : gradingRows(call, page);

const inCourse = ({ course }: Asked): SQL => (course ? sql` and assignments.course_id = ${shared('course', course.id)}` : sql``);

/** At most one page per course. */
const mostOf = (page: Reaching | undefined) => page && page.per_page * (page.number ?? 1) + 1;

/** A condition on a due date that precedes it. */
export const submittingWindow = (now: string): SQL => sql`between ${shared('start', away(now, -28))} and ${shared('end', away(now, 7))}`;

/** What the caller submits as a student. */
function submittingRows(call: Asked, page: Reaching | undefined): SQL {
  const { me: viewer, now } = call;
  const me = shared('user', viewer.id);
  const inside = submittingWindow(now);
  const touched = sql`(select 1 from submissions s where s.assignment_id = assignments.id and s.user_id = ${me} and (s.excused or ((s.submitted_at is not null or s.graded_at is not null) and s.redo_requested_at is null)))`;
  const learning = sql`select id from learning`;
  const moved = sql`select id from moved`;
  const after = page?.after?.[0];
  const awaited = sql`assignments.workflow_state = 'published'${inCourse(call)} and not exists ${touched} and ${expectsWorkSql}`;
  const counted = sql`${awaited} and not ${isIgnored('submitting', me, sql.raw('assignments.updated_at'))}`;
  const isTheirs = sql.raw('assignments.id not in (select id from closed)');
  // The walk has chosen all others by the same conditions.
  const isChosen = sql`assignments.id not in (${moved})${after === undefined ? sql`` : sql` and ${storedDue} <> ${after}`}`;
  const isOpen = (unlock_at: string, lock_at: string) =>
    sql`coalesce(${sql.raw(unlock_at)}, '') <= ${shared('time', now)} and coalesce(${sql.raw(lock_at)}, '9999') > ${shared('time', now)}`;
  const walked = firstDue({
    courses: learning,
    chosen: sql`${storedDue} ${inside} and ${counted} and ${isOpen('assignments.unlock_at', 'assignments.lock_at')}`,
    deep: sql`${isTheirs} and assignments.id not in (${moved})`,
    after,
    most: mostOf(page),
  });
  return sql`with learning(id) as materialized (${ownCourseIds(me, { enrollment_type: 'student', enrollment_state: 'active' }, now)}),
    closed(id) as materialized (${closedIn(assignedTo(me), learning, awaited)}), moved(id) as materialized (${movedFor(learning, me)})
    select 'submitting' as type, id as assignment_id, dates ->> 'due_at' as at, null as needs_grading_count from (
      select assignments.id, ${effectiveDates(reaching(sql.raw('= assignments.id'), me), now)} as dates from assignments
        where assignments.id in (${walked} union ${moved}) and (${isChosen} or (${isTheirs} and ${counted})) limit -1
    ) where ${isOpen("dates ->> 'unlock_at'", "dates ->> 'lock_at'")} and at ${inside}`;
}

/** What the caller grades. */
function gradingRows(call: Asked, page: Reaching | undefined): SQL {
  const { me: viewer, now, course } = call;
  const me = shared('user', viewer.id);
  const waved = isIgnored(
    'grading',
    me,
    sql`coalesce((select max(s.submitted_at) from submissions s where s.assignment_id = assignments.id), assignments.updated_at)`,
  );
  const awaits = sql`assignments.workflow_state = 'published'${inCourse(call)} and exists (select 1 from submissions where submissions.assignment_id = assignments.id and ${awaitsGrade})
      and not ${waved}`;
  const after = page?.after?.[0];
  const courses = sql`select id from grading`;
  const dated = firstDue({ courses, chosen: sql`${storedDue} > '' and ${awaits}`, after, most: mostOf(page) });
  const undated = firstDue({ courses, chosen: sql`${storedDue} = '' and ${awaits}` });
  // Assignments with the date of the bookmark have not been checked by the walk.
  const stillAwaits = after === undefined ? sql`` : sql` and ${awaits}`;
  return sql`with grading(id) as materialized (${graded(me, now)}), held(course_id, section_id) as materialized (${heldSections(me)})
    select 'grading' as type, assignments.id as assignment_id, coalesce(assignments.due_at, '9999') as at, ${awaitingGrades({ course }, course ? undefined : inHeldSections)} as needs_grading_count
      from assignments where assignments.id in (${dated} union ${undated})${stillAwaits} and needs_grading_count > 0`;
}
