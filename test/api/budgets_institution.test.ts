// Budgets of the institution: accounts with their users and courses, and a user's own data in it.

import { blueprint_templates } from '@carrel/worker/domains/blueprint_templates/table';
import { dead_letters } from '@carrel/worker/domains/jobs/table';
import { progress } from '@carrel/worker/domains/progress/table';
import { terms } from '@carrel/worker/domains/terms/table';
import { users } from '@carrel/worker/domains/users/table';
import { webhook_deliveries } from '@carrel/worker/domains/webhooks/table';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, many, nth, ok } from '../support/api';
import {
  type Budget,
  few,
  fillPeople,
  fillRows,
  fillTime,
  holdBudgets,
  inBulk,
  lots,
  type Scene,
  type Twins,
  twins,
} from '../support/budgets';
import type { Answer } from '../support/client';
import type { Person } from '../support/ground';

interface Institution extends Scene {
  readonly admin: Person;
  /** Sub-accounts of the root: one with many courses, one with many accounts. */
  readonly faculty: number;
  readonly tree: number;
  /** The id before the first of many users. */
  readonly crowd: number;
  /** Enrolled in all of the many courses. */
  readonly learner: Person;
  readonly lecturer: Person;
  /** Has a nickname for each. */
  readonly namer: Person;
  /** The learner's. */
  readonly login: number;
}

let scenes: Twins<Institution>;
let webhook = 0;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";

const crowdOf = (count: number) => 1_000_000 + count * 10;

async function anInstitution(scene: Scene, count: number): Promise<Institution> {
  const [faculty, tree] = [(await ground.account()).id, (await ground.account()).id];
  const admin = await ground.admin();
  const [learner, lecturer, namer] = await Promise.all(['Learner', 'Lecturer', 'Namer'].map((name) => ground.person({ name })));
  const others = { learner, lecturer, namer } as Record<'learner' | 'lecturer' | 'namer', Person>;
  const login = (await as(others.learner).get('/users/self/logins')).body[0].id as number;
  return { ...scene, ...others, login, admin, faculty, tree, crowd: crowdOf(count) };
}

const idOf = (table: string, where: string) => `((select min(id) from ${table} where ${where}) + n - 1)`;

beforeAll(async () => {
  const { small, large } = await twins(ground);
  scenes = { small: await anInstitution(small, few), large: await anInstitution(large, lots) };
  const hook = { url: 'https://files.carrel.org/hooks/none', event_types: ['group_category_updated'] };
  webhook = ok(await as(scenes.small.admin).post('/accounts/1/webhook_subscriptions', hook)).id;
  await inBulk(fillAll);
}, fillTime);

