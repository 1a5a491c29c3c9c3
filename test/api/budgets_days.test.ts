// Budgets of a user's day: conversations, calendar, planner, activity and to-do list.

import { beforeAll, expect, test } from 'vitest';
import { as, ground } from '../support/api';
import { type Budget, fillRows, fillTime, holdBudgets, inBulk, type Scene, type Twins, twins } from '../support/budgets';
import type { Person } from '../support/ground';

/** Appointments have their own course: the calendar of a course grows with its current appointment groups. */
type Days = Scene & { readonly talks: number; readonly tutor: Person };
let scenes: Twins<Days>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";
const then = (from: number, step = 60) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${from} + n * ${step}, 'unixepoch')`;
const now = Math.floor(Date.now() / 1000);

async function withTalks(scene: Scene): Promise<Days> {
  const talks = await ground.course();
  const tutor = await ground.person();
  await ground.enroll(talks, tutor, 'teacher');
  await ground.enroll(talks, scene.student, 'student');
  return { ...scene, talks: talks.id, tutor };
}

beforeAll(async () => {
  const { small, large } = await twins(ground);
  scenes = { small: await withTalks(small), large: await withTalks(large) };
  await inBulk(fillAll);
}, fillTime);

async function fillAll(): Promise<void> {
  const first = ({ student }: Scene) => student.id * 1_000_000;
  await fillRows(
    scenes,
    'conversations',
    'id, uuid, private, created_at, updated_at',
    (scene) => `${first(scene)} + n, 'v${scene.student.id}-' || n, 1, ${stamp}`,
  );
  for (const who of ['student', 'teacher'] as const)
    await fillRows(
      scenes,
      'conversation_participants',
      'conversation_id, user_id, workflow_state, starred, message_count, last_message, last_message_at, last_authored_message, last_authored_message_at, moved_at, joined_at',
      (scene) =>
        `${first(scene)} + n, ${scene[who].id}, case when n % 2 then 'unread' else 'archived' end, n % 2, 1, 'x', ${then(1788000000)}, 'x', ${then(1788000000)}, ${then(1788000000)}, ''`,
    );
  await fillRows(
    scenes,
    'conversation_batches',
    'user_id, body, recipient_ids, workflow_state, created_at, updated_at',
    ({ teacher }) => `${teacher.id}, 'x', '[1]', 'sending', ${stamp}`,
  );
  await fillRows(
    scenes,
    'calendar_events',
    'context_code, title, start_at, end_at, created_at, updated_at',
    ({ course }) => `'course_${course.id}', 'E' || n, ${then(now)}, ${then(now)}, ${stamp}`,
  );
  const groups = ({ course }: Scene) => `${course.id} * 1000000 + n`;
  await fillRows(
    scenes,
    'appointment_groups',
    'id, title, start_at, end_at, workflow_state, created_at, updated_at',
    (scene) => `${groups(scene)}, 'G' || n, ${then(now)}, '2037-01-01T00:00:00Z', 'active', ${stamp}`,
  );
  await fillRows(scenes, 'appointment_group_contexts', 'appointment_group_id, course_id', (scene) => `${groups(scene)}, ${scene.talks}`);
  await fillRows(
    scenes,
    'assignments',
    'course_id, assignment_group_id, name, position, points_possible, submission_types, due_at, workflow_state, lti_context_id, created_at, updated_at',
    ({ course }) =>
      `${course.id}, ${course.assignment_group_id}, 'A' || n, n, 10, '["online_text_entry"]', ${then(now, 30)}, 'published', 'x', ${stamp}`,
  );
  await fillRows(
    scenes,
    'pages',
    'context_type, context_id, title, url, editing_roles, workflow_state, todo_date, created_at, updated_at',
    ({ course }) => `'Course', ${course.id}, 'P' || n, 'p' || n, 'teachers', 'active', ${then(now, 50)}, ${stamp}`,
  );
  await fillRows(
    scenes,
    'discussion_topics',
    'context_type, context_id, title, workflow_state, posted_at, last_reply_at, todo_date, created_at, updated_at',
    ({ course }) =>
      `'Course', ${course.id}, 'T' || n, 'active', ${then(now - 900_000)}, ${then(now - 900_000)}, ${then(now, 40)}, ${then(now - 900_000)}, ${then(now - 900_000)}`,
  );
  await fillRows(
    scenes,
    'planner_notes',
    'user_id, title, todo_date, created_at, updated_at',
    ({ student }) => `${student.id}, 'N' || n, ${then(now, 45)}, ${stamp}`,
  );
  await fillRows(
    scenes,
    'planner_notes',
    'user_id, title, todo_date, created_at, updated_at',
    ({ tutor }) => `${tutor.id}, 'N' || n, ${stamp}, '2026-09-01T08:00:00Z'`,
  );
  await fillRows(
    scenes,
    'planner_overrides',
    'user_id, plannable_type, plannable_id, marked_complete, created_at, updated_at',
    ({ student }) => `${student.id}, 'planner_note', 1000000 + n, 1, ${stamp}`,
  );
  const handedIn = ({ course }: Scene) => `((select min(id) from assignments where course_id = ${course.id}) + n - 1)`;
  await fillRows(
    scenes,
    'submissions',
    'id, course_id, assignment_id, user_id, attempt, submission_type, body, submitted_at, workflow_state, created_at, updated_at',
    (scene) =>
      `${handedIn(scene)} * ${2 ** 26} + ${scene.student2.id}, ${scene.course.id}, ${handedIn(scene)}, ${scene.student2.id}, 1, 'online_text_entry', 'x', '2026-09-02T08:00:00Z', 'submitted', ${stamp}`,
  );
}

type Query = (scene: Scene) => object;
const asked = (
  by: 'student' | 'teacher' | 'tutor',
  path: (scene: Days) => string,
  query: Query = () => ({}),
  more: Partial<Budget<Days>> = {},
): Budget<Days> => ({
  with: `as a ${by} ${JSON.stringify(query({ course: {}, student: {} } as Scene))}`,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  query,
  ...more,
});
const both = (path: (scene: Days) => string, more: Partial<Budget<Days>>): Budget<Days>[] => [
  asked('student', path, undefined, more),
  asked('teacher', path, undefined, more),
];
const everything: Query = ({ course, student }) => ({ context_codes: [`course_${course.id}`, `user_${student.id}`], all_events: true });
const span: Query = ({ course }) => ({ context_codes: [`course_${course.id}`], start_date: '2026-01-01', end_date: '2037-01-01' });
const dueIn =
  (query: Query): Query =>
  (scene) => ({ ...query(scene), type: 'assignment' });
const plan = { start_date: new Date(now * 1000).toISOString(), end_date: '2037-01-01T00:00:00Z' };

const messages = { madeOf: ['own copy', 'conversation', 'participant', 'person', 'course that they share'] };
const event = { madeOf: ['event', 'parts of it'] };
const offered = { perItem: [27, 'a group, its courses, the enrollments that open it, its slots and what is reserved of them'] as const };
const dueEvent = {
  madeOf: ['assignment', 'override', 'module item', 'discussion', 'submission', 'course', 'own enrollment there'],
};
const planned = {
  madeOf: [
    'item of any of six types',
    'its assignment',
    'override',
    'module item',
    'discussion',
    'its read state',
    'submission',
    'whether that is read',
    'comment',
    'its comments',
    'course',
  ],
};
const happened = { madeOf: ['what happened', 'what it is about', 'whether it is read', 'the module that holds it'] };
const toDo = { madeOf: [...dueEvent.madeOf, 'what was waved away'] };

const calendar = () => '/calendar_events';
const conversations = () => '/conversations';
const items = () => '/planner/items';

holdBudgets<Days, 'days'>(() => scenes, {
  'GET /appointment_groups': [
    asked('student', () => '/appointment_groups', undefined, offered),
    asked(
      'tutor',
      () => '/appointment_groups',
      () => ({ scope: 'manageable' }),
      offered,
    ),
  ],
  'GET /calendar_events': [
    asked('student', calendar, everything, event),
    asked('teacher', calendar, span, event),
    asked('student', calendar, dueIn(everything), dueEvent),
    asked('teacher', calendar, dueIn(span), dueEvent),
  ],
  'GET /conversations': ['inbox', 'unread', 'starred', 'archived', 'sent'].map((scope) =>
    asked('student', conversations, () => ({ scope }), messages),
  ),
  'GET /conversations/batches': [
    asked('teacher', () => '/conversations/batches', undefined, { madeOf: ['batch', 'its message', 'what is attached', 'its folders'] }),
  ],
  'GET /courses/:course_id/activity_stream': [
    asked('student', ({ course }) => `/courses/${course.id}/activity_stream`, undefined, happened),
  ],
  'GET /courses/:course_id/todo': both(({ course }) => `/courses/${course.id}/todo`, toDo),
  'GET /planner/items': [{}, { order: 'desc' }, { filter: 'incomplete_items' }, { filter: 'ungraded_todo_items' }].map((query) =>
    asked('student', items, () => ({ ...plan, ...query }), planned),
  ),
  'GET /planner/overrides': [asked('student', () => '/planner/overrides')],
  'GET /planner_notes': [asked('student', () => '/planner_notes'), asked('tutor', () => '/planner_notes')],
  'GET /users/:user_id/calendar_events': [asked('student', () => '/users/self/calendar_events', everything, event)],
  'GET /users/:user_id/planner/items': [
    asked(
      'student',
      ({ student }) => `/users/${student.id}/planner/items`,
      () => plan,
      planned,
    ),
  ],
  'GET /users/activity_stream': [asked('student', () => '/users/activity_stream', undefined, happened)],
  'GET /users/self/activity_stream': [asked('student', () => '/users/self/activity_stream', undefined, happened)],
  'GET /users/self/todo': both(() => '/users/self/todo', toDo),
  'GET /users/self/upcoming_events': [
    asked('student', () => '/users/self/upcoming_events', undefined, { ...dueEvent, page: 20, unpaged: true }),
  ],
});

test('a user who may not reserve anything does not read the appointment groups of others', async () => {
  const other = await ground.person();
  await ground.enroll(await ground.course(), other, 'student');
  const { cost, body } = await as(other).get('/appointment_groups');
  expect(body).toEqual([]);
  expect(cost.rows_read).toBeLessThan(100);
});

test('a course with past appointment groups shows its calendar at the cost of a course without any', async () => {
  const { talks, student } = scenes.large;
  const { cost } = await as(student).get('/calendar_events', {
    context_codes: [`course_${talks}`],
    start_date: '2037-02-01',
    end_date: '2037-12-31',
  });
  expect(cost.rows_read).toBeLessThan(100);
});

test('an administrator reads one page of the appointment groups, not all', async () => {
  const admin = await ground.admin();
  const { cost, body } = await as(admin).get('/appointment_groups?scope=manageable&per_page=10');
  expect(body).toHaveLength(10);
  expect(cost.rows_read).toBeLessThan(400);
});
