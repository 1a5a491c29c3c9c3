// SIS imports of a school, including faulty ones.

import { env, SELF } from 'cloudflare:test';
import { runImports } from '@carrel/worker/domains/sis_imports/job';
import { restoreStates } from '@carrel/worker/domains/sis_imports/restore';
import { sis_import_errors, sis_imports } from '@carrel/worker/domains/sis_imports/table';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, many, n, noteRoute, nth, ok, within } from '../support/api';
import type { Client } from '../support/client';
import type { Person } from '../support/ground';
import { csv, ending, formOf, sent, zipped } from '../support/sis';

let admin: Person;
let client: Client;

beforeAll(async () => {
  admin = await ground.admin();
  client = as(admin);
});

/**
 * The queue delivers within a second; tests that are not about delivery do not wait for it. Its own delivery then finds nothing to do, or
 * runs at the same time, which is harmless.
 */
const delivered = () => runImports({ job: 'sis_import' }, env as unknown as Platform);

/** Sends an import and waits for its end. */
async function imported(by: Client, content: string | Uint8Array, options: object = {}) {
  const { id } = await sent(by, content, options);
  await delivered();
  return ending(by, id);
}

async function restored(progress: { id: number }) {
  await restoreStates({ job: 'sis_restore', progress_id: progress.id }, env as unknown as Platform);
  for (let n = 0; n < 400; n += 1) {
    const result = ok(await client.get(`/progress/${progress.id}`));
    if (result.workflow_state === 'completed') return result;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error('nothing has been restored');
}

const all = <T = Record<string, unknown>>(query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .all<T>()
    .then(({ results }) => results);

const users = (...rows: (string | number)[][]) => csv('user_id,login_id,full_name,email,status', ...rows);
const courses = (...rows: (string | number)[][]) => csv('course_id,short_name,long_name,status', ...rows);
const enrollments = (...rows: (string | number)[][]) => csv('course_id,user_id,role,status', ...rows);

/** A small school whose SIS ids begin with the given prefix. */
const school = (p: string) =>
  ({
    'accounts.csv': csv(
      'account_id,parent_account_id,name,status',
      [`${p}A1`, '', 'Faculty', 'active'],
      [`${p}A2`, `${p}A1`, 'Chair', 'active'],
    ),
    'terms.csv': csv('term_id,name,status,start_date,end_date', [`${p}T1`, 'Autumn', 'active', '2026-09-01', '2027-01-31T23:00:00Z']),
    'courses.csv': csv(
      'course_id,short_name,long_name,account_id,term_id,status',
      [`${p}C1`, 'BIO', 'Biology', `${p}A2`, `${p}T1`, 'active'],
      [`${p}C2`, 'CHE', 'Chemistry', '', '', 'published'],
    ),
    'sections.csv': csv('section_id,course_id,name,status', [`${p}S1`, `${p}C1`, 'Monday', 'active']),
    'users.csv': csv(
      'user_id,login_id,first_name,last_name,email,status',
      [`${p}U1`, `${p}ann`, 'Ann', 'Lee', `${p}ann@example.edu`, 'active'],
      [`${p}U2`, `${p}bob`, 'Bob', 'Ng', `${p}bob@example.edu`, 'active'],
    ),
    'enrollments.csv': csv(
      'course_id,section_id,user_id,role,status',
      [`${p}C1`, `${p}S1`, `${p}U1`, 'student', 'active'],
      [`${p}C2`, '', `${p}U2`, 'teacher', 'active'],
    ),
    'sets.csv': csv('group_category_id,course_id,category_name,status', [`${p}K1`, `${p}C1`, 'Projects', 'active']),
    'groups.csv': csv(
      'group_id,group_category_id,name,status',
      [`${p}G1`, `${p}K1`, 'One', 'available'],
      [`${p}G2`, `${p}K1`, 'Two', 'closed'],
    ),
    'group_members.csv': csv('group_id,user_id,status', [`${p}G2`, `${p}U1`, 'accepted']),
  }) as const;

const enrollmentOf = (user: string, course: string) =>
  all<{
    id: number;
    enrollment_state: string;
    type: string;
    sis_import_id: number | null;
    stuck_sis_fields: string | null;
    start_at: string | null;
  }>(
    `select e.* from enrollments e join logins l on l.user_id = e.user_id join courses c on c.id = e.course_id
      where l.sis_user_id = ? and c.sis_course_id = ? order by e.id`,
    user,
    course,
  );
const statesOf = async (user: string, course: string) => (await enrollmentOf(user, course)).map(({ enrollment_state }) => enrollment_state);
const messagesOf = async (id: number) =>
  ok(await client.get(`/accounts/1/sis_imports/${id}/errors`, { per_page: 100 })).sis_import_errors as {
    file: string;
    row?: number;
    message: string;
  }[];

/** Every table that an import may write, except those of the imports themselves. */
const snapshot = async () =>
  Promise.all(
    [
      ...['accounts', 'terms', 'courses', 'sections', 'users', 'logins', 'communication_channels', 'enrollments', 'admins', 'observers'],
      ...['group_categories', 'groups', 'group_memberships'],
    ].map((table) => all(`select * from ${table}`)),
  );

test('an archive with a whole school is sent as canvasapi sends it, and applied in order', async () => {
  const made = ok(within(await client.post('/accounts/1/sis_imports', formOf(zipped(school('a')), { import_type: 'instructure_csv' })), 3));
  expect(made).toMatchObject({
    workflow_state: 'created',
    progress: 0,
    started_at: null,
    ended_at: null,
    data: { import_type: 'instructure_csv', supplied_batches: [] },
    user: { id: admin.id },
    batch_mode: null,
    skip_deletes: false,
  });
  expect(made).not.toHaveProperty('processing_warnings');
  const done = await ending(client, made.id);
  expect(done).toMatchObject({
    workflow_state: 'imported',
    progress: 100,
    data: {
      supplied_batches: ['account', 'term', 'course', 'section', 'user', 'enrollment', 'group_category', 'group', 'group_membership'],
      counts: { accounts: 2, terms: 1, courses: 2, sections: 1, users: 2, enrollments: 2, xlists: 0, error_count: 0, warning_count: 0 },
    },
    statistics: {
      total_state_changes: 16,
      Account: { created: 2, deleted: 0 },
      EnrollmentTerm: { created: 1 },
      Course: { created: 2 },
      CourseSection: { created: 1 },
      Enrollment: { created: 2 },
      Pseudonym: { created: 2 },
      CommunicationChannel: { created: 2 },
      GroupCategory: { created: 1 },
      Group: { created: 2 },
      GroupMembership: { created: 1 },
    },
  });
  expect(done.csv_attachments.map((file: { display_name: string }) => file.display_name).sort()).toEqual(Object.keys(school('a')).sort());
  expect(ok(await client.get('/courses/sis_course_id:aC1'))).toMatchObject({
    name: 'Biology',
    course_code: 'BIO',
    workflow_state: 'unpublished',
    sis_course_id: 'aC1',
    sis_import_id: done.id,
  });
  expect(ok(await client.get('/courses/sis_course_id:aC2')).workflow_state).toBe('available');
  expect(ok(await client.get('/accounts/sis_account_id:aA2'))).toMatchObject({ name: 'Chair', sis_import_id: done.id });
  expect(ok(await client.get('/accounts/1/terms/sis_term_id:aT1'))).toMatchObject({
    start_at: '2026-09-01T00:00:00Z',
    sis_import_id: done.id,
  });
  expect(ok(await client.get('/users/sis_user_id:aU1'))).toMatchObject({
    name: 'Ann Lee',
    sortable_name: 'Lee, Ann',
    email: 'aann@example.edu',
    sis_import_id: done.id,
  });
  expect(ok(await client.get('/courses/sis_course_id:aC1/enrollments'))).toMatchObject([
    { type: 'StudentEnrollment', enrollment_state: 'active', sis_section_id: 'aS1', sis_import_id: done.id },
  ]);
  expect(ok(await client.get('/courses/sis_course_id:aC2/enrollments'))).toMatchObject([
    { type: 'TeacherEnrollment', enrollment_state: 'active' },
  ]);
});

test('the same files again change nothing, not even the change log', async () => {
  await imported(client, zipped(school('b')));
  const before = await snapshot();
  const [last] = await all<{ n: number }>('select max(seq) as n from changes');
  const done = await imported(client, zipped(school('b')));
  expect(done).toMatchObject({
    workflow_state: 'imported',
    statistics: { total_state_changes: 0 },
    data: { counts: { users: 2, enrollments: 2 } },
  });
  expect(await all('select * from changes where seq > ?', last?.n)).toEqual([]);
  expect(await snapshot()).toEqual(before);
});

test('a single file may be the whole body; its header determines its type', async () => {
  const send = async (body: string | Uint8Array, type: string, query = '') => {
    const response = await SELF.fetch(`${base}/api/v1/accounts/1/sis_imports.json${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin.token}`, ...(type && { 'Content-Type': type }) },
      body: body as never,
    } as never);
    noteRoute(response.headers, response.status);
    return { status: response.status, body: (await response.json()) as { id: number } };
  };
  const one = users(['c1', 'c1', 'Cyd', '', 'active']);
  for (const [body, type, query] of [
    [one, 'text/csv', ''],
    [one, 'text/plain; charset=UTF-8', ''],
    [zipped({ 'u.csv': one }), 'application/zip', ''],
    [zipped({ 'u.csv': one }), 'application/octet-stream', ''],
    [one, 'application/octet-stream', '?extension=csv&skip_deletes=true'],
  ] as const) {
    const { status, body: made } = await send(body, type, query);
    expect(status, type).toBe(200);
    expect((await ending(client, made.id)).data.counts.users, type).toBe(1);
  }
  expect(await ending(client, (await send('<x/>', 'text/xml')).body.id)).toMatchObject({ workflow_state: 'failed_with_messages' });
  for (const [body, type] of [
    [one, 'text/csv; charset=iso-8859-1'],
    ['{}', 'application/json'],
    ['', 'text/csv'],
  ] as const) {
    const { status, body: said } = await send(body, type);
    expect([status, said], type).toMatchObject([400, { error: true, error_message: expect.any(String) }]);
  }
  const form = new FormData();
  form.append('skip_deletes', 'true');
  expect(ok(await client.post('/accounts/1/sis_imports', form), 400)).toMatchObject({ error: true });
});