async function fillAll(): Promise<void> {
  await fillRows(
    scenes,
    'accounts',
    'name, parent_account_id, root_account_id, uuid, created_at, updated_at',
    ({ tree }) => `'A' || n, ${tree}, 1, 'a${tree}-' || n, ${stamp}`,
  );
  await fillPeople(scenes);
  await fillRows(
    scenes,
    'tokens',
    'user_id, token_hash, token_hint, purpose, created_at, updated_at',
    ({ student }) => `${student.id}, 't${student.id}-' || n, 'x', 'x', ${stamp}`,
  );
  await fillRows(
    scenes,
    'admins',
    'account_id, user_id, role_id, created_at, updated_at',
    ({ faculty, crowd }) => `${faculty}, ${crowd} + n, 1, ${stamp}`,
  );
  await fillRows(
    scenes,
    'roles',
    'account_id, name, base_role_type, created_at, updated_at',
    ({ faculty }) => `${faculty}, 'R' || n, 'StudentEnrollment', ${stamp}`,
  );
  await fillRows(
    scenes,
    'developer_keys',
    'account_id, name, visible, secret_hash, created_at, updated_at',
    ({ faculty }) => `${faculty}, 'K' || n, 1, 'x', ${stamp}`,
  );
  await many(lots, terms, {
    account_id: 1,
    name: nth('T'),
    start_at: sql`strftime('%Y-%m-%dT%H:%M:%SZ', 1500000000 + n * 3600, 'unixepoch')`,
  });
  await fillRows(
    scenes,
    'courses',
    'account_id, root_account_id, enrollment_term_id, name, course_code, uuid, workflow_state, indexed, created_at, updated_at',
    ({ faculty }) => `${faculty}, 1, 1, printf('Course %05d', n), 'C', 'k${faculty}-' || n, 'available', 1, ${stamp}`,
  );
  await many(lots, webhook_deliveries, {
    uuid: nth('w'),
    subscription_id: webhook,
    event: 'x',
    object: nth('x'),
    metadata: {},
    body: {},
    workflow_state: 'dead',
  });
  await many(lots, dead_letters, { message_id: nth('m'), job: 'x', message: { job: 'x' }, attempts: 6 });
  await many(lots, progress, {
    context_type: 'Account',
    context_id: 1,
    tag: 'x',
    workflow_state: sql`case n % 2 when 0 then 'failed' else 'completed' end`,
  });
  const course = (faculty: number) => idOf('courses', `account_id = ${faculty}`);
  await fillRows(
    scenes,
    'sections',
    'course_id, name, is_default, created_at, updated_at',
    ({ faculty }) => `${course(faculty)}, 'Own', 1, ${stamp}`,
  );
  const own = (faculty: number) =>
    idOf('sections', `name = 'Own' and course_id = (select min(id) from courses where account_id = ${faculty})`);
  for (const [who, type, role] of [
    ['learner', 'StudentEnrollment', 3],
    ['lecturer', 'TeacherEnrollment', 4],
  ] as const)
    await fillRows(
      scenes,
      'enrollments',
      'user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at',
      (scene) => `${scene[who].id}, ${course(scene.faculty)}, ${own(scene.faculty)}, '${type}', ${role}, 'active', 'X', ${stamp}`,
    );
  await fillRows(
    scenes,
    'authentication_events',
    'uuid, event_type, login_id, account_id, user_id, created_at',
    ({ login, faculty, student }) =>
      `'e${login}-' || n, 'login', ${login}, ${faculty}, ${student.id}, strftime('%Y-%m-%dT%H:%M:%SZ', '2026-09-01', (n / 5000) || ' minutes')`,
  );
  await fillRows(
    scenes,
    'account_reports',
    'account_id, user_id, uuid, report, parameters, wish, workflow_state, created_at, updated_at',
    ({ faculty, student }) => `${faculty}, ${student.id}, 'r${faculty}-' || n, 'unused_courses_csv', '{}', '{}', 'complete', ${stamp}`,
  );
  await fillRows(
    scenes,
    'course_events',
    'course_id, account_id, event_type, event_source, event_data, user_id, created_at',
    ({ course, faculty, student }) =>
      `${course.id}, ${faculty}, 'updated', 'api', '{}', ${student.id}, strftime('%Y-%m-%dT%H:%M:%SZ', '2026-09-01', n || ' minutes')`,
  );
  for (const { course } of [scenes.small, scenes.large])
    await ground.db.insert(blueprint_templates).values({ course_id: course.id, created_at: '', updated_at: '' });
  const template = (course_id: number) => `(select id from blueprint_templates where course_id = ${course_id})`;
  await fillRows(
    scenes,
    'blueprint_subscriptions',
    'template_id, course_id, created_at, updated_at',
    (scene) => `${template(scene.course.id)}, ${course(scene.faculty)}, ${stamp}`,
  );
  await fillRows(
    scenes,
    'blueprint_migrations',
    'template_id, user_id, workflow_state, created_at, updated_at',
    (scene) => `${template(scene.course.id)}, ${scene.admin.id}, 'completed', ${stamp}`,
  );
  await fillRows(
    scenes,
    'blueprint_imports',
    'migration_id, subscription_id, course_id, copy_id, upto_seq, created_at, updated_at',
    (scene) =>
      `${idOf('blueprint_migrations', `template_id = ${template(scene.course.id)}`)}, (select min(id) from blueprint_subscriptions where template_id = ${template(scene.course.id)}), 0, n, 0, ${stamp}`,
  );
  await fillRows(
    scenes,
    'course_nicknames',
    'user_id, course_id, nickname, created_at',
    ({ namer, faculty }) => `${namer.id}, ${course(faculty)}, 'N' || n, ''`,
  );
}

type Path = (scene: Institution) => string;
const asked = (
  by: 'student' | 'admin' | 'learner' | 'lecturer' | 'namer',
  path: Path,
  query: object = {},
  more: Partial<Budget<Institution>> = {},
): Budget<Institution> => ({
  with: `as ${by} ${JSON.stringify(query)}`,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  query: () => query,
  ...more,
});
const ofFaculty =
  (rest: string): Path =>
  ({ faculty }) =>
    `/accounts/${faculty}${rest}`;
const whole = { isShared: true };
const one = { page: 1, unpaged: true };
const course = { madeOf: ['course', 'its place below the account', 'what the caller calls it', 'an enrollment'] };
const belowRoot = { madeOf: [...course.madeOf, 'its account'] };
const person = { isShared: true, madeOf: ['person', 'login', 'address', 'somebody looked at on the way'] };
const inTree = { madeOf: ['account', 'its place below another'] };
const ownCourses = {
  madeOf: ['course', 'enrollment', 'section', 'term', 'role', 'account', 'what the account says of the role', 'nickname'],
};
const ownEnrollments = {
  madeOf: [
    ...ownCourses.madeOf.slice(0, -1),
    'person',
    'login',
    'own enrollment there',
    'its section',
    'its role',
    'assignment group',
    'mark of its scores',
  ],
};

