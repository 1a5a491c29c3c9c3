// Budgets of account announcements and of a user's own data: messages, addresses, collections.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok } from '../support/api';
import { type Budget, few, fillRows, fillTime, holdBudgets, inBulk, lots, type Twins } from '../support/budgets';
import { aCourse, type Person } from '../support/ground';

interface House {
  readonly admin: Person;
  readonly student: Person;
  /** With many announcements, and with many sub-accounts. */
  readonly faculty: number;
  /** With many announcements for teachers, which the student is not, and many for students. */
  readonly eportfolio: number;
  /** Has many conversations. */
  readonly sis_import: number;
}

let scenes: Twins<House>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";
const minutes = (from: string) => `strftime('%Y-%m-%dT%H:%M:%SZ', '${from}', n || ' minutes')`;

async function aHouse(count: number): Promise<House> {
  const faculty = (await ground.account({ name: `Faculty of ${count}` })).id;
  const { student } = await aCourse(ground, { account_id: faculty });
  const eportfolio = await ground.eportfolio(student);
  const admin = await ground.admin();
  return { admin, student, faculty, eportfolio, sis_import: await ground.sisImport(admin) };
}

beforeAll(async () => {
  scenes = { small: await aHouse(few), large: await aHouse(lots) };
  await inBulk(async () => {
    await fillRows(
      scenes,
      'accounts',
      'name, parent_account_id, root_account_id, uuid, calendar_visible, created_at, updated_at',
      ({ faculty }) => `'A' || n || ' often of', ${faculty}, 1, 'a${faculty}-' || n, 1, ${stamp}`,
    );
    await fillRows(
      scenes,
      'account_notifications',
      'account_id, user_id, subject, message, start_at, end_at, role_ids, created_at, updated_at',
      ({ faculty, admin }) => `${faculty}, ${admin.id}, 'N' || n, 'm', '2020-01-01T00:00:00Z', ${minutes('2090-01-01')}, '[3]', ${stamp}`,
    );
    await fillRows(
      scenes,
      'communication_channels',
      'user_id, address, position, workflow_state, created_at, updated_at',
      ({ student }) => `${student.id}, 'c${student.id}-' || n || '@example.edu', n, 'active', ${stamp}`,
    );
    await fillRows(
      scenes,
      'comm_messages',
      'user_id, communication_channel_id, account_id, notification, from_name, "to", subject, body, workflow_state, created_at',
      ({ student }) => `${student.id}, 1, 1, 'new_announcement', 'F', 'x@example.edu', 'S' || n, 'b', 'sent', ${minutes('2026-09-01')}`,
    );
    await fillRows(scenes, 'eportfolios', 'user_id, name, created_at, updated_at', ({ student }) => `${student.id}, 'P' || n, ${stamp}`);
    await fillRows(
      scenes,
      'eportfolio_pages',
      'eportfolio_id, section_id, position, name, created_at, updated_at',
      ({ eportfolio }) => `${eportfolio}, 0, n, 'P' || n, ${stamp}`,
    );
    await fillRows(
      scenes,
      'sis_imports',
      'account_id, user_id, uuid, format, attachment_id, workflow_state, created_at, updated_at',
      ({ faculty, admin }) => `1, ${admin.id}, 'i${faculty}-' || n, 'csv', 0, 'imported', ${stamp}`,
    );
    await fillRows(
      scenes,
      'sis_import_errors',
      'sis_import_id, account_id, file, message, "row", failure, created_at',
      ({ sis_import }) => `${sis_import}, 1, 'users.csv', 'M' || n, n, n % 2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')`,
    );
  });
}, fillTime);

const asked = (
  by: 'student' | 'admin',
  path: (scene: House) => string,
  query: Readonly<Record<string, unknown>> | ((scene: House) => object) = {},
  more: Partial<Budget<House>> = {},
): Budget<House> => ({
  with: `as ${by} ${typeof query === 'function' ? '' : JSON.stringify(query)}`,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  query: typeof query === 'function' ? query : () => query,
  ...more,
});

const calendars = ({ faculty }: House) => `/accounts/${faculty}/account_calendars`;
const calendar = {
  madeOf: ['an account, found among those below and read by its id', 'its place below the root', 'its place below its parent'],
};
const said = ({ sis_import_errors }: { sis_import_errors: unknown[] }) => sis_import_errors;
const announced = {
  madeOf: ['an announcement, found in its account and read by its id', 'a role that it is for', 'the role of the user', 'its author'],
};

holdBudgets<House, 'accounts'>(() => scenes, {
  'GET /accounts/:account_id/account_calendars': [
    ...[{}, { filter: 'visible' }, { search_term: 'A1' }, { search_term: 'ten of' }].map((query) =>
      asked('admin', calendars, query, calendar),
    ),
    asked('admin', calendars, { search_term: 'A7 often' }, { ...calendar, page: 1, unpaged: true }),
  ],
  'GET /accounts/:account_id/account_notifications': [
    ...[{}, { show_is_closed: true }, { include_past: true }].map((query) =>
      asked('student', ({ faculty }) => `/accounts/${faculty}/account_notifications`, query, announced),
    ),
    asked('student', () => '/accounts/1/account_notifications', {}, announced),
    asked('admin', ({ faculty }) => `/accounts/${faculty}/account_notifications`, { include_all: true }, announced),
  ],
  'GET /accounts/:account_id/sis_import_errors': [{}, { failure: true }].map((query) =>
    asked('admin', () => '/accounts/1/sis_import_errors', query, { isShared: true, items: said }),
  ),
  'GET /accounts/:account_id/sis_imports': [{}, { workflow_state: ['imported'] }].map((query) =>
    asked('admin', () => '/accounts/1/sis_imports', query, {
      isShared: true,
      items: ({ sis_imports }: { sis_imports: unknown[] }) => sis_imports,
      madeOf: ['an import', 'a file in it', 'its paper', 'the paper of what it said', 'who sent it', 'their login'],
    }),
  ),
  'GET /accounts/:account_id/sis_imports/:id/errors': [{}, { failure: true }].map((query) =>
    asked('admin', ({ sis_import }) => `/accounts/1/sis_imports/${sis_import}/errors`, query, { items: said }),
  ),
  'GET /accounts/:account_id/users/:user_id/account_notifications': [
    asked('student', () => '/accounts/1/users/self/account_notifications', {}, announced),
  ],
  'GET /comm_messages': [
    asked(
      'admin',
      () => '/comm_messages',
      ({ student }) => ({ user_id: student.id }),
    ),
  ],
  'GET /eportfolios/:eportfolio_id/pages': [asked('student', ({ eportfolio }) => `/eportfolios/${eportfolio}/pages`)],
  'GET /users/:user_id/communication_channels': [
    asked('student', () => '/users/self/communication_channels'),
    asked('admin', ({ student }) => `/users/${student.id}/communication_channels`),
  ],
  'GET /users/:user_id/eportfolios': [asked('student', () => '/users/self/eportfolios')],
});

test.each([
  ['visible_calendars_count', ({ faculty }: House) => `/accounts/${faculty}/visible_calendars_count`],
  ['manually_created_courses_account', () => '/manually_created_courses_account'],
] as const)('%s does not read each account', async (_name, path) => {
  const { admin } = scenes.large;
  ok(await as(admin).get(path(scenes.large)));
  const { cost } = await as(admin).get(path(scenes.large));
  expect(cost.rows_read).toBeLessThan(100);
});