test('users without permission learn nothing, and a sub-account accepts no imports', async () => {
  const branch = await ground.account();
  const [student, branchAdmin] = [await ground.person(), await ground.admin({ account_id: branch.id })];
  const file = users(['d1', 'd1', 'Dee', '', 'active']);
  ok(await as(student).post('/accounts/1/sis_imports', formOf(file)), 401);
  ok(await as(branchAdmin).post(`/accounts/${branch.id}/sis_imports`, formOf(file)), 401);
  ok(await client.post(`/accounts/${branch.id}/sis_imports`, formOf(file)), 403);
  const { id } = await imported(client, file);
  for (const path of ['', '/importing', `/${id}`, `/${id}/errors`]) ok(await as(student).get(`/accounts/1/sis_imports${path}`), 401);
  ok(await as(student).get('/accounts/1/sis_import_errors'), 401);
  ok(await as(student).put(`/accounts/1/sis_imports/${id}/abort`), 401);
  ok(await as(student).put('/accounts/1/sis_imports/abort_all_pending'), 401);
  ok(await as(student).put(`/accounts/1/sis_imports/${id}/restore_states`), 401);
  ok(await client.get(`/accounts/${branch.id}/sis_imports/${id}`), 404);
  ok(await client.get('/accounts/1/sis_imports/999999'), 404);
  ok(await client.post('/accounts/1/sis_imports', formOf(file, { batch_mode: true })), 400);
  ok(await client.post('/accounts/1/sis_imports', formOf(file, { change_threshold: 200 })), 400);
});

test('an invalid row never stops the valid ones, and each has its own message', async () => {
  const done = await imported(
    client,
    zipped({
      'users.csv': users(
        ['e1', 'e1', 'One', '', 'active'],
        ['', 'e2', 'No id', '', 'active'],
        ['e3', 'e3', 'Three', '', 'gone'],
        ['e4', 'E1', 'Four', '', 'active'],
        ['e5', 'e5', 'Five', '', 'active'],
      ),
      'courses.csv': csv(
        'course_id,short_name,long_name,account_id,status',
        ['eC1', 'E', 'Eee', '', 'active'],
        ['eC2', 'E', 'Eee', 'nowhere', 'active'],
      ),
      'enrollments.csv': enrollments(
        ['eC1', 'e1', 'student', 'active'],
        ['eC9', 'e1', 'student', 'active'],
        ['eC1', 'e9', 'student', 'active'],
        ['eC1', 'e5', 'king', 'active'],
        ['eC1', 'e5', 'ta', 'active'],
      ),
      'unknown.csv': 'colour,size\nred,1\n',
      'latin.csv': new Uint8Array([0x75, 0x73, 0x65, 0x72, 0xe9, 0x0a]),
      'broken.csv': 'user_id,login_id,status\ne6,"e6,active\n',
      'readme.txt': 'not for you',
      '__MACOSX/._users.csv': 'x',
    }),
  );
  expect(done).toMatchObject({
    workflow_state: 'failed_with_messages',
    data: { counts: { users: 2, courses: 1, enrollments: 2, error_count: 3, warning_count: 8 } },
    errors_attachment: { 'content-type': 'text/csv' },
  });
  expect(done.processing_errors).toHaveLength(3);
  expect(done.processing_warnings).toHaveLength(8);
  const messages = await messagesOf(done.id);
  const of = (file: string) => messages.filter((one) => one.file === file).map(({ row, message }) => `${row}: ${message}`);
  expect(of('users.csv')).toEqual([
    '3: user_id is missing',
    expect.stringMatching(/^4: the status "gone"/),
    expect.stringMatching(/^5: the login "E1" already belongs to user e1/),
  ]);
  expect(of('courses.csv')).toEqual(['3: there is no account "nowhere"']);
  expect(of('enrollments.csv').sort()).toEqual([
    '3: there is no course "eC9"',
    '4: there is no user "e9"',
    '5: there is no role "king" in this course',
  ]);
  expect(messages.map(({ file }) => file)).toEqual(expect.arrayContaining(['unknown.csv', 'latin.csv', 'broken.csv', 'readme.txt']));
  expect(messages.every((one) => !one.file.includes('MACOSX'))).toBe(true);
  const fatal = ok(await client.get(`/accounts/1/sis_imports/${done.id}/errors`, { failure: true })).sis_import_errors;
  expect(fatal.map(({ file }: { file: string }) => file).sort()).toEqual(['broken.csv', 'latin.csv', 'unknown.csv']);
  const everywhere = ok(await client.get('/accounts/1/sis_import_errors', { failure: true, per_page: 100 })).sis_import_errors;
  expect(everywhere).toEqual(expect.arrayContaining(fatal));
  const paper = await SELF.fetch(done.errors_attachment.url);
  expect((await paper.text()).split('\r\n')[0]).toBe('sis_import_id,file,message,row');
});

test('users: names, addresses, logins; suspended, deleted with their enrollments, and restored', async () => {
  await imported(
    client,
    zipped({
      'u.csv': users(['f1', 'f1', 'Fay One', 'f1@x.edu', 'active'], ['f2', 'f2', 'Fay Two', '', 'active']),
      'c.csv': courses(['fC', 'F', 'Eff', 'published']),
      'e.csv': enrollments(['fC', 'f1', 'student', 'active'], ['fC', 'f2', 'student', 'active']),
    }),
  );
  const person = ok(await client.get('/users/sis_user_id:f1'));
  const logins = await imported(client, csv('user_id,login_id,existing_user_id', ['f1b', 'f1-second', 'f1'], ['f9b', 'f9', 'f9']));
  expect(logins).toMatchObject({ workflow_state: 'imported_with_messages', data: { supplied_batches: ['login'], counts: { logins: 1 } } });
  expect(ok(await client.get('/users/sis_user_id:f1b')).id).toBe(person.id);

  // When one of two logins is deleted, the user stays enrolled; the last one deletes the user.
  await imported(client, users(['f1', 'f1', 'Fay One', '', 'deleted'], ['f2', 'f2', 'Fay Two', '', 'suspended']));
  expect(await statesOf('f1b', 'fC')).toEqual(['active']);
  expect(ok(await client.get('/users/sis_user_id:f2')).name).toBe('Fay Two');
  const last = await imported(client, csv('user_id,login_id,status', ['f1b', 'f1-second', 'deleted'], ['f2', 'f2', 'deleted']));
  expect(last.statistics).toMatchObject({ Pseudonym: { deleted: 2 }, Enrollment: { deleted: 2 } });
  expect(await statesOf('f1b', 'fC')).toEqual(['deleted']);
  ok(await client.get('/users/sis_user_id:f2'), 404);
  const back = await imported(client, users(['f2', 'f2', 'Fay Again', '', 'active']));
  expect(back.statistics).toMatchObject({ Pseudonym: { restored: 1, created: 0 } });
  expect(ok(await client.get('/users/sis_user_id:f2')).name).toBe('Fay Again');

  const claimed = await imported(client, users(['f3', 'f2', 'Fay Again', '', 'active']), { update_sis_id_if_login_claimed: true });
  expect(claimed.workflow_state).toBe('imported');
  expect(ok(await client.get('/users/sis_user_id:f3')).id).toBe(ok(await client.get('/users/sis_login_id:f2')).id);
  const kept = await imported(client, users(['f3', 'f2', 'Fay Again', '', 'deleted']), { skip_deletes: true });
  expect(kept.statistics.total_state_changes).toBe(0);
});

