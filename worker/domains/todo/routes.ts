// To-do lists and dashboard: every endpoint, in the order of the API reference.

import { DashboardCard } from '@carrel/shared/resources/dashboard_card';
import { TodoCount } from '@carrel/shared/resources/todo';
import { bool, choices, idField, listOf, optional } from '@carrel/shared/wire/fields';
import { and, getTableColumns, type SQL, Subquery, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { absolute, del, get } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { notFound, Problem, refused, unauthorized } from '../../http/problem';
import { answer, judged, list, pageOfRows, type Reply, write } from '../../http/reply';
import { assignedTo, closedIn, effectiveDates, reaching } from '../../rules/assigned';
import { isDateInCurrent } from '../../rules/grading_periods';
import { expectsWorkSql } from '../../rules/new_quizzes';
import { firstDue, movedFor } from '../assignments/due_walk';
import { assignments } from '../assignments/table';
import { calendarEvent } from '../calendar_events/json';
import { ownCourseIds } from '../courses/own_courses';
import { ignored_todos } from '../planner/table';
import { dashboardCards } from './cards';
import { type DueItem, dueRows } from './due';
import { missedAssignment, planTodo, todo } from './json';
import { ungradedRows } from './ungraded';
import { upcoming } from './upcoming';

export const about = { title: 'To-do', description: 'Items to do and submissions to grade.' };

async function todoPage(call: Call): Promise<Reply> {
  const plan = planTodo(call);
  const result = plan.tell(await call.db.perform(plan.statements));
  const { per_page } = call.page;
  const last = result[per_page - 1]?.key;
  return pageOfRows(
    result.slice(0, per_page).map(({ json }) => json),
    result.length > per_page && last ? [last.at, last.id, last.type] : null,
  );
}

const include = ['ungraded_quizzes'] as const;

/** A student's missing assignments: past due, expecting an online submission and without one; or marked missing by a grader. */
function missed(student: number, filter: readonly string[], courseIds: readonly number[] | undefined, call: Call): Reply {
  const who = shared('user', student);
  const { now } = call;
  const submission = (condition: string) =>
    sql`exists (select 1 from submissions s where s.assignment_id = assignments.id and s.user_id = ${who} and ${sql.raw(condition)})`;
  const observed =
    student === call.me.id || call.user?.isAdmin
      ? undefined
      : sql`own.course_id in (select course_id from enrollments where user_id = ${shared('user', call.me.id)} and observed_user_id = ${who} and enrollment_state in ('active', 'completed'))`;
  const chosen = courseIds && sql`own.course_id in (select value from json_each(${JSON.stringify(courseIds)}))`;
  const own = ownCourseIds(who, { enrollment_type: 'student', enrollment_state: 'active' }, now);
  const courses = sql`select distinct own.course_id from (${own}) own where ${and(chosen, observed) ?? sql`1`}`;
  const places = sql`select id from place`;
  const moved = sql`select id from moved`;
  const isMarked = submission("s.late_policy_status = 'missing' and not s.excused");
  const isAwaited = sql`${expectsWorkSql} and not ${submission("(coalesce(s.submitted_at, s.graded_at) is not null or s.excused or s.late_policy_status in ('none', 'extended', 'late'))")}`;
  const isMissed = (at: SQL, unlock_at: SQL, lock_at: SQL) =>
    and(
      sql`assignments.workflow_state = 'published'`,
      sql`((${at} < ${shared('time', now)} and ${isAwaited}) or ${isMarked})`,
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
  const closed = closedIn(assignedTo(who), places, sql`assignments.workflow_state = 'published' and (${isAwaited} or ${isMarked})`);
  const dated = sql`with place(id) as materialized (${courses}), closed(id) as materialized (${closed}), moved(id) as materialized (${movedFor(places, who)})
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

const assets = /^(assignment|quiz|discussion_topic)_\d{1,15}$/;

const cards = get(
  '/dashboard/dashboard_cards',
  { can: 'user', returns: { json: DashboardCard }, summary: 'List dashboard cards' },
  async (call) => answer(await dashboardCards(call)),
);

export const todoRoutes = [
  ...absolute(cards),
  cards,

  get('/users/self/todo', { can: 'user', include, returns: [todo], summary: 'List to-do items' }, (call) => todoPage(call)),

  get('/courses/:course_id/todo', { can: 'read', include, returns: [todo], summary: 'List to-do items of a course' }, (call) =>
    todoPage(call),
  ),

  get(
    '/users/self/todo_item_count',
    { can: 'user', include, returns: { json: TodoCount }, summary: 'Count to-do items' },
    async (narrow) => {
      const call = narrow;
      const counted = (type: DueItem['type']) =>
        call.db.build.all<{ count: number }>(sql`select count(*) as count from (${dueRows(type, call)})`);
      const quizzes = call.include.has('ungraded_quizzes') ? ungradedRows(call) : sql`select 0 where 0`;
      const [submitting, grading, ungraded] = await call.db.perform([
        counted('submitting'),
        counted('grading'),
        call.db.build.all<{ count: number }>(sql`select count(*) as count from (${quizzes})`),
      ]);
      return answer({
        needs_grading_count: grading[0]?.count ?? 0,
        assignments_needing_submitting: (submitting[0]?.count ?? 0) + (ungraded[0]?.count ?? 0),
      });
    },
  ),

  del(
    '/users/self/todo/:asset_string/:purpose',
    { can: 'user', params: { permanent: optional(bool) }, returns: { json: null }, summary: 'Ignore a to-do item' },
    ({ db, me, path, params, now }) => {
      if (!assets.test(path.asset_string) || !['grading', 'submitting', 'reviewing', 'moderation'].includes(path.purpose)) throw notFound();
      const permanent = params.permanent ?? false;
      return write(
        [
          db.build
            .insert(ignored_todos)
            .values({ user_id: me.id, asset_string: path.asset_string, purpose: path.purpose, permanent, created_at: now, updated_at: now })
            .onConflictDoUpdate({
              target: [ignored_todos.user_id, ignored_todos.asset_string, ignored_todos.purpose],
              set: { permanent: sql`permanent or ${permanent}`, updated_at: now },
            }),
        ],
        answer({ ignored: true }),
      );
    },
  ),

  get('/users/self/upcoming_events', { can: 'user', returns: [calendarEvent], summary: 'List upcoming events' }, async (call) =>
    answer(await upcoming(call)),
  ),

  get(
    '/users/:user_id/missing_submissions',
    {
      can: ({ user }) => Boolean(user && (user.isMe || user.isObservedByMe || user.can('view_all_grades'))),
      include: ['planner_overrides', 'course'],
      params: {
        filter: choices('submittable', 'current_grading_period'),
        course_ids: optional(listOf(idField('course'))),
        observed_user_id: optional(idField('user')),
      },
      returns: [missedAssignment],
      summary: 'List missing submissions',
    },
    (narrow) => {
      const call = narrow;
      const { user, params } = narrow;
      const observed = params.observed_user_id;
      if (observed !== undefined && observed !== user.id) {
        if (!user.isMe) throw unauthorized();
        if (!params.course_ids?.length) throw refused(400, 'course_ids is missing');
        const ids = JSON.stringify(params.course_ids);
        return judged(
          call.db.build.all<{ id: number }>(
            sql`select value as id from json_each(${ids}) where value not in (select course_id from enrollments where user_id = ${shared('user', call.me.id)} and observed_user_id = ${observed} and enrollment_state in ('active', 'completed'))`,
          ),
          (closed) => {
            if (closed.length) throw new Problem(400, { errors: [{ message: 'Not an observer of this student in every course' }] });
          },
          missed(observed, params.filter ?? [], params.course_ids, call),
        );
      }
      return missed(user.id, params.filter ?? [], params.course_ids?.length ? params.course_ids : undefined, call);
    },
  ),
];
