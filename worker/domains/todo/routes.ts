// To-do lists and dashboard: every endpoint, in the order of the API reference.

import { DashboardCard } from '@carrel/shared/resources/dashboard_card';
import { TodoCount } from '@carrel/shared/resources/todo';
import { bool, choices, idField, listOf, optional } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { absolute, del, get } from '../../http/endpoint';
import { notFound, Problem, refused, unauthorized } from '../../http/problem';
import { answer, judged, pageOfRows, type Reply, write } from '../../http/reply';
import { calendarEvent } from '../calendar_events/json';
import { ignored_todos } from '../planner/table';
import { dashboardCards } from './cards';
import { type DueItem, dueRows } from './due';
import { planTodo, todo } from './json';
import { missed, missedAssignment } from './missed';
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
      if (observed === undefined || observed === user.id) return missed(call);
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
        missed(call),
      );
    },
  ),
];