test('other columns: a hashed password allows signing in, notifications are sent, invalid values are reported', async () => {
  const salt = new TextEncoder().encode('pepper');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', new Uint8Array([...new TextEncoder().encode('open sesame'), ...salt])));
  const ssha = `{SSHA}${btoa(String.fromCharCode(...digest, ...salt))}`;
  const people = (pronouns: string) =>
    csv(
      'user_id,login_id,full_name,email,ssha_password,pronouns,declared_user_type,canvas_password_notification,home_account,status',
      ['xb1', 'xb1', 'Xaver', 'xb1@x.edu', ssha, pronouns, 'teacher', 'true', 'true', 'active'],
      ['xb2', 'xb2', 'Xenia', 'xb2@x.edu', 'plain', '', 'king', 'true', '', 'active'],
    );
  const first = await imported(
    client,
    zipped({
      'users.csv': people('they/them'),
      'courses.csv': csv('course_id,short_name,long_name,status,blueprint_course_id', ['xbC', 'X', 'Ex', 'published', 'xbB']),
      'enrollments.csv': csv(
        'course_id,user_id,role,status,notify,start_date,end_date,temporary_enrollment_source_user_id',
        ['xbC', 'xb1', 'teacher', 'active', 'true', '', '', ''],
        ['xbC', 'xb2', 'teacher', 'active', '', '2026-09-01', '2026-10-01', 'xb1'],
        ['xbC', 'xb2', 'ta', 'active', '', '', '', 'xbNone'],
      ),
    }),
  );
  expect((await messagesOf(first.id)).map(({ row, message }) => `${row}: ${message}`)).toEqual([
    expect.stringMatching(/^2: the course is not associated with the blueprint "xbB"/),
    expect.stringMatching(/^3: the type "king" is not one of administrative/),
    expect.stringMatching(/^3: ssha_password is not/),
    '4: there is no user "xbNone" to replace',
  ]);
  expect(first.data).toMatchObject({ running_immediately: true, counts: { users: 2, courses: 1, enrollments: 2 } });

  const signIn = (password: string) =>
    SELF.fetch(`${base}/login/canvas`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: base, 'CF-Connecting-IP': '192.0.2.77' },
      body: new URLSearchParams({ 'pseudonym_session[unique_id]': 'xb1', 'pseudonym_session[password]': password }) as never,
    } as never).then(({ status }) => status);
  expect([await signIn('guess'), await signIn('open sesame'), await signIn('open sesame')]).toEqual([400, 303, 303]);
  const kept = () => all("select password_hash, declared_user_type from logins where sis_user_id = 'xb1'");
  expect(await kept()).toMatchObject([
    { password_hash: expect.stringMatching(/^pbkdf2-sha256\$6x100000\$/), declared_user_type: 'teacher' },
  ]);

  // Set once: a later import keeps the password. Manually changed pronouns are kept, too.
  const [xb1, xb2] = [ok(await client.get('/users/sis_user_id:xb1')), ok(await client.get('/users/sis_user_id:xb2'))];
  await env.DB.prepare('update users set pronouns = ? where id = ?').bind('she/her', xb1.id).run();
  const before = await kept();
  await imported(client, people('he/him'));
  expect(await kept()).toEqual(before);
  expect(await all('select pronouns from users where id = ?', xb1.id)).toEqual([{ pronouns: 'she/her' }]);

  await tick(env as unknown as Platform, Date.now());
  const messages = await all('select notification, user_id from comm_messages where user_id in (?, ?) order by id', xb1.id, xb2.id);
  expect(messages).toEqual(
    expect.arrayContaining([
      { notification: 'enrollment_notification', user_id: xb1.id },
      { notification: 'pseudonym_registration', user_id: xb2.id },
    ]),
  );
  expect(messages).toHaveLength(2);
  const lent = ok(await client.get('/courses/sis_course_id:xbC/enrollments', { user_id: xb2.id }));
  expect(lent).toMatchObject([{ temporary_enrollment_source_user_id: xb1.id, end_at: '2026-10-01T00:00:00Z' }]);
  const statusOf = async (id: number) => ok(await client.get(`/users/${id}/temporary_enrollment_status`));
  expect(await statusOf(xb1.id)).toEqual({ is_provider: true, is_recipient: false, can_provide: true });
  expect(await statusOf(xb2.id)).toMatchObject({ is_provider: false, is_recipient: true });

  // A course is associated with an existing blueprint, and separated again.
  ok(await client.post('/accounts/1/courses', { course: { name: 'B', sis_course_id: 'xbB', blueprint: true } }));
  const follow = (blueprint: string) =>
    imported(
      client,
      zipped({
        'courses.csv': csv('course_id,short_name,long_name,status,blueprint_course_id', ['xbC', 'X', 'Ex', 'published', blueprint]),
      }),
    );
  const followers = async () =>
    ok(await client.get('/courses/sis_course_id:xbB/blueprint_templates/default/associated_courses')).map(
      (one: { sis_course_id: string }) => one.sis_course_id,
    );
  for (const [blueprint, expected] of [
    ['xbB', ['xbC']],
    ['xbB', ['xbC']],
    ['dissociate', []],
  ] as const) {
    expect(await messagesOf((await follow(blueprint)).id)).toEqual([]);
    expect(await followers()).toEqual(expected);
  }
});

test('enrollments go through every state, end exactly where the file says, and removed users are reported', async () => {
  const people = ['g1', 'g2', 'g3', 'g4', 'g5'];
  await imported(
    client,
    zipped({
      'users.csv': users(...people.map((id) => [id, id, `Gil ${id}`, '', 'active'])),
      'courses.csv': courses(['gC', 'G', 'Gee', 'published']),
      'sections.csv': csv('section_id,course_id,name,status', ['gS', 'gC', 'Gees', 'active']),
      'enrollments.csv': enrollments(...people.map((id) => ['gC', id, 'student', 'active'])),
    }),
  );
  const moved = await imported(
    client,
    csv(
      'course_id,section_id,user_id,role,status,start_date,end_date,limit_section_privileges,associated_user_id',
      ['gC', '', 'g1', 'student', 'completed', '', '', '', ''],
      ['gC', '', 'g2', 'student', 'inactive', '', '', '', ''],
      ['gC', '', 'g3', 'student', 'deleted', '', '', '', ''],
      ['gC', '', 'g4', 'student', 'deleted_last_completed', '', '', '', ''],
      ['gC', 'gS', 'g5', 'teacher', 'active', '2026-09-01', '2026-12-01', 'true', ''],
      ['', 'gS', 'g1', 'observer', 'active', '', '', '', 'g5'],
    ),
  );
  expect(moved.statistics.Enrollment).toEqual({ created: 2, concluded: 2, deactivated: 1, deleted: 1, restored: 0 });
  expect(await statesOf('g1', 'gC')).toEqual(['completed', 'active']);
  expect(await statesOf('g2', 'gC')).toEqual(['inactive']);
  expect(await statesOf('g3', 'gC')).toEqual(['deleted']);
  expect(await statesOf('g4', 'gC')).toEqual(['completed']);
  expect((await enrollmentOf('g5', 'gC'))[1]).toMatchObject({
    type: 'TeacherEnrollment',
    start_at: '2026-09-01T00:00:00Z',
    limit_privileges_to_course_section: 1,
  });
  const back = await imported(client, enrollments(['gC', 'g3', 'student', 'active'], ['gC', 'g2', 'student', 'active']));
  expect(back.statistics.Enrollment).toMatchObject({ restored: 1, created: 0 });
  expect(await statesOf('g3', 'gC')).toEqual(['active']);
});

test('observers are enrolled with the students whom a file lets them observe', async () => {
  await imported(
    client,
    zipped({
      'users.csv': users(['h1', 'h1', 'Hal', '', 'active'], ['h2', 'h2', 'Hetty', '', 'active']),
      'courses.csv': courses(['hC', 'H', 'Aitch', 'published']),
      'o.csv': csv('observer_id,student_id,status', ['h2', 'h1', 'active'], ['h2', 'h2', 'active'], ['h8', 'h1', 'active']),
    }),
  );
  expect(await imported(client, enrollments(['hC', 'h1', 'student', 'active']))).toMatchObject({ workflow_state: 'imported' });
  expect(await enrollmentOf('h2', 'hC')).toMatchObject([{ type: 'ObserverEnrollment', enrollment_state: 'active' }]);
  await imported(client, enrollments(['hC', 'h1', 'student', 'completed']));
  expect(await statesOf('h2', 'hC')).toEqual(['completed']);
  const ended = await imported(client, csv('observer_id,student_id,status', ['h2', 'h1', 'deleted']));
  expect(ended.statistics.UserObserver).toMatchObject({ deleted: 1 });
  expect(await statesOf('h2', 'hC')).toEqual(['deleted']);
  await restored(ok(await client.put(`/accounts/1/sis_imports/${ended.id}/restore_states`)));
  expect(ok(await client.get('/users/sis_user_id:h2/observees'))).toMatchObject([{ name: 'Hal' }]);
});