const query = [8000, 'two thousand people whom something names, or a stretch of the list'] as const;
const lastNames = `Many ${String(lots - 1)
  .padStart(5, '0')
  .slice(0, -3)}`;

holdBudgets<Institution, 'institution'>(() => scenes, {
  'GET /accounts/:account_id/admins': [
    asked('admin', ofFaculty('/admins'), {}, { madeOf: ['link', 'role', 'person', 'login', 'address'] }),
  ],
  'GET /accounts/:account_id/courses': [
    ...[
      {},
      { sort: 'course_name' },
      { sort: 'course_name', order: 'desc' },
      { state: ['available'] },
      { search_term: 'Course' },
      { published: true },
    ].map((query) => asked('admin', ofFaculty('/courses'), query, course)),
    asked('admin', ofFaculty('/courses'), { search_term: 'e 0' }, course),
    asked('admin', ofFaculty('/courses'), { search_term: 'ourse 00007' }, { ...course, ...one }),
    asked('admin', ofFaculty('/courses'), { search_term: 'se', sort: 'course_name' }, course),
    ...[{ with_enrollments: true }, { enrollment_type: ['student'] }].map((query) => asked('admin', ofFaculty('/courses'), query, course)),
    ...['sis_course_id', 'teacher', 'account_name', 'term'].map((sort) => asked('admin', ofFaculty('/courses'), { sort }, course)),
    asked('admin', () => '/accounts/1/courses', {}, { ...belowRoot, ...whole }),
    asked('admin', () => '/accounts/1/courses', { sort: 'course_name' }, { ...belowRoot, ...whole }),
  ],
  'GET /accounts/:account_id/webhook_subscriptions/:webhook_subscription_id/dead_letters': [
    asked('admin', () => `/accounts/1/webhook_subscriptions/${webhook}/dead_letters`, {}, whole),
  ],
  'GET /accounts/:account_id/dead_letters': [asked('admin', () => '/accounts/1/dead_letters', {}, whole)],
  'GET /accounts/:account_id/jobs': [{}, { workflow_state: 'failed' }].map((query) =>
    asked('admin', () => '/accounts/1/jobs', query, whole),
  ),
  'GET /accounts/:account_id/developer_keys': [
    asked('admin', ofFaculty('/developer_keys'), {}, { perItem: [4, 'a key, who made it, its account and what that says of it'] }),
  ],
  'GET /accounts/:account_id/reports/:report': [
    asked('admin', ofFaculty('/reports/unused_courses_csv'), {}, { madeOf: ['report', 'its file', 'who asked for it'] }),
  ],
  'GET /accounts/:account_id/roles': [asked('admin', ofFaculty('/roles'), {}, { madeOf: ['role', 'its account'] })],
  'GET /accounts/:account_id/sub_accounts': [
    ...[{}, { order: 'name' }, { include: ['course_count'] }].map((query) =>
      asked('admin', (scene) => `/accounts/${scene.tree}/sub_accounts`, query),
    ),
    asked('admin', (scene) => `/accounts/${scene.tree}/sub_accounts`, { recursive: true }, inTree),
  ],
  'GET /accounts/:account_id/terms': [asked('admin', () => '/accounts/1/terms', {}, whole)],
  'GET /accounts/:account_id/users': [
    ...[{}, { order: 'desc' }, { search_term: 'Many' }, { search_term: 'an' }, { search_term: 'Many', sort: 'last_login' }].map((query) =>
      asked('admin', () => '/accounts/1/users', query, person),
    ),
    // The last but one: no other login begins with it.
    ...['Many 00007', `c${crowdOf(lots)}-${lots - 1}`, `c${crowdOf(lots)}-${lots - 1}@ex`, '00'].map((search_term) =>
      asked(
        'admin',
        () => '/accounts/1/users',
        { search_term },
        { ...person, ...(search_term === '00' ? { beside: query } : { page: search_term.startsWith('Many') ? 2 : 1, unpaged: true }) },
      ),
    ),
    ...[{ sort: 'id' }, { sort: 'email' }, { sort: 'sis_id' }, { sort: 'last_login' }].map((query) =>
      asked('admin', () => '/accounts/1/users', query, person),
    ),
    // Users whose names begin with the term are at the end.
    asked('admin', () => '/accounts/1/users', { search_term: lastNames }, person),
    asked('admin', () => '/accounts/1/users', { search_term: lastNames, sort: 'email' }, { ...person, beside: query }),
    asked('admin', () => '/accounts/1/users', { enrollment_type: 'designer' }, { ...person, beside: query, page: 2, unpaged: true }),
    asked('admin', ofFaculty('/users'), {}, { ...person, isShared: false, beside: query }),
  ],
  'GET /audit/authentication/accounts/:account_id': [
    asked('admin', ({ faculty }) => `/audit/authentication/accounts/${faculty}`),
    asked(
      'admin',
      ({ faculty }) => `/audit/authentication/accounts/${faculty}`,
      { start_time: '2026-01-01', format: 'compound' },
      { perItem: [13, 'an event, looked at again for its login, its account and its person'] },
    ),
  ],
  'GET /audit/authentication/logins/:id': [asked('admin', ({ login }) => `/audit/authentication/logins/${login}`)],
  'GET /audit/authentication/users/:user_id': [asked('student', ({ student }) => `/audit/authentication/users/${student.id}`)],
  'GET /audit/course/accounts/:account_id': [
    asked('admin', ({ faculty }) => `/audit/course/accounts/${faculty}`, {}, { madeOf: ['event', 'its course'] }),
    asked('admin', () => '/audit/course/accounts/1', {}, { ...whole, madeOf: ['event', 'its course'] }),
  ],
  'GET /audit/course/courses/:course_id': [
    asked('admin', ({ course }) => `/audit/course/courses/${course.id}`, {}, { madeOf: ['event', 'its course'] }),
    asked(
      'admin',
      ({ course }) => `/audit/course/courses/${course.id}`,
      { start_time: '2026-01-01', format: 'compound' },
      { perItem: [20, 'an event, looked at again for its course and its person'] },
    ),
  ],
  'GET /courses': [asked('learner', () => '/courses', {}, ownCourses), asked('lecturer', () => '/courses', {}, ownCourses)],
  'GET /courses/:course_id/blueprint_subscriptions/:subscription_id/migrations': [
    asked(
      'admin',
      ({ faculty }) => `/courses/uuid:k${faculty}-1/blueprint_subscriptions/default/migrations`,
      {},
      { madeOf: ['import', 'the import again', 'its sync', 'who asked for it'] },
    ),
  ],
  'GET /courses/:course_id/blueprint_templates/:template_id/associated_courses': [
    asked(
      'admin',
      ({ course: { id } }) => `/courses/${id}/blueprint_templates/default/associated_courses`,
      {},
      { perItem: [16, 'a subscription, a course and its term, twice; its enrollments and the one who teaches'] },
    ),
  ],
  'GET /courses/:course_id/blueprint_templates/:template_id/migrations': [
    asked(
      'admin',
      ({ course: { id } }) => `/courses/${id}/blueprint_templates/default/migrations`,
      {},
      { madeOf: ['sync', 'who asked for it'] },
    ),
  ],
  'GET /courses/:course_id/content_share_users': [
    asked(
      'lecturer',
      ({ faculty }) => `/courses/uuid:k${faculty}-1/content_share_users`,
      { search_term: 'Many' },
      { isShared: true, madeOf: ['person', 'login', 'address', 'link'], beside: query },
    ),
  ],
  'GET /search/all_courses': [
    ...[{}, { search: 'Course' }].map((query) => asked('learner', () => '/search/all_courses', query, whole)),
    asked('learner', () => '/search/all_courses', { search: 'ourse 00007' }, { ...whole, page: 2, unpaged: true }),
  ],
  'GET /course_creation_accounts': [asked('admin', () => '/course_creation_accounts', {}, { ...whole, ...inTree })],
  'GET /manageable_accounts': [asked('admin', () => '/manageable_accounts', {}, { ...whole, ...inTree })],
  'GET /users/:user_id/courses': [asked('admin', ({ learner }) => `/users/${learner.id}/courses`, {}, ownCourses)],
  'GET /users/:user_id/enrollments': [asked('learner', () => '/users/self/enrollments', {}, ownEnrollments)],
  'GET /users/:user_id/user_generated_tokens': [asked('student', () => '/users/self/user_generated_tokens')],
  'GET /users/self/course_nicknames': [asked('namer', () => '/users/self/course_nicknames')],
});

test('a search whose matches are at the end of the list returns next links from where it stopped reading', async () => {
  const { crowd, admin } = scenes.large;
  const count = 2100;
  await inBulk(() =>
    many(count, users, { name: 'Late Riser', short_name: 'Late', sortable_name: sql`printf('Zz %05d', n)`, uuid: nth(`z${crowd}-`) }),
  );
  const found: number[] = [];
  let pages = 0;
  for (let path: string | undefined = '/accounts/1/users?search_term=Late+Riser&per_page=100'; path; pages += 1) {
    const answer: Answer = await as(admin).get(path);
    found.push(...ok(answer).map(({ id }: { id: number }) => id));
    expect(answer.cost.d1_trips).toBe(2);
    expect(answer.cost.rows_read).toBeLessThan(9 * 2000);
    path = answer.links.next;
  }
  expect(new Set(found).size).toBe(count);
  expect(found).toHaveLength(count);
  expect(pages).toBeLessThan(lots / 2000 + count / 100 + 4);
});
