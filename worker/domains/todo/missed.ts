// Missing submissions of a student: which they are, and how they are serialised.

import { MissedAssignment } from '@carrel/shared/resources/todo';
import { and, getTableColumns, type SQL, Subquery, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { ascending, type RowOf, rows } from '../../http/listing';
import { list, type Reply } from '../../http/reply';
import { embed, embedApart, serializer } from '../../http/serializer';
import { assignedTo, closedIn, effectiveDates, reaching } from '../../rules/assigned';
import { isDateInCurrent } from '../../rules/grading_periods';
import { expectsWorkSql } from '../../rules/new_quizzes';
import { firstDue, movedFor } from '../assignments/due_walk';
import { assignment } from '../assignments/json';
import { assignments } from '../assignments/table';
import { course as courseJson } from '../courses/json';
import { ownCourseIds } from '../courses/own_courses';
import { courses } from '../courses/table';
import { type PlannerOverrideWithColumns, plannerOverrideJson } from '../planner/overrides_json';

/** The parameters of the request. */
interface Asked {
  readonly filter?: readonly string[];
  readonly course_ids?: readonly number[];
  readonly observed_user_id?: number;
}
const askedOf = (call: Call): Asked => call.params;
const studentOf = (call: Call): number => askedOf(call).observed_user_id ?? call.user?.id ?? call.me.id;

/** A select of the courses that are examined: those where the student is active, that were asked for, and where the caller observes the student. */
function placesOf(call: Call): SQL {
  const { course_ids } = askedOf(call);
  const student = studentOf(call);
  const who = shared('user', student);
  const observed =
    student === call.me.id || call.user?.isAdmin
      ? undefined
      : sql`own.course_id in (select course_id from enrollments where user_id = ${shared('user', call.me.id)} and observed_user_id = ${who} and enrollment_state in ('active', 'completed'))`;
  const chosen = course_ids?.length ? sql`own.course_id in (select value from json_each(${JSON.stringify(course_ids)}))` : undefined;
  const own = ownCourseIds(who, { enrollment_type: 'student', enrollment_state: 'active' }, call.now);
  return sql`select distinct own.course_id from (${own}) own where ${and(chosen, observed) ?? sql`1`}`;
}

/** A student's missing assignments: past due, expecting an online submission and without one; or marked missing by a grader. */
export function missed(call: Call): Reply {
  const { filter = [] } = askedOf(call);
  const who = shared('user', studentOf(call));
  const { now } = call;
  // 1 where a grader has marked it as missing, 0 where it was handed in, graded or excused; null where nothing has happened.
  const verdict = sql`(select case when s.late_policy_status = 'missing' and not s.excused then 1 when coalesce(s.submitted_at, s.graded_at) is not null or s.excused or s.late_policy_status in ('none', 'extended', 'late') then 0 end
      from submissions s where s.assignment_id = assignments.id and s.user_id = ${who})`;
  const places = sql`select id from place`;
  const moved = sql`select id from moved`;
  const isMissed = (at: SQL, unlock_at: SQL, lock_at: SQL) =>
    and(
      sql`assignments.workflow_state = 'published'`,
      sql`coalesce(${verdict}, ${at} < ${shared('time', now)} and ${expectsWorkSql})`,
      filter.includes('submittable')
        ? sql`coalesce(${unlock_at}, '') <= ${shared('time', now)} and coalesce(${lock_at}, '9999') > ${shared('time', now)}`
        : undefined,
      filter.includes('current_grading_period') ? isDateInCurrent(at, sql.raw('assignments.course_id'), now) : undefined,
    ) as SQL;
  const isOpen = sql`assignments.id not in (select id from closed)`;
  const date = (field: string) => sql.raw(`(assignments.dates ->> '${field}')`);
  const { per_page, number, after } = call.page;
  const first = firstDue({
    courses: places,
    chosen: sql`${isMissed(sql.raw('assignments.due_at'), sql.raw('assignments.unlock_at'), sql.raw('assignments.lock_at'))}`,
    deep: sql`${isOpen} and assignments.id not in (${moved})`,
    after: after?.[0],
    most: per_page * (number ?? 1) + 1,
  });
  const closed = closedIn(
    assignedTo(who),
    places,
    sql`assignments.workflow_state = 'published' and coalesce(${verdict}, ${expectsWorkSql})`,
  );
  const dated = sql`with place(id) as materialized (${placesOf(call)}), closed(id) as materialized (${closed}), moved(id) as materialized (${movedFor(places, who)})
    select *, coalesce(dates ->> 'due_at', '') as binding_due from (
      select *, ${effectiveDates(reaching(sql.raw('= assignments.id'), who), now)} as dates from assignments where assignments.id in (select id from (${first} union ${moved})) and ${isOpen} limit -1
    ) assignments`;
  const due = sql.raw('assignments.binding_due');
  return list(
    rows(assignments, {
      from: new Subquery(dated, getTableColumns(assignments), 'assignments'),
      only: ['id', 'course_id'],
      where: isMissed(date('due_at'), date('unlock_at'), date('lock_at')),
      order: ascending(due, assignments.id),
      once: true,
    }),
  );
}

/** The planner override of a row of `assignments`, as JSON: of the assignment itself, or of its quiz or discussion. */
const planMark = (
  call: Call,
) => sql`(select json_object('id', o.id, 'plannable_type', o.plannable_type, 'plannable_id', o.plannable_id, 'user_id', o.user_id, 'assignment_id', assignments.id,
    'plannable_state', thing.state, 'workflow_state', o.workflow_state, 'marked_complete', o.marked_complete, 'dismissed', o.dismissed, 'created_at', o.created_at, 'updated_at', o.updated_at)
  from (select 'assignment' as type, assignments.id as id, iif(assignments.workflow_state = 'published', 'active', assignments.workflow_state) as state
    union all select 'discussion_topic', t.id, t.workflow_state from discussion_topics t where t.assignment_id = assignments.id and t.workflow_state <> 'deleted'
    union all select 'quiz', z.id, iif(z.workflow_state = 'available', 'active', z.workflow_state) from quizzes z where z.assignment_id = assignments.id and z.assignment_id is not null and z.workflow_state <> 'deleted') thing
  cross join planner_overrides o on o.user_id = ${shared('user', call.user?.id ?? call.me.id)} and o.plannable_type = thing.type and o.plannable_id = thing.id and o.workflow_state = 'active' limit 1)`;

/** A missing assignment. */
export const missedAssignment = serializer({
  resource: MissedAssignment,
  table: assignments,
  columns: (call) => ({ plan_mark: (call.include.has('planner_overrides') ? planMark(call) : sql`null`).as('plan_mark') }),
  also(given, call) {
    // The page is in `from`, because D1 limits expression depth to 100.
    return {
      told: embed(assignment, rows(assignments, { where: isInSelect(assignments.id, sql`select id from (${given}) page`) })),
      courses: call.include.has('course')
        ? embedApart(courseJson, rows(courses, { where: isInSelect(courses.id, placesOf(call)), once: true }))
        : undefined,
    };
  },
  json(row: Pick<RowOf<typeof assignments>, 'id' | 'course_id'> & { readonly plan_mark: string | null }, call, { told, courses: around }) {
    const mark = row.plan_mark === null ? null : (JSON.parse(row.plan_mark) as PlannerOverrideWithColumns);
    return {
      ...told.find((one) => one.row.id === row.id)?.json,
      planner_override: call.include.has('planner_overrides')
        ? mark && plannerOverrideJson({ ...mark, marked_complete: Boolean(mark.marked_complete), dismissed: Boolean(mark.dismissed) })
        : undefined,
      course: around?.find((one) => one.row.id === row.course_id)?.json,
    };
  },
});