test('courses, sections and cross-listing: moved, concluded, deleted with their content', async () => {
  const people = users(['i1', 'i1', 'Ida', '', 'active']);
  const sections = (course: string, status = 'active') =>
    csv('section_id,course_id,name,status,start_date,end_date', ['iS', course, 'Ices', status, '2026-09-01', '']);
  await imported(
    client,
    zipped({
      'u.csv': people,
      'c.csv': courses(['iC1', 'I1', 'Eye', 'published'], ['iC2', 'I2', 'Aye', 'active']),
      's.csv': sections('iC1'),
      'e.csv': csv('section_id,user_id,role,status', ['iS', 'i1', 'student', 'active']),
    }),
  );
  expect(ok(await client.get('/sections/sis_section_id:iS'))).toMatchObject({
    start_at: '2026-09-01T00:00:00Z',
    restrict_enrollments_to_section_dates: true,
  });

  const crossed = await imported(client, csv('xlist_course_id,section_id,status', ['iX', 'iS', 'active'], ['iX', 'iNone', 'active']));
  expect(crossed).toMatchObject({
    workflow_state: 'imported_with_messages',
    data: { counts: { xlists: 1 } },
    statistics: { Course: { created: 1 } },
  });
  expect(await statesOf('i1', 'iX')).toEqual(['active']);
  expect(ok(await client.get('/sections/sis_section_id:iS')).nonxlist_course_id).toBe(
    ok(await client.get('/courses/sis_course_id:iC1')).id,
  );
  // Its row now names its original course; the users stay in the current one.
  await imported(client, sections('iC2'));
  expect(await statesOf('i1', 'iX')).toEqual(['active']);
  await imported(client, csv('xlist_course_id,section_id,status', ['iX', 'iS', 'deleted']));
  expect(await statesOf('i1', 'iC2')).toEqual(['active']);
  await imported(client, sections('iC1'));
  expect(await statesOf('i1', 'iC1')).toEqual(['active']);

  // A manual move is kept; a move by import is not marked as manual.
  const [iX, iS] = [ok(await client.get('/courses/sis_course_id:iX')).id, ok(await client.get('/sections/sis_section_id:iS')).id];
  ok(await client.post(`/sections/${iS}/crosslist/${iX}`));
  const refused = await imported(client, csv('xlist_course_id,section_id,status', ['iC2', 'iS', 'active']));
  expect((await messagesOf(refused.id))[0]?.message).toMatch(/moved by hand/);
  await imported(client, csv('xlist_course_id,section_id,status', ['iC2', 'iS', 'active']), { override_sis_stickiness: true });
  expect(await statesOf('i1', 'iC2')).toEqual(['active']);

  const concluded = await imported(client, courses(['iC2', 'I2', 'Aye', 'completed'], ['iX', 'IX', 'Ex', 'deleted']));
  expect(concluded.statistics.Course).toMatchObject({ concluded: 1, deleted: 1 });
  const gone = await imported(client, zipped({ 's.csv': sections('iC2', 'deleted'), 'c.csv': courses(['iC2', 'I2', 'Aye', 'deleted']) }));
  expect(gone.statistics).toMatchObject({ Course: { deleted: 1 }, Enrollment: { deleted: 1 } });
  expect(await statesOf('i1', 'iC2')).toEqual(['deleted']);
  ok(await client.get('/courses/sis_course_id:iC2'), 404);
});

test('courses have dates, formats, settings and values of an abstract course', async () => {
  await imported(
    client,
    zipped({
      'a.csv': csv('abstract_course_id,short_name,long_name,account_id,term_id,status', ['jA', 'J', 'Jay in general', '', '', 'active']),
      'c.csv': csv(
        'course_id,short_name,long_name,status,start_date,end_date,course_format,grade_passback_setting,homeroom_course,abstract_course_id',
        ['jC', 'J', 'Jay', 'published', '2026-09-01', '2026-12-01', 'online', 'nightly_sync', 'true', ''],
        ['jD', 'J', '', 'active', '', '', '', '', '', 'jA'],
        ['jE', 'J', 'Jay', 'active', '', '', 'somewhere', '', '', ''],
      ),
    }),
  );
  expect(ok(await client.get('/courses/sis_course_id:jC'))).toMatchObject({
    start_at: '2026-09-01T00:00:00Z',
    end_at: '2026-12-01T00:00:00Z',
    restrict_enrollments_to_course_dates: true,
    course_format: 'online',
  });
  expect(ok(await client.get('/courses/sis_course_id:jC/settings'))).toMatchObject({
    homeroom_course: true,
    grade_passback_setting: 'nightly_sync',
  });
  expect(ok(await client.get('/courses/sis_course_id:jD')).name).toBe('Jay in general');
  ok(await client.get('/courses/sis_course_id:jE'), 404);
  await imported(client, csv('course_id,short_name,long_name,status,start_date,end_date', ['jC', 'J', 'Jay', 'active', '<delete>', '']));
  expect(ok(await client.get('/courses/sis_course_id:jC'))).toMatchObject({
    workflow_state: 'available',
    start_at: null,
    end_at: '2026-12-01T00:00:00Z',
  });
});

test('terms, accounts, administrators and SIS ids', async () => {
  await imported(client, zipped(school('k')));
  const done = await imported(
    client,
    zipped({
      'terms.csv': csv(
        'term_id,name,status,date_override_enrollment_type,start_date,end_date',
        ['kT1', 'Autumn', 'active', '', '2026-09-02', ''],
        ['kT1', '', 'active', 'TeacherEnrollment', '2026-08-01', '2027-03-01'],
        ['kT9', '', 'active', 'TeacherEnrollment', '2026-08-01', '2027-03-01'],
        ['kT1', 'Autumn', 'deleted', '', '', ''],
      ),
      'accounts.csv': csv(
        'account_id,parent_account_id,name,status',
        ['kA1', 'kA2', 'Loop', 'active'],
        ['kA2', '', 'Up', 'active'],
        ['kA1', 'kA2', 'Under', 'active'],
        ['kA3', 'kA9', 'Lost', 'active'],
      ),
      'admins.csv': csv(
        'user_id,account_id,role,status',
        ['kU1', 'kA1', 'AccountAdmin', 'active'],
        ['kU2', '', 'AccountAdmin', 'active'],
        ['kU2', '', 'Nobody', 'active'],
      ),
    }),
  );
  expect((await messagesOf(done.id)).map(({ message }) => message)).toEqual([
    'an account cannot be its own descendant',
    'there is no account "kA9"',
    'there is no term "kT9"',
    'a term with courses cannot be deleted',
    'there is no account role "Nobody"',
  ]);
  expect(ok(await client.get('/accounts/1/terms/sis_term_id:kT1'))).toMatchObject({
    start_at: '2026-09-02T00:00:00Z',
    end_at: null,
    overrides: { TeacherEnrollment: { start_at: '2026-08-01T00:00:00Z', end_at: '2027-03-01T00:00:00Z' } },
  });
  expect(ok(await client.get('/accounts/sis_account_id:kA1'))).toMatchObject({
    name: 'Under',
    parent_account_id: ok(await client.get('/accounts/sis_account_id:kA2')).id,
  });
  expect(ok(await client.get('/accounts/sis_account_id:kA1/admins'))).toMatchObject([{ role: 'AccountAdmin' }]);
  const byHand = await imported(client, csv('user_id,account_id,role,status', ['kU2', '', 'AccountAdmin', 'deleted']));
  expect(byHand.statistics.AccountUser).toMatchObject({ deleted: 1 });

  const renamed = await imported(
    client,
    csv(
      'old_id,new_id,type',
      ['kU1', 'kU1new', 'user'],
      ['kC1', 'kC2', 'course'],
      ['kC2', 'kC3', 'course'],
      ['kS1', 'kS1new', 'section'],
      ['kX', 'kY', 'term'],
      ['kA2', 'kZ', 'planet'],
    ),
  );
  expect(renamed.data.counts.change_sis_ids).toBe(3);
  expect((await messagesOf(renamed.id)).map(({ row }) => row)).toEqual([3, 6, 7]);
  expect(ok(await client.get('/users/sis_user_id:kU1new')).name).toBe('Ann Lee');
  ok(await client.get('/courses/sis_course_id:kC2'), 404);
  ok(await client.get('/courses/sis_course_id:kC3'));

  const [row] = await enrollmentOf('kU1new', 'kC1');
  await imported(client, csv('enrollment_id,grade_publish_status,message', [row?.id ?? 0, 'published', ''], [999999, 'error', 'x']));
  expect((await enrollmentOf('kU1new', 'kC1'))[0]).toMatchObject({ grade_publishing_status: 'published' });
});

test('groups, group categories and memberships; differentiation tags are visible only to teachers', async () => {
  const sets = (name: string, ...more: (string | number)[][]) =>
    csv('group_category_id,account_id,course_id,category_name,status', ['xaK', '', 'xaC', name, 'active'], ...more);
  const inGroups = (...rows: string[][]) => csv('group_id,user_id,status', ...rows);
  const first = await imported(
    client,
    zipped({
      'users.csv': users(...['xa1', 'xa2', 'xa3'].map((id) => [id, id, `Xa ${id}`, '', 'active'])),
      'courses.csv': courses(['xaC', 'X', 'Xa', 'published']),
      'enrollments.csv': enrollments(['xaC', 'xa1', 'student', 'active'], ['xaC', 'xa2', 'student', 'active']),
      'sets.csv': sets(
        'Projects',
        ['xaR', '', '', 'Committees', 'active'],
        ['xaX', '', 'xaC', 'projects', 'active'],
        ['xaY', 'A', 'xaC', 'Two places', 'active'],
        ['xaZ', '', 'nowhere', 'Lost', 'active'],
      ),
      'groups.csv': csv(
        'group_id,group_category_id,account_id,course_id,name,status',
        ['xaG1', 'xaK', '', '', 'One', 'available'],
        ['xaG2', 'xaK', '', 'xaC', 'Two', 'closed'],
        ['xaG3', '', '', 'xaC', 'By students', 'available'],
        ['xaG4', 'xaR', '', '', 'Senate', 'available'],
        ['xaG5', '', '', '', 'Choir', 'available'],
        ['xaG6', 'xaR', '', 'xaC', 'Astray', 'available'],
        ['xaG7', 'xaNone', '', '', 'Without', 'available'],
        ['xaG8', 'xaK', '', '', 'Odd', 'open'],
      ),
      'who.csv': inGroups(
        ['xaG1', 'xa1', 'accepted'],
        ['xaG2', 'xa1', 'accepted'],
        ['xaG1', 'xa2', 'accepted'],
        ['xaG4', 'xa3', 'accepted'],
        ['xaG1', 'xa3', 'accepted'],
        ['xaG9', 'xa1', 'accepted'],
        ['xaG1', 'xa9', 'accepted'],
        ['xaT1', 'xa1', 'accepted'],
      ),
      'tag_sets.csv': csv('tag_set_id,course_id,set_name,status', ['xaS', 'xaC', 'Needs', 'active']),
      'tags.csv': csv(
        'tag_id,tag_set_id,course_id,name,status',
        ['xaT1', 'xaS', '', 'More time', 'available'],
        ['xaT2', '', 'xaC', 'Large print', 'available'],
        ['xaG1', 'xaS', '', 'Not a tag', 'available'],
      ),
      'tagged.csv': csv('tag_id,user_id,status', ['xaT1', 'xa1', 'accepted'], ['xaT2', 'xa1', 'accepted']),
    }),
  );
  expect((await messagesOf(first.id)).map(({ file, row, message }) => `${file} ${row}: ${message}`)).toEqual([
    'sets.csv 4: a set "projects" already exists in the same course or account',
    'sets.csv 5: course_id and account_id cannot be combined',
    'sets.csv 6: there is no course "nowhere"',
    'groups.csv 7: the set "xaR" is not in the course or account of the row',
    'groups.csv 8: there is no set "xaNone"',
    expect.stringMatching(/^groups.csv 9: the status "open" is not one of available, closed, completed, deleted/),
    'who.csv 6: the user "xa3" is not in the course of the group "xaG1"',
    'who.csv 7: there is no group "xaG9"',
    'who.csv 8: there is no user "xa9"',
    'who.csv 9: there is no group "xaT1"',
    'tags.csv 4: "xaG1" is not a tag',
  ]);
  expect((await messagesOf(first.id))[0]).toMatchObject({ row_info: 'xaX,,xaC,projects,active' });
  expect(first).toMatchObject({
    data: {
      counts: { group_categories: 2, groups: 5, group_memberships: 4, differentiation_tag_sets: 1, differentiation_tags: 2 },
      supplied_batches: expect.arrayContaining(['group_category', 'group', 'group_membership', 'differentiation_tag']),
    },
    // A user added to a second group of a category leaves the first.
    statistics: { GroupCategory: { created: 3 }, Group: { created: 7 }, GroupMembership: { created: 6, deleted: 1 } },
  });
  const course = ok(await client.get('/courses/sis_course_id:xaC'));
  const groups = ok(await client.get(`/courses/${course.id}/groups`));
  expect(groups.map((one: Record<string, unknown>) => [one.name, one.sis_group_id, one.members_count, one.sis_import_id])).toEqual([
    ['One', 'xaG1', 1, first.id],
    ['Two', 'xaG2', 1, first.id],
    ['By students', 'xaG3', 0, first.id],
  ]);
  expect(ok(await client.get('/groups/sis_group_id:xaG5'))).toMatchObject({ context_type: 'Account', role: 'communities' });
  expect(ok(await client.get('/groups/sis_group_id:xaG4/users'))).toMatchObject([{ name: 'Xa xa3' }]);
  const tags = ok(await client.get(`/courses/${course.id}/groups`, { collaboration_state: 'non_collaborative' }));
  expect(tags.map(({ name, members_count }: { name: string; members_count: number }) => [name, members_count])).toEqual([
    ['More time', 1],
    ['Large print', 1],
  ]);

  // A manually changed name is kept; a completed group is concluded; a deleted category deletes its groups.
  ok(await client.put('/groups/sis_group_id:xaG1', { name: 'By hand' }));
  const second = await imported(
    client,
    zipped({
      'groups.csv': csv(
        'group_id,group_category_id,name,status',
        ['xaG1', '', 'One', 'available'],
        ['xaG2', 'xaR', 'Two', 'available'],
        ['xaG4', '', 'Senate', 'completed'],
      ),
      'ids.csv': csv('old_id,new_id,type', ['xaG3', 'xaG3new', 'group'], ['xaR', 'xaRnew', 'group_category']),
      'who.csv': inGroups(['xaG1', 'xa2', 'deleted'], ['xaG1', 'xa1', 'accepted'], ['xaG2', 'xa1', 'accepted'], ['xaG1', 'xa1', 'deleted']),
    }),
    { skip_deletes: false },
  );
  expect(second.processing_warnings).toEqual([['groups.csv', 'there is no set "xaR"']]);
  expect(second.statistics).toMatchObject({
    Group: { concluded: 1 },
    GroupMembership: { created: 2, deleted: 3 },
  });
  expect(ok(await client.get('/groups/sis_group_id:xaG1'))).toMatchObject({ name: 'By hand', members_count: 0 });
  expect(ok(await client.get('/groups/sis_group_id:xaG4'))).toMatchObject({ concluded: true });
  ok(await client.get('/groups/sis_group_id:xaG3new'));

  const kept = await imported(client, sets('Projects', ['xaK', '', 'xaC', 'Projects', 'deleted']), { skip_deletes: true });
  expect(kept.statistics.total_state_changes).toBe(0);
  const gone = await imported(client, csv('group_category_id,category_name,status', ['xaK', 'Projects', 'deleted']));
  expect(gone.statistics).toMatchObject({ GroupCategory: { deleted: 1 }, Group: { deleted: 2 }, GroupMembership: { deleted: 1 } });
  ok(await client.get('/groups/sis_group_id:xaG2'), 404);
  await restored(ok(await client.put(`/accounts/1/sis_imports/${gone.id}/restore_states`, { undelete_only: true })));
  expect(ok(await client.get('/groups/sis_group_id:xaG2'))).toMatchObject({ members_count: 1 });
  await restored(ok(await client.put(`/accounts/1/sis_imports/${second.id}/restore_states`, { unconclude_only: true })));
  expect(ok(await client.get('/groups/sis_group_id:xaG4'))).toMatchObject({ concluded: false });
});

test('manual changes are kept until an import overrides them', async () => {
  const file = (name: string) => courses(['lC', 'L', name, 'active']);
  await imported(client, zipped({ 'c.csv': file('Ell'), 'u.csv': users(['l1', 'l1', 'Lou', '', 'active']) }));
  const { id } = ok(await client.get('/courses/sis_course_id:lC'));
  ok(await client.put(`/courses/${id}`, { course: { name: 'By hand' } }));
  const person = ok(await client.get('/users/sis_user_id:l1'));
  ok(await client.put(`/users/${person.id}`, { user: { name: 'Louise' } }));
  const nameAfter = async (options: object) => {
    const done = await imported(
      client,
      zipped({ 'c.csv': file('Ell again'), 'u.csv': users(['l1', 'l1', 'Lou again', '', 'active']) }),
      options,
    );
    expect(done.workflow_state).toBe('imported');
    return [ok(await client.get(`/courses/${id}`)).name, ok(await client.get('/users/sis_user_id:l1')).name];
  };
  expect(await nameAfter({})).toEqual(['By hand', 'Louise']);
  expect(await nameAfter({ override_sis_stickiness: true })).toEqual(['Ell again', 'Lou again']);
  // Still sticky, because the import did not override it.
  expect(await all('select stuck_sis_fields from courses where id = ?', id)).toEqual([{ stuck_sis_fields: ',name,' }]);
  await nameAfter({ override_sis_stickiness: true, clear_sis_stickiness: true });
  expect(await all('select stuck_sis_fields from courses where id = ?', id)).toEqual([{ stuck_sis_fields: null }]);
  await imported(client, file('Made sticky'), { override_sis_stickiness: true, add_sis_stickiness: true });
  expect(await nameAfter({})).toEqual(['Made sticky', 'Lou again']);
});

test('batch mode deletes what a term no longer has, within its threshold', async () => {
  const term = csv('term_id,name,status', ['mT', 'Em', 'active'], ['mT2', 'Em two', 'active']);
  const people = users(...[1, 2, 3, 4].map((n) => [`m${n}`, `m${n}`, `Em ${n}`, '', 'active']));
  const inTerm = (...ids: string[]) =>
    csv('course_id,short_name,long_name,term_id,status', ...ids.map((id) => [id, id, id, 'mT', 'published']));
  const whole = {
    't.csv': term,
    'u.csv': people,
    'c.csv': inTerm('mC1', 'mC2'),
    'e.csv': enrollments(...[1, 2, 3, 4].map((n) => ['mC1', `m${n}`, 'student', 'active']), ['mC2', 'm1', 'student', 'active']),
  };
  await imported(client, zipped(whole));
  // Created manually, so batch mode ignores it.
  const hand = await ground.course({ enrollment_term_id: ok(await client.get('/accounts/1/terms/sis_term_id:mT')).id });

  const few = zipped({ 'e.csv': enrollments(['mC1', 'm1', 'student', 'active']) });
  const held = await imported(client, few, { batch_mode: true, batch_mode_term_id: 'sis_term_id:mT', change_threshold: 10 });
  expect(held).toMatchObject({ workflow_state: 'imported_with_messages', batch_mode: true });
  expect(held.processing_warnings[0][1]).toMatch(/4 of 5 enrollments/);
  expect(await statesOf('m2', 'mC1')).toEqual(['active']);

  const concluded = await imported(
    client,
    zipped({
      'e.csv': enrollments(['mC1', 'm1', 'student', 'active'], ['mC1', 'm2', 'student', 'active'], ['mC2', 'm1', 'student', 'active']),
    }),
    { batch_mode: true, batch_mode_term_id: 'sis_term_id:mT', batch_mode_enrollment_drop_status: 'completed' },
  );
  expect(concluded).toMatchObject({
    workflow_state: 'imported',
    progress: 100,
    data: { counts: { enrollments: 3, batch_enrollments_deleted: 2 } },
    statistics: { Enrollment: { concluded: 2 } },
  });
  expect([await statesOf('m3', 'mC1'), await statesOf('m1', 'mC1')]).toEqual([['completed'], ['active']]);

  const dropped = await imported(client, zipped({ 't.csv': term, 'c.csv': inTerm('mC1') }), {
    multi_term_batch_mode: true,
    change_threshold: 100,
  });
  expect(dropped).toMatchObject({
    workflow_state: 'imported',
    data: { counts: { batch_courses_deleted: 1 } },
    statistics: { Course: { deleted: 1 }, CourseSection: { deleted: 1 }, Enrollment: { deleted: 1 } },
  });
  ok(await client.get('/courses/sis_course_id:mC2'), 404);
  ok(await client.get(`/courses/${hand.id}`));

  // Deleted rows are restored.
  const asked = ok(await client.put(`/accounts/1/sis_imports/${dropped.id}/restore_states`, { batch_mode: true }));
  expect(asked).toMatchObject({ tag: 'sis_batch_state_restore', context_type: 'SisBatch', context_id: dropped.id });
  expect(await restored(asked)).toMatchObject({ completion: 100 });
  expect(ok(await client.get(`/accounts/1/sis_imports/${dropped.id}`)).workflow_state).toBe('partially_restored');
  ok(await client.get('/courses/sis_course_id:mC2'));
  expect(await statesOf('m1', 'mC2')).toEqual(['active']);
  expect(ok(await client.get('/courses/sis_course_id:mC2/sections'))).toHaveLength(1);
});

test('restoring an import undoes what it created', async () => {
  const made = await imported(client, zipped(school('n')));
  ok(await client.put(`/accounts/1/sis_imports/${made.id}/restore_states`, { undelete_only: true, unconclude_only: true }), 400);
  ok(await client.put('/accounts/1/sis_imports/999999/restore_states'), 404);
  const { id } = ok(await client.put(`/accounts/1/sis_imports/${made.id}/restore_states`));
  await restored({ id });
  expect(ok(await client.get(`/accounts/1/sis_imports/${made.id}`)).workflow_state).toBe('restored');
  expect(await statesOf('nU1', 'nC1')).toEqual(['deleted']);
  ok(await client.get('/courses/sis_course_id:nC2'), 404);
  ok(await client.get('/users/sis_user_id:nU1'), 404);
  expect(await all("select workflow_state from communication_channels where address like 'nann@%'")).toEqual([
    { workflow_state: 'deleted' },
  ]);
  expect(await all("select workflow_state from groups where sis_group_id = 'nG1'")).toEqual([{ workflow_state: 'deleted' }]);
  ok(await client.put(`/accounts/1/sis_imports/${made.id}/restore_states`), 400);
});

test('diffing applies the differences from the last import of the data set', async () => {
  const options = { diffing_data_set_identifier: 'o' };
  const people = (...ids: number[]) => users(...ids.map((n) => [`o${n}`, `o${n}`, `Oh ${n}`, '', 'active']));
  const set = (ids: number[], enrolled: number[]) =>
    zipped({
      'users.csv': people(...ids),
      'courses.csv': courses(['oC', 'O', 'Oh', 'published']),
      'enrollments.csv': enrollments(...enrolled.map((n) => ['oC', `o${n}`, 'student', 'active'])),
    });
  const first = await imported(client, set([1, 2, 3], [1, 2, 3]), options);
  expect(first).toMatchObject({
    diffing_data_set_identifier: 'o',
    diffed_against_import_id: null,
    diffed_csv_attachments: [],
    data: { counts: { users: 3 } },
  });

  const second = await imported(client, set([1, 2, 4], [1, 4]), {
    ...options,
    diffing_drop_status: 'completed',
    diffing_user_remove_status: 'suspended',
  });
  expect(second).toMatchObject({ diffed_against_import_id: first.id, data: { counts: { users: 2, courses: 0, enrollments: 3 } } });
  expect(second.diffed_csv_attachments).toHaveLength(3);
  expect(await statesOf('o2', 'oC')).toEqual(['completed']);
  expect(await all("select workflow_state from logins where sis_user_id = 'o3'")).toEqual([{ workflow_state: 'suspended' }]);

  const same = await imported(client, set([1, 2, 4], [1, 4]), options);
  expect(same).toMatchObject({
    workflow_state: 'imported',
    diffed_against_import_id: second.id,
    data: { counts: { users: 0, enrollments: 0 } },
  });

  const much = await imported(client, set([1, 2, 4, 5, 6, 7, 8, 9], [1]), { ...options, diff_row_count_threshold: 2 });
  expect(much).toMatchObject({
    diffing_threshold_exceeded: true,
    diffed_against_import_id: null,
    data: { counts: { users: 8, enrollments: 1 } },
  });
  const sized = await imported(client, set([1], []), { ...options, change_threshold: 1 });
  expect(sized).toMatchObject({ diffing_threshold_exceeded: true, data: { counts: { users: 1 } } });
  // It was too different to be compared; the previous import is still the one to compare with.
  expect(await imported(client, set([1, 2, 4], [1, 4]), options)).toMatchObject({ diffed_against_import_id: same.id });
  for (let n = 0; n < 5; n += 1) await imported(client, set([n + 20], []), { ...options, change_threshold: 1 });
  expect(await imported(client, set([1, 2, 4], [1, 4]), options)).toMatchObject({
    workflow_state: 'failed_with_messages',
    data: { counts: { users: 0 } },
  });
  expect(await imported(client, set([1, 2, 4], [1, 4]), { ...options, diffing_remaster_data_set: true })).toMatchObject({
    workflow_state: 'imported',
    diffing_remaster: true,
    data: { counts: { users: 3 } },
  });
});

test('imports run one after the other in the order they were sent; waiting ones can be aborted', async () => {
  const many = users(...Array.from({ length: 3000 }, (_, n) => [`p${n}`, `p${n}`, `Pea ${n}`, '', 'active']));
  const first = await sent(client, many);
  const others = [];
  for (const n of [1, 2, 3]) others.push(await sent(client, users([`q${n}`, `q${n}`, 'Queue', '', 'active'])));
  let running = [];
  for (let n = 0; n < 100 && running.length === 0; n += 1)
    running = ok(within(await client.get('/accounts/1/sis_imports/importing'), 2)).sis_imports;
  expect(running.length).toBeLessThanOrEqual(1);
  ok(await client.put(`/accounts/1/sis_imports/${others[2].id}/abort`));
  const ended = await Promise.all([first, ...others].map(({ id }) => ending(client, id)));
  expect(ended.map((one) => one.workflow_state)).toEqual(['imported', 'imported', 'imported', 'aborted']);
  const started = ended.slice(0, 3).map((one) => [one.started_at, one.ended_at]);
  expect(started.flat()).toEqual(started.flat().toSorted());
  ok(await client.get('/users/sis_user_id:q3'), 404);
  ok(await client.put(`/accounts/1/sis_imports/${first.id}/abort`), 404);

  const head = await sent(client, many);
  const waiting = await sent(client, users(['q9', 'q9', 'Queue', '', 'active']));
  expect(ok(await client.put('/accounts/1/sis_imports/abort_all_pending'))).toEqual({ aborted: true });
  expect((await ending(client, waiting.id)).workflow_state).toBe('aborted');
  expect((await ending(client, head.id)).workflow_state).toMatch(/imported|aborted/);
  const list = ok(within(await client.get('/accounts/1/sis_imports', { per_page: 3, workflow_state: ['aborted', 'imported'] }), 2));
  expect(list.sis_imports.map(({ id }: { id: number }) => id)).toEqual(
    list.sis_imports.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => b - a),
  );
  expect(ok(await client.get('/accounts/1/sis_imports', { created_since: '2099-01-01' })).sis_imports).toEqual([]);
});

test('an import that is aborted while running stops where it is', async () => {
  const rows = Array.from({ length: 8000 }, (_, n) => [`r${n}`, `r${n}`, `Are ${n}`, '', 'active']);
  const { id } = await sent(client, users(...rows));
  for (let n = 0; n < 400; n += 1) if (ok(await client.get(`/accounts/1/sis_imports/${id}`)).progress > 0) break;
  expect(ok(await client.put(`/accounts/1/sis_imports/${id}/abort`)).workflow_state).toBe('aborted');
  const [{ n: at = 0 } = {}] = await all<{ n: number }>("select count(*) as n from logins where sis_user_id like 'r%'");
  expect(at).toBeLessThan(8000);
  await imported(client, users(['r-last', 'r-last', 'Last', '', 'active']));
  expect(await all("select count(*) as n from logins where sis_user_id glob 'r[0-9]*'")).toEqual([{ n: at }]);
});

/** Interrupts the work whenever the condition holds, as often as the test allows. */
async function bomb(name: string, on: string, when: string): Promise<() => Promise<unknown>> {
  await env.DB.prepare(`create trigger bomb_${name} ${on} when ${when} begin select raise(abort, 'a bomb went off'); end`).run();
  return () => env.DB.prepare(`drop trigger bomb_${name}`).run();
}

test.each<[string, string, string, 'by the queue'?]>([
  ['while people are written', 'before insert on logins', "new.sis_user_id = 'PREFIX4'"],
  [
    'while a roster writes',
    'before insert on enrollments',
    "(select sis_user_id from logins where user_id = new.user_id) = 'PREFIX3'",
    'by the queue',
  ],
  [
    'after the rosters, before the step is made',
    'before update of at_row on sis_import_files',
    "new.type = 'enrollment' and new.at_row > 0",
  ],
  ['at the very end', 'before update of ended_at on sis_imports', 'new.ended_at is not null'],
])('work interrupted %s is delivered again and ends correctly', async (title, on, when, delivery) => {
  const p = `s${title.length}x`;
  const ids = [0, 1, 2, 3, 4, 5];
  const defuse = await bomb(p, on, when.replace('PREFIX', p));
  const { id } = await sent(
    client,
    zipped({
      'users.csv': users(...ids.map((n) => [`${p}${n}`, `${p}${n}`, `Ess ${n}`, `${p}${n}@x.edu`, 'active'])),
      'courses.csv': courses([`${p}C1`, 'S', 'Ess', 'published'], [`${p}C2`, 'S', 'Ess', 'published']),
      'enrollments.csv': enrollments(...ids.map((n) => [`${p}C${(n % 2) + 1}`, `${p}${n}`, 'student', 'active'])),
    }),
  );
  // The queue may have been faster.
  const again = () => (delivery === 'by the queue' ? undefined : delivered().catch(() => undefined));
  await again();
  for (let n = 0; n < 200; n += 1) {
    const [row] = await all<{ crashes: number }>('select crashes from sis_imports where id = ?', id);
    if (row?.crashes) break;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  await defuse();
  await again();
  const done = await ending(client, id);
  expect(done).toMatchObject({
    workflow_state: 'imported',
    data: { counts: { users: 6, courses: 2, enrollments: 6, warning_count: 0 } },
    statistics: {
      total_state_changes: 20,
      Enrollment: { created: 6 },
      Pseudonym: { created: 6 },
      CommunicationChannel: { created: 6 },
      Course: { created: 2 },
    },
  });
  for (const n of ids) expect(await statesOf(`${p}${n}`, `${p}C${(n % 2) + 1}`)).toEqual(['active']);
  expect(await all(`select count(*) as n from users u join logins l on l.user_id = u.id where l.sis_user_id glob '${p}[0-9]'`)).toEqual([
    { n: 6 },
  ]);
  expect(await all('select * from sis_import_passages where sis_import_id = ?', id)).toEqual([]);
  // Each change was stored once for a restore.
  const [kept] = await all<{ n: number }>(
    "select sum(json_array_length(items)) as n from sis_import_changes where sis_import_id = ? and model = 'Enrollment'",
    id,
  );
  expect(kept?.n).toBe(6);
});

test('a file with scattered rows is sorted first: each course is visited once, even when interrupted', async () => {
  const [courseIds, people] = [Array.from({ length: 70 }, (_, n) => `yC${n}`), ['y1', 'y2']];
  await imported(
    client,
    zipped({
      'u.csv': users(...people.map((id) => [id, id, `Why ${id}`, '', 'active'])),
      'c.csv': courses(...courseIds.map((id) => [id, id, id, 'published'])),
    }),
  );
  await env.DB.prepare('create table passages_seen (step integer, course_id integer)').run();
  await env.DB.prepare(
    'create trigger see_passages after insert on sis_import_passages begin insert into passages_seen values (new.step, new.course_id); end',
  ).run();
  const defuse = await bomb('y', 'before update of at_row on sis_import_files', "new.type = 'enrollment' and new.at_row > 100");
  // Alternating over all courses; for repeated rows the later one counts.
  const rows = people.flatMap((user) => courseIds.map((id) => [id, user, 'student', 'active']));
  const ends = [0, 1, 2].map((n) => [`yC${n}`, 'y1', 'student', 'completed']);
  const { id } = await sent(client, enrollments(...rows, ['yNone', 'y1', 'student', 'active'], ...ends));
  await delivered().catch(() => undefined);
  for (let n = 0; n < 200 && !(await all<{ crashes: number }>('select crashes from sis_imports where id = ?', id))[0]?.crashes; n += 1)
    await new Promise((resume) => setTimeout(resume, 50));
  expect((await all('select 1 from sis_import_stage')).length).toBeGreaterThan(0);
  await defuse();
  await delivered().catch(() => undefined);
  const done = await ending(client, id);
  expect(done).toMatchObject({
    workflow_state: 'imported_with_messages',
    data: { counts: { enrollments: 143, warning_count: 1 } },
    statistics: { Enrollment: { created: 140, concluded: 3 } },
    processing_warnings: [['sis.csv', 'there is no course "yNone"']],
  });
  expect(await messagesOf(id)).toMatchObject([{ row: 142 }]);
  expect(await statesOf('y1', 'yC1')).toEqual(['completed']);
  const visits = await all<{ course_id: number }>('select * from passages_seen');
  // Once, and twice where a course spans two steps: a full one, and three rows about objects that the step has just created.
  expect(new Set(visits.map(({ course_id }) => course_id)).size).toBe(70);
  expect(visits.length).toBeLessThanOrEqual(70 + 4);
  expect(await all('select 1 from sis_import_stage')).toEqual([]);
  await env.DB.batch([env.DB.prepare('drop trigger see_passages'), env.DB.prepare('drop table passages_seen')]);
});

test('what a step finishes in addition to its rows counts once, even when interrupted in between', async () => {
  await imported(client, zipped({ 'u.csv': users(['za', 'za', 'Zoe', '', 'active']), 'c.csv': courses(['zaC', 'Z', 'Zed', 'published']) }));
  await imported(client, enrollments(['zaC', 'za', 'student', 'active']));
  const defuse = await bomb('za', 'before update of workflow_state on logins', "new.sis_user_id = 'za'");
  const { id } = await sent(client, users(['za', 'za', 'Zoe', '', 'deleted']));
  for (let n = 0; n < 100 && (await statesOf('za', 'zaC'))[0] !== 'deleted'; n += 1) await delivered().catch(() => undefined);
  await defuse();
  await delivered().catch(() => undefined);
  expect((await ending(client, id)).statistics).toMatchObject({
    total_state_changes: 2,
    Enrollment: { deleted: 1 },
    Pseudonym: { deleted: 1 },
  });
});

test('rows that contradict each other unexpectedly are skipped, the others applied', async () => {
  await imported(client, users(['zb', 'zb', 'Zac', '', 'active']));
  const role = csv('user_id,account_id,role,role_id,status', ['zb', '', 'AccountAdmin', '', 'active'], ['zb', '', '', 1, 'active']);
  expect(await imported(client, role)).toMatchObject({
    workflow_state: 'imported',
    data: { counts: { admins: 2 } },
    statistics: { AccountUser: { created: 1 } },
  });
  // Any use of this row violates a unique constraint.
  await env.DB.prepare(
    "create trigger bomb_zc before insert on courses when new.sis_course_id = 'zcX' begin insert into courses select * from courses where id = (select min(id) from courses); end",
  ).run();
  const done = await imported(
    client,
    courses(['zcW', 'W', 'Before', 'active'], ['zcX', 'X', 'Broken', 'active'], ['zcY', 'Y', 'After', 'active']),
  );
  await env.DB.prepare('drop trigger bomb_zc').run();
  expect(done).toMatchObject({
    workflow_state: 'imported_with_messages',
    data: { counts: { courses: 2 } },
    processing_warnings: [['sis.csv', 'the row conflicts with existing data']],
  });
  expect(await messagesOf(done.id)).toMatchObject([{ row: 3 }]);
  ok(await client.get('/courses/sis_course_id:zcY'));
});

test('two simultaneous deliveries do the work once', async () => {
  const people = Array.from({ length: 1500 }, (_, n) => [`t${n}`, `t${n}`, `Tee ${n}`, '', 'active']);
  const { id } = await sent(
    client,
    zipped({
      'users.csv': users(...people),
      'c.csv': courses(['tC', 'T', 'Tee', 'published']),
      'e.csv': enrollments(...people.map(([user]) => ['tC', user as string, 'student', 'active'])),
    }),
  );
  for (let n = 0; n < 6; n += 1) await env.WORK.send({ job: 'sis_import', ids: [id] });
  const done = await ending(client, id);
  expect(done).toMatchObject({
    workflow_state: 'imported',
    data: { counts: { users: 1500, enrollments: 1500 } },
    statistics: { Enrollment: { created: 1500 }, Pseudonym: { created: 1500 } },
  });
  expect(await all("select count(*) as n from enrollments e join courses c on c.id = e.course_id where c.sis_course_id = 'tC'")).toEqual([
    { n: 1500 },
  ]);
}, 120_000);

test('work that is interrupted repeatedly ends as failed with a message, and the next import runs', async () => {
  const defuse = await bomb('always', 'before insert on users', "new.name = 'Bomb'");
  const { id } = await sent(client, users(['v1', 'v1', 'Bomb', '', 'active']));
  const next = await sent(client, users(['v2', 'v2', 'Vee', '', 'active']));
  // Each interruption delays the retry further; the test does not wait for the clock.
  for (let n = 0; n < 6; n += 1) {
    await env.WORK.send({ job: 'sis_import' });
    await new Promise((resume) => setTimeout(resume, 800));
  }
  const done = await ending(client, id);
  expect(done).toMatchObject({
    workflow_state: 'failed_with_messages',
    processing_errors: [['', expect.stringMatching(/the import failed/)]],
  });
  await defuse();
  expect((await ending(client, next.id)).workflow_state).toBe('imported');
});

/** For work that is done once an hour, in a file that ticks several times. */
const hoursAhead = (hours: number) => Date.now() + hours * 3_600_000;

test('the scheduled work continues an import whose message was lost, and deletes imports older than thirty days', async () => {
  const { id } = await imported(client, users(['zd', 'zd', 'Zdenka', '', 'active'], ['', 'ze', 'Nobody', '', 'active']));
  const [done] = await all<{ attachment_id: number }>('select attachment_id from sis_imports where id = ?', id);
  const old = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const lost = await ground.sisImport(admin, { attachment_id: done?.attachment_id, workflow_state: 'created', ...old });
  await env.DB.prepare(
    "update sis_import_errors set created_at = '2026-01-01T00:00:00Z' where id = (select min(id) from sis_import_errors)",
  ).run();
  await env.DB.prepare(
    "update sis_import_changes set created_at = '2026-01-01T00:00:00Z' where id = (select min(id) from sis_import_changes)",
  ).run();
  const count = async () =>
    (await all<{ n: number }>('select (select count(*) from sis_import_errors) + (select count(*) from sis_import_changes) as n'))[0]?.n ??
    0;
  const before = await count();
  await tick(env as unknown as Platform, hoursAhead(2));
  expect(await count()).toBe(before - 2);
  expect((await ending(client, lost)).workflow_state).toBe('imported_with_messages');
});

test('archives with false sizes, truncated or too large are refused', async () => {
  const bomb = zipped({ 'users.csv': `user_id,login_id,status\n${'x'.repeat(3_000_000)}` });
  expect(await imported(client, bomb)).toMatchObject({
    workflow_state: 'failed_with_messages',
    processing_errors: [[expect.any(String), expect.stringMatching(/too large/)]],
  });
  const cut = zipped(school('w')).slice(0, 700);
  expect(await imported(client, cut)).toMatchObject({ workflow_state: 'failed_with_messages' });
  expect(await imported(client, zipped({ 'readme.txt': 'x' }))).toMatchObject({ workflow_state: 'failed_with_messages' });
});

test('ten thousand imports and messages are listed as cheaply as a few', async () => {
  const sent_at = '2026-11-01T08:00:00Z';
  await many(10_000, sis_imports, {
    account_id: 1,
    user_id: admin.id,
    uuid: nth('many'),
    format: 'csv',
    attachment_id: 0,
    workflow_state: 'imported',
    phase: 'over',
    created_at: sent_at,
    updated_at: sent_at,
  });
  const [{ id: last = 0 } = {}] = await all<{ id: number }>('select max(id) as id from sis_imports');
  await many(10_000, sis_import_errors, {
    sis_import_id: last,
    account_id: 1,
    file: 'users.csv',
    message: 'x',
    row: n,
    created_at: `${new Date().toISOString().slice(0, 19)}Z`,
  });
  const imports = within(await client.get('/accounts/1/sis_imports', { per_page: 100 }), 2);
  expect(ok(imports).sis_imports).toHaveLength(100);
  // Its files, their folder and its sender are read for the page, each by a search.
  expect(imports.cost.rows_read).toBeLessThan(20 * 100);
  const errors = within(await client.get(`/accounts/1/sis_imports/${last}/errors`, { per_page: 100 }), 2);
  expect(ok(errors).sis_import_errors).toHaveLength(100);
  expect(errors.cost.rows_read).toBeLessThan(450);
  expect(within(await client.get('/accounts/1/sis_import_errors', { per_page: 100 }), 2).cost.rows_read).toBeLessThan(450);
  expect(within(await client.get('/accounts/1/sis_imports/importing'), 2).cost.rows_read).toBeLessThan(150);
});

test('the files of an import are kept for 30 days, and longer while the next import is compared with them', async () => {
  const paper = users(['oldA', 'oldA', 'Olga Alt', '', 'active']);
  const plain = await imported(client, paper);
  const set = { diffing_data_set_identifier: 'kept' };
  const first = await imported(client, paper, set);
  const base = await imported(client, paper, set);
  await env.DB.prepare("update sis_imports set updated_at = '2020-01-01T00:00:00Z' where id in (?, ?, ?)")
    .bind(plain.id, first.id, base.id)
    .run();
  await tick(env as unknown as Platform, hoursAhead(4));
  const told = async ({ id }: { id: number }) => ok(await client.get(`/accounts/1/sis_imports/${id}`)) as { csv_attachments: unknown[] };
  expect((await told(plain)).csv_attachments).toEqual([]);
  expect((await told(first)).csv_attachments).toEqual([]);
  expect((await told(base)).csv_attachments).toHaveLength(1);
});
