// Account reports: content and execution.

import { env, SELF } from 'cloudflare:test';
import { courses } from '@carrel/worker/domains/courses/table';
import { importOutcomes } from '@carrel/worker/domains/outcomes/imports/job';
import { runReport } from '@carrel/worker/domains/reports/job';
import { contentOf, zipEntriesOf } from '@carrel/worker/domains/sis_imports/files/archive';
import { runImports } from '@carrel/worker/domains/sis_imports/job';
import type { Platform } from '@carrel/worker/platform';
import { unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import type { Client } from '../support/client';
import { aCourse, type Person } from '../support/ground';
import { addViews, aView } from '../support/page_views';
import { csv, ending, sent, zipped } from '../support/sis';

let admin: Person;
let client: Client;
const platform = env as unknown as Platform;

const all = <T = Record<string, unknown>>(query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .all<T>()
    .then(({ results }) => results);

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Report = any;

/** Starts a report and waits for its end. */
async function made(report: string, parameters: object = {}, account = 1, by = client): Promise<Report> {
  const { id } = ok(within(await by.post(`/accounts/${account}/reports/${report}`, { parameters }), 3));
  await runReport({ job: 'account_report', ids: [id] }, platform);
  for (let n = 0; n < 400; n += 1) {
    const result = ok(within(await by.get(`/accounts/${account}/reports/${report}/${id}`), 2));
    if (!['created', 'running', 'compiling'].includes(result.status)) return result;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error('the report has not ended');
}

const bytesOf = async (told: Report): Promise<Uint8Array> => {
  expect(told, JSON.stringify(told)).toMatchObject({ status: 'complete', progress: 100 });
  const answer = await SELF.fetch(told.attachment.url);
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
};

/** An RFC 4180 parser, sufficient for these tests. */
function cellsOf(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  const [header = [], ...rest] = rows.slice(0, -1);
  return rest.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
}
const rowsOf = async (told: Report) => cellsOf(new TextDecoder().decode(await bytesOf(told)));

async function imported(content: string | Uint8Array, options: object = {}) {
  const { id } = await sent(client, content, options);
  await runImports({ job: 'sis_import' }, platform);
  return ending(client, id);
}

beforeAll(async () => {
  admin = await ground.admin();
  client = as(admin);
  const done = await imported(
    zipped({
      'accounts.csv': csv(
        'account_id,parent_account_id,name,status',
        ['A1', '', 'Faculty, "first"', 'active'],
        ['A2', 'A1', 'Chair', 'active'],
      ),
      'terms.csv': csv(
        'term_id,name,status,start_date,end_date,date_override_enrollment_type',
        ['T1', 'Autumn', 'active', '2026-09-01', '2027-01-31', ''],
        ['T1', 'Autumn', 'active', '2026-08-25', '2027-01-31', 'StudentEnrollment'],
        ['T1', 'Autumn', 'active', '2026-08-01', '2027-02-28', 'TeacherEnrollment'],
      ),
      'courses.csv': csv(
        'course_id,short_name,long_name,account_id,term_id,status,start_date,end_date,course_format',
        ['C1', 'BIO', 'Biology\nof cells', 'A2', 'T1', 'published', '2026-09-01', '2026-12-31', 'online'],
        ['C2', 'CHE', '=cmd|calc!A1', '', '', 'active', '', '', ''],
        ['C3', 'OLD', 'Old', '', 'T1', 'completed', '', '', ''],
        ['C4', 'GON', 'Gone', '', 'T1', 'active', '', '', ''],
      ),
      'sections.csv': csv(
        'section_id,course_id,name,status,start_date,end_date',
        ['S1', 'C1', 'Monday', 'active', '2026-09-01', '2026-12-31'],
        ['S2', 'C2', 'Away', 'active', '', ''],
      ),
      'xlists.csv': csv('xlist_course_id,section_id,status', ['C1', 'S2', 'active']),
      'users.csv': csv(
        'user_id,login_id,first_name,last_name,email,status',
        ['U1', 'ann', 'Ann', 'Lee', 'ann@example.edu', 'active'],
        ['U2', 'bob', 'Bób "B"', 'Ng', 'bob@example.edu', 'active'],
        ['U3', 'cyd', 'Cyd', 'Ox', '', 'suspended'],
        ['U4', 'dan', 'Dan', 'Orr', '', 'active'],
      ),
      'enrollments.csv': csv(
        'course_id,section_id,user_id,role,status,start_date,end_date,associated_user_id,limit_section_privileges',
        ['C1', 'S1', 'U1', 'student', 'active', '2026-09-02', '2026-12-01', '', 'true'],
        ['C1', 'S2', 'U2', 'student', 'completed', '', '', '', ''],
        ['C2', '', 'U2', 'teacher', 'active', '', '', '', ''],
        ['C1', 'S1', 'U3', 'observer', 'inactive', '', '', 'U1', ''],
      ),
      'admins.csv': csv('user_id,account_id,role,status', ['U4', 'A1', 'AccountAdmin', 'active'], ['U4', '', 'AccountAdmin', 'active']),
      'user_observers.csv': csv('observer_id,student_id,status', ['U4', 'U1', 'active']),
      'group_categories.csv': csv(
        'group_category_id,account_id,course_id,category_name,status',
        ['K1', '', 'C1', 'Projects', 'active'],
        ['K2', 'A1', '', 'Boards', 'active'],
      ),
      'groups.csv': csv(
        'group_id,group_category_id,account_id,course_id,name,status',
        ['G1', 'K1', '', '', 'One', 'available'],
        ['G2', 'K2', '', '', 'Board', 'completed'],
        ['G3', '', '', 'C1', 'By students', 'closed'],
        ['G4', 'K1', '', '', 'Gone', 'available'],
        ['G5', '', '', '', 'Choir', 'available'],
      ),
      'group_membership.csv': csv(
        'group_id,user_id,status',
        ['G4', 'U1', 'accepted'],
        ['G1', 'U1', 'accepted'],
        ['G2', 'U4', 'accepted'],
        ['G5', 'U4', 'accepted'],
      ),
    }),
  );
  expect(done.workflow_state, JSON.stringify(done.processing_warnings)).toBe('imported');
  // Created by hand: without SIS ids, with dates that do not apply, and with fields that imports lack.
  await ground.course({ name: 'By hand', is_public: true });
  await env.DB.prepare("update courses set restrict_enrollments_to_course_dates = 0 where sis_course_id = 'C1'").run();
  ok(await client.del('/courses/sis_course_id:C4', { event: 'delete' }));
  ok(await client.del('/groups/sis_group_id:G4'));
  ok(await client.post('/courses/sis_course_id:C1/group_categories', { name: 'Without SIS ids', create_group_count: 2 }));
  // A single date, set by hand: imports set enrollment dates only as pairs, and keep manual changes.
  await env.DB.prepare("update enrollments set end_at = '2026-12-02T00:00:00Z' where enrollment_state = 'completed'").run();
});

test('the available reports are listed with their parameters and last runs', async () => {
  const list = ok(within(await client.get('/accounts/1/reports', { per_page: 100 }), 2));
  const names = list.map(({ report }: Report) => report);
  expect(names).toContain('sis_export_csv');
  expect(list.find(({ report }: Report) => report === 'students_with_no_submissions_csv')).toMatchObject({
    title: 'Students with no submissions',
    parameters: { start_at: { required: true }, course_id: { required: false } },
    last_run: null,
  });
  const run = await made('public_courses_csv');
  const [one] = ok(await client.get('/accounts/1/reports', { include: ['description_html', 'params_html'], per_page: 100 })).filter(
    ({ report }: Report) => report === 'public_courses_csv',
  );
  expect(one).toMatchObject({ last_run: { id: run.id, status: 'complete', file_url: run.attachment.url } });
  expect(one.description_html).toContain('<p>');
  expect(one.params_html).toContain('enrollment_term_id');
});

test('a report is started, listed while it waits, and stored as a file of the account', async () => {
  const asked = ok(await client.post('/accounts/1/reports/public_courses_csv', { parameters: { skip_message: true, other: 1 } }));
  expect(asked).toMatchObject({
    report: 'public_courses_csv',
    title: 'Public Courses',
    status: 'created',
    progress: 0,
    parameters: { skip_message: true },
    started_at: null,
    user: { id: admin.id },
  });
  expect(asked).not.toHaveProperty('attachment');
  const told = await made('public_courses_csv');
  expect(told).toMatchObject({
    status: 'complete',
    current_line: 1,
    parameters: { extra_text: '1 rows' },
    attachment: { 'content-type': 'text/csv', display_name: expect.stringMatching(/^public_courses_.*\.csv$/), size: expect.any(Number) },
  });
  expect(told.file_url).toBe(told.attachment.url);
  // The user who starts it is notified, unless they opted out.
  const waiting = await all<{ item_id: number }>("select item_id from notification_queue where notification = 'report_generated'");
  expect(waiting.map(({ item_id }) => item_id)).toContain(told.id);
  expect(waiting.map(({ item_id }) => item_id)).not.toContain(asked.id);
  expect(await rowsOf(told)).toMatchObject([{ 'long name': 'By hand', 'account id': '1' }]);
  expect(await all('select 1 from account_report_pieces where report_id = ?', told.id)).toEqual([]);
  // A second delivery, overtaken by the first, may still be deleting its own part.
  await expect.poll(async () => (await env.FILES.list({ prefix: 'reports/' })).objects.length).toBe(0);
});

test('an unknown report, and invalid parameters, are refused', async () => {
  expect(ok(await client.post('/accounts/1/reports/nonsense_csv'), 404)).toHaveProperty('error');
  for (const path of ['/accounts/1/reports/nonsense_csv', '/accounts/1/reports/toString', '/accounts/1/reports/public_courses_csv/999'])
    ok(await client.get(path), 404);
  const ask = (parameters: object) => client.post('/accounts/1/reports/students_with_no_submissions_csv', { parameters });
  expect(ok(await ask({ start_at: '2026-09-01' }), 400)).toEqual({ message: 'parameters[end_at] is missing' });
  ok(await ask({ start_at: '2026-09-01', end_at: '2026-09-20' }), 400);
  ok(await ask({ start_at: '2026-09-10', end_at: '2026-09-01' }), 400);
  ok(await ask({ start_at: '2026-09-01', end_at: '2026-09-10', course_id: '999999' }), 400);
  ok(await ask({ start_at: '2026-09-01', end_at: '2026-09-10', enrollment_state: 'asleep' }), 400);
  ok(await client.post('/accounts/1/reports/sis_export_csv', { parameters: { enrollment_term_id: 'sis_term_id:none' } }), 400);
});

test('reports are for users with the permission, each in its account', async () => {
  const student = await ground.person();
  const faculty = await ground.account();
  const dean = as(await ground.admin({ account_id: faculty.id }));
  const { id } = await made('unused_courses_csv');
  for (const path of ['/accounts/1/reports', '/accounts/1/reports/unused_courses_csv', `/accounts/1/reports/unused_courses_csv/${id}`]) {
    ok(await as(student).get(path), 401);
    ok(await dean.get(path), 401);
  }
  ok(await as(student).post('/accounts/1/reports/unused_courses_csv'), 401);
  ok(await as(student).del(`/accounts/1/reports/unused_courses_csv/${id}`), 401);
  ok(await as(student).put(`/accounts/1/reports/unused_courses_csv/${id}/abort`), 401);
  ok(await dean.get(`/accounts/${faculty.id}/reports/unused_courses_csv/${id}`), 404);
  const course = await ground.course({ account_id: faculty.id, name: 'Of the faculty' });
  const own = await made('unused_courses_csv', {}, faculty.id, dean);
  expect((await rowsOf(own)).map((row) => row['course id'])).toEqual([String(course.id)]);
  ok(await dean.post(`/accounts/${faculty.id}/reports/zero_activity_csv`, { parameters: { course_id: 'sis_course_id:C1' } }), 400);
});

test('runs are listed newest first, can be aborted while they run, and are deleted with their files', async () => {
  const first = await made('course_storage_csv');
  const second = ok(await client.post('/accounts/1/reports/course_storage_csv'));
  await env.DB.prepare("update account_reports set workflow_state = 'running' where id = ?").bind(second.id).run();
  const aborted = ok(within(await client.put(`/accounts/1/reports/course_storage_csv/${second.id}/abort`), 3));
  expect(aborted).toMatchObject({ id: second.id, status: 'aborted' });
  await runReport({ job: 'account_report', ids: [second.id] }, platform);
  expect(ok(await client.get(`/accounts/1/reports/course_storage_csv/${second.id}`))).toMatchObject({ status: 'aborted' });
  ok(await client.put(`/accounts/1/reports/course_storage_csv/${first.id}/abort`), 400);
  const list = ok(within(await client.get('/accounts/1/reports/course_storage_csv'), 2));
  expect(list.map(({ id }: Report) => id)).toEqual([second.id, first.id]);
  const gone = ok(within(await client.del(`/accounts/1/reports/course_storage_csv/${first.id}`), 3));
  expect(gone).toMatchObject({ id: first.id, status: 'deleted' });
  expect((await SELF.fetch(first.attachment.url)).status).not.toBe(200);
  ok(await client.get(`/accounts/1/reports/course_storage_csv/${first.id}`), 404);
  ok(await client.del(`/accounts/1/reports/course_storage_csv/${first.id}`), 404);
  expect(ok(await client.get('/accounts/1/reports/course_storage_csv')).length).toBe(1);
});

/** Every table that an import may write. */
const snapshot = async () =>
  Promise.all(
    [
      ...['accounts', 'terms', 'courses', 'sections', 'users', 'logins', 'communication_channels', 'enrollments', 'admins', 'observers'],
      ...['group_categories', 'groups', 'group_memberships'],
    ].map((table) => all(`select * from ${table}`)),
  );

test('importing an SIS export changes nothing', async () => {
  for (const parameters of [{}, { include_deleted: true }]) {
    const told = await made('sis_export_csv', parameters);
    expect(told.attachment['content-type']).toBe('application/zip');
    const bytes = await bytesOf(told);
    const files = unzipSync(bytes);
    expect(Object.keys(files)).toEqual([
      ...['users.csv', 'accounts.csv', 'terms.csv', 'courses.csv', 'sections.csv', 'enrollments.csv', 'groups.csv', 'group_categories.csv'],
      ...['group_membership.csv', 'xlist.csv', 'user_observers.csv', 'admins.csv'],
    ]);
    const rows = (name: string) => cellsOf(new TextDecoder().decode(files[name]));
    expect(rows('users.csv').map((row) => [row.user_id, row.full_name, row.email, row.status])).toEqual([
      ['U1', 'Ann Lee', 'ann@example.edu', 'active'],
      ['U2', 'Bób "B" Ng', 'bob@example.edu', 'active'],
      ['U3', 'Cyd Ox', '', 'suspended'],
      ['U4', 'Dan Orr', '', 'active'],
    ]);
    expect(rows('accounts.csv').map((row) => [row.account_id, row.parent_account_id, row.name])).toEqual([
      ['A1', '', 'Faculty, "first"'],
      ['A2', 'A1', 'Chair'],
    ]);
    expect(rows('terms.csv').map((row) => row.date_override_enrollment_type)).toEqual(['', 'StudentEnrollment', 'TeacherEnrollment']);
    expect(rows('courses.csv').map((row) => [row.course_id, row.long_name, row.status])).toEqual([
      ['C1', 'Biology\nof cells', 'published'],
      ['C2', "'=cmd|calc!A1", 'active'],
      ['C3', 'Old', 'completed'],
      ...('include_deleted' in parameters ? [['C4', 'Gone', 'deleted']] : []),
    ]);
    expect(rows('xlist.csv')).toEqual([{ xlist_course_id: 'C1', section_id: 'S2', status: 'active' }]);
    expect(rows('sections.csv').map((row) => [row.section_id, row.course_id])).toEqual([
      ['S1', 'C1'],
      ['S2', 'C2'],
    ]);
    expect(rows('enrollments.csv').length).toBeGreaterThanOrEqual(5);
    expect(rows('admins.csv').map((row) => [row.user_id, row.account_id])).toEqual([
      ['U4', 'A1'],
      ['U4', ''],
    ]);
    expect(rows('group_categories.csv').map((row) => [row.group_category_id, row.account_id, row.course_id, row.category_name])).toEqual([
      ['K1', '', 'C1', 'Projects'],
      ['K2', 'A1', '', 'Boards'],
    ]);
    expect(rows('groups.csv').map((row) => [row.group_id, row.group_category_id, row.status])).toEqual([
      ['G1', 'K1', 'available'],
      ['G2', 'K2', 'completed'],
      ['G3', '', 'closed'],
      ...('include_deleted' in parameters ? [['G4', 'K1', 'deleted']] : []),
      ['G5', '', 'available'],
    ]);
    expect(rows('group_membership.csv').map((row) => [row.group_id, row.user_id, row.status])).toEqual([
      ['G1', 'U1', 'accepted'],
      ['G2', 'U4', 'accepted'],
      ['G5', 'U4', 'accepted'],
    ]);
    const before = await snapshot();
    const done = await imported(bytes);
    expect(done, JSON.stringify(done.processing_warnings)).toMatchObject({
      workflow_state: 'imported',
      statistics: { total_state_changes: 0 },
    });
    expect(await snapshot()).toEqual(before);
  }
});

test('an export of one type is one CSV file, optionally limited to a term or to SIS-created rows', async () => {
  const one = await made('sis_export_csv', { courses: true, enrollment_term_id: 'sis_term_id:T1' });
  expect(one.attachment['content-type']).toBe('text/csv');
  expect((await rowsOf(one)).map((row) => row.course_id)).toEqual(['C1', 'C3']);
  const every = await rowsOf(await made('provisioning_csv', { courses: true }));
  expect(every.find((row) => row.long_name === 'By hand')).toMatchObject({ course_id: '', status: 'published', created_by_sis: 'false' });
  const bySis = await rowsOf(await made('provisioning_csv', { courses: true, created_by_sis: true }));
  expect(bySis.map((row) => row.course_id)).toEqual(['C1', 'C2', 'C3']);
  const sets = await rowsOf(await made('provisioning_csv', { group_categories: true }));
  expect(sets.map((row) => [row.group_category_id, row.course_id, row.category_name, row.created_by_sis])).toEqual([
    ['K1', 'C1', 'Projects', 'true'],
    ['K2', '', 'Boards', 'true'],
    ['', 'C1', 'Student Groups', 'false'],
    ['', '', 'Communities', 'false'],
    ['', 'C1', 'Without SIS ids', 'false'],
  ]);
  const inTerm = await rowsOf(await made('provisioning_csv', { group_membership: true, enrollment_term_id: 'sis_term_id:T1' }));
  expect(inTerm.map((row) => [row.group_id, row.user_id])).toEqual([['G1', 'U1']]);
  const people = await rowsOf(
    await made('provisioning_csv', { enrollments: true, enrollment_filter: 'StudentEnrollment', enrollment_states: 'active' }),
  );
  expect(people).toMatchObject([{ user_id: 'U1', role: 'student', base_role_type: 'StudentEnrollment', limit_section_privileges: 'true' }]);
});

test('user activity is reported', async () => {
  const zero = await rowsOf(await made('zero_activity_csv', { course_id: 'sis_course_id:C1' }));
  expect(zero).toMatchObject([{ 'user sis id': 'U1', name: 'Lee, Ann', 'course sis id': 'C1', 'section sis id': 'S1' }]);
  const activity = await rowsOf(await made('last_enrollment_activity_csv', { course_id: 'sis_course_id:C2' }));
  expect(activity).toMatchObject([{ 'user sis id': 'U2', 'enrollment type': 'TeacherEnrollment', 'last activity at': '' }]);
  const { id } = ok(await client.get('/users/sis_user_id:U2'));
  const [noon, evening] = ['2026-09-01T12:00:00Z', '2026-09-01T19:00:00Z'];
  await addViews([aView(id, noon, { remote_ip: '192.0.2.1' }), aView(id, '2026-09-01T11:00:00Z')], noon);
  const access = await rowsOf(await made('last_user_access_csv', { course_id: 'sis_course_id:C2' }));
  expect(access).toMatchObject([{ 'user sis id': 'U2', 'last access at': noon, 'last ip': '192.0.2.1' }]);
  // Views that arrive late do not set it back.
  await addViews([aView(id, evening, { remote_ip: '192.0.2.2' })], evening);
  await addViews([aView(id, noon, { remote_ip: '192.0.2.3' })], evening);
  expect(await rowsOf(await made('last_user_access_csv', { course_id: 'sis_course_id:C2' }))).toMatchObject([
    { 'last access at': evening, 'last ip': '192.0.2.2' },
  ]);

  const course = ok(await client.get('/courses/sis_course_id:C1'));
  const range = { start_at: '2026-09-01', end_at: '2026-09-10', course_id: 'sis_course_id:C1' };
  expect(await rowsOf(await made('students_with_no_submissions_csv', range))).toEqual([]);
  const essay = ok(
    await client.post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', published: true, points_possible: 20 } }),
    201,
  );
  expect(await rowsOf(await made('students_with_no_submissions_csv', range))).toMatchObject([{ 'user sis id': 'U1' }]);
  ok(await client.put(`/courses/${course.id}/assignments/${essay.id}/submissions/sis_user_id:U1`, { submission: { posted_grade: 15 } }));
  const grades = await rowsOf(await made('grade_export_csv', { enrollment_term_id: 'sis_term_id:T1' }));
  const byPeriod = () => made('mgp_grade_export_csv', { enrollment_term_id: 'sis_term_id:T1' });
  expect(new TextDecoder().decode(await bytesOf(await byPeriod()))).toContain('no grading periods configured for this term');
  const [{ 'term id': term } = {}] = grades;
  ok(await client.put(`/courses/${course.id}/settings`, { allow_final_grade_override: true }));
  ok(await client.put(`/courses/${course.id}`, { course: { grading_standard_id: 0 } }));
  const set = ok(
    await client.post('/accounts/1/grading_period_sets', { grading_period_set: { title: 'Halves' }, enrollment_term_ids: [term] }),
    201,
  ).grading_period_set;
  const periods = ok(
    await client.patch(`/grading_period_sets/${set.id}/grading_periods/batch_update`, {
      grading_periods: [
        { title: 'First', start_date: '2026-01-01T00:00:00Z', end_date: '2026-07-01T00:00:00Z' },
        { title: 'Second', start_date: '2026-07-01T00:00:00Z', end_date: '2099-01-01T00:00:00Z' },
      ],
    }),
  ).grading_periods;
  const override_scores = [{ student_id: grades[0]?.['student id'], override_score: 91 }];
  const grading_period_id = periods[1].id;
  ok(await client.put(`/courses/${course.id}/gradebook/final_grade_overrides`, { override_scores, grading_period_id }));
  expect(await rowsOf(await byPeriod())).toMatchObject([
    {
      'student sis': 'U1',
      'grading period set': 'Halves',
      'First grading period id': String(periods[0].id),
      'First current score': '',
      'First override score': '',
      'Second current score': '75',
      'Second unposted final score': '75',
      'Second override score': '91',
      'Second override grade': 'A-',
      'Second current grade': 'C',
      'current score': '75',
      'final grade': 'C',
      'override score': '',
    },
    { 'student sis': 'U2', 'Second current score': '' },
  ]);
  expect(ok(await client.put(`/courses/${course.id}/settings`, { allow_final_grade_override: false }))).toBeTruthy();
  expect(await rowsOf(await byPeriod())).toMatchObject([{ 'Second override score': '', 'Second override grade': '' }, {}]);
  expect(grades).toMatchObject([
    { 'student sis': 'U1', 'course sis': 'C1', 'section sis': 'S1', 'term sis': 'T1', 'current score': '75', 'enrollment state': 'active' },
    { 'student sis': 'U2', 'course sis': 'C1', 'current score': '', 'enrollment state': 'completed' },
  ]);

  const tokens = await rowsOf(await made('user_access_tokens_csv'));
  expect(tokens.find((row) => row['user id'] === String(admin.id))).toMatchObject({ purpose: 'ground', 'dev key name': 'User-Generated' });
  expect(JSON.stringify(tokens)).not.toContain(admin.token);
  expect(await rowsOf(await made('eportfolio_report_csv'))).toEqual([]);
  expect((await made('developer_key_report_csv')).status).toBe('complete');
});

test('every report of the reference exists; those without data here return a table without rows', async () => {
  const names = ok(await client.get('/accounts/1/reports', { per_page: 100 })).map(({ report }: { report: string }) => report);
  expect(names).toHaveLength(20);
  for (const report of ['lti_report_csv']) {
    expect(names).toContain(report);
    const text = new TextDecoder().decode(await bytesOf(await made(report)));
    expect(text.trim().split('\r\n')).toHaveLength(1);
  }
  expect(ok(await client.post('/accounts/1/reports/mgp_grade_export_csv'), 400)).toEqual({
    message: 'parameters[enrollment_term_id] is missing',
  });
});

test('course changes are reported', async () => {
  const named = async (report: string) =>
    (await rowsOf(await made(report, { enrollment_term_id: 'sis_term_id:T1' }))).map((row) => row['course sis id']);
  expect(await named('recently_deleted_courses_csv')).toEqual(['C4']);
  expect(await named('unpublished_courses_csv')).toEqual([]);
  expect(await named('unused_courses_csv')).toEqual(['C3']);
  const storage = await rowsOf(await made('course_storage_csv', { enrollment_term_id: 'sis_term_id:T1' }));
  expect(storage).toMatchObject([{ 'course sis id': 'C1', 'storage used in MB': '0' }, {}]);
});

test('a report is built in parts, and ends the same when interrupted, redelivered, or delivered twice at once', async () => {
  await many(9000, courses, {
    account_id: 1,
    root_account_id: 1,
    enrollment_term_id: 1,
    name: nth('Many '),
    uuid: nth('many'),
    is_public: true,
    workflow_state: 'available',
    settings: {},
    created_at: '2026-09-01T00:00:00Z',
    updated_at: '2026-09-01T00:00:00Z',
  });
  const { id } = ok(await client.post('/accounts/1/reports/public_courses_csv'));
  const at = `/accounts/1/reports/public_courses_csv/${id}`;
  let puts = 0;
  const brokenOff = {
    ...platform,
    DB: platform.DB,
    WORK: platform.WORK,
    FILES: new Proxy(platform.FILES, {
      get(bucket, name) {
        if (name === 'put' && puts++ >= 1) throw new Error('the line is dead');
        const own = Reflect.get(bucket, name);
        return typeof own === 'function' ? own.bind(bucket) : own;
      },
    }),
  } as Platform;
  const outcome = await runReport({ job: 'account_report', ids: [id] }, brokenOff).then(
    () => 'ended',
    () => 'broken off',
  );
  // The queue's own delivery may have been faster.
  if (outcome === 'broken off') expect(ok(await client.get(at)).progress).toBeLessThan(100);
  await Promise.all([1, 2].map(() => runReport({ job: 'account_report', ids: [id] }, platform)));
  for (let n = 0; n < 400 && ok(await client.get(at)).status !== 'complete'; n += 1) await new Promise((resume) => setTimeout(resume, 50));
  const told = ok(await client.get(at));
  const rows = await rowsOf(told);
  expect(rows.length).toBe(9001);
  expect(new Set(rows.map((row) => row['course id'])).size).toBe(9001);
  expect(told.current_line).toBe(9001);
  const text = new TextDecoder().decode(await bytesOf(told));
  await runReport({ job: 'account_report', ids: [id] }, platform);
  expect(new TextDecoder().decode(await bytesOf(ok(await client.get(at))))).toBe(text);
  expect(
    (await all("select 1 from files where display_name like 'public_courses_%' and workflow_state = 'available' and size > 100000")).length,
  ).toBe(1);
});

test('an archive written by the service can be read by it', async () => {
  const told = await made('provisioning_csv');
  const bytes = await bytesOf(told);
  await env.FILES.put('test.zip', bytes);
  const entries = await zipEntriesOf(env.FILES, 'test.zip', bytes.length);
  for (const entry of entries) for await (const part of contentOf(env.FILES, 'test.zip', entry)) expect(part.length).toBeGreaterThan(0);
  expect(entries.map(({ name }) => name)).toContain('users.csv');
});

test('outcomes of an account are reported as an import reads them, and what students have reached', async () => {
  const account = (await ground.account({ name: 'Faculty of outcomes' })).id;
  const [at, { course, teacher, student, student2 }] = [`/accounts/${account}`, await aCourse(ground, { account_id: account })];
  const importFile = async (content: string) => {
    const form = new FormData();
    form.set('attachment', new File([content], 'outcomes.csv'));
    const { id } = ok(await client.post(`${at}/outcome_imports`, form));
    await importOutcomes({ job: 'outcome_import', ids: [id] }, platform as never);
    return ok(await client.get(`${at}/outcome_imports/${id}`));
  };
  const head =
    'vendor_guid,object_type,title,description,display_name,calculation_method,calculation_int,parent_guids,workflow_state,mastery_points,ratings';
  const lines = [
    'w,group,"=Writing, ""all""",,,,,,active,,',
    'd,group,Drafts,Texts,,,,w,active,,',
    "o,outcome,=1+1,,-Short,n_mastery,2,d w,active,3,5,'=Good,3,Enough,0,Poor",
  ];
  expect(await importFile([head, ...lines].join('\n'))).not.toHaveProperty('processing_errors');
  const [root] = ok(await client.get(`${at}/outcome_groups`));
  ok(await client.post(`${at}/outcome_groups/${root.id}/outcomes`, { title: 'Unnamed', vendor_guid: 'a b' }));
  const exported = async () => new TextDecoder().decode(await bytesOf(await made('outcome_export_csv', {}, account)));
  const first = await exported();
  expect(cellsOf(first).map((row) => [row.vendor_guid, row.object_type, row.title, row.parent_guids])).toEqual([
    ['w', 'group', `'=Writing, "all"`, ''],
    ['d', 'group', 'Drafts', 'w'],
    ['o', 'outcome', "'=1+1", expect.stringMatching(/^(w d|d w)$/)],
    [expect.stringMatching(/^canvas_outcome:\d+$/), 'outcome', 'Unnamed', ''],
  ]);
  expect(first).toMatch(/'-Short,n_mastery,2,(?:w d|d w),active,3,5,'=Good,3,Enough,0,Poor\r\n/);
  expect(await importFile(first)).not.toHaveProperty('processing_errors');
  expect(await exported()).toBe(first);

  const links = ok(await client.get(`${at}/outcome_group_links`));
  const outcome = links.find((link: { outcome: { title: string } }) => link.outcome.title === '=1+1').outcome.id;
  const assignment = ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', published: true, points_possible: 4 } }),
    201,
  );
  const { rubric, rubric_association } = ok(
    await as(teacher).post(`/courses/${course.id}/rubrics`, {
      rubric: {
        title: 'Essay',
        criteria: [{ description: 'Sums', learning_outcome_id: outcome, ratings: [{ points: 4 }, { points: 0 }] }],
      },
      rubric_association: { association_id: assignment.id, association_type: 'Assignment', purpose: 'grading' },
    }),
  );
  for (const [person, points] of [
    [student2, 2.4],
    [student, 4],
  ] as const)
    ok(
      await as(teacher).post(`/courses/${course.id}/rubric_associations/${rubric_association.id}/rubric_assessments`, {
        rubric_assessment: { user_id: person.id, assessment_type: 'grading', [`criterion_${rubric.data[0].id}`]: { points } },
      }),
    );
  ok(
    await as(teacher).put(`/courses/${course.id}/assignments/${assignment.id}/submissions/${student.id}`, {
      submission: { posted_grade: 4 },
    }),
  );
  const map = async (parameters: object = {}) => rowsOf(await made('student_assignment_outcome_map_csv', parameters, account));
  const aligned = await map();
  expect(aligned.map((row) => [row['student id'], row['submission score'], row['learning outcome name']])).toEqual([
    [String(student.id), '4', "'=1+1"],
    [String(student2.id), '', "'=1+1"],
  ]);
  expect(aligned[0]).toEqual({
    'student name': 'Student, Sam',
    'student id': String(student.id),
    'student sis id': '',
    'assignment title': 'Essay',
    'assignment id': String(assignment.id),
    'submission date': '',
    'submission score': '4',
    'learning outcome name': "'=1+1",
    'learning outcome friendly name': "'-Short",
    'learning outcome id': String(outcome),
    'course name': expect.any(String),
    'course id': String(course.id),
    'course sis id': '',
    'assignment url': `/courses/${course.id}/assignments/${assignment.id}`,
  });
  expect(await map({ course_id: course.id })).toHaveLength(2);
  expect(await map({ course_id: (await aCourse(ground, { account_id: account })).course.id })).toEqual([]);
  const only = { only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student2.id] }] };
  ok(await as(teacher).put(`/courses/${course.id}/assignments/${assignment.id}`, { assignment: only }));
  expect((await map()).map((row) => row['student id'])).toEqual([String(student2.id)]);
  ok(
    await as(teacher).put(`/courses/${course.id}/assignments/${assignment.id}`, {
      assignment: { only_visible_to_overrides: false, assignment_overrides: [] },
    }),
  );
  const reached = await rowsOf(await made('outcome_results_csv', { order: 'users' }, account));
  expect(reached).toMatchObject([
    {
      'student id': String(student.id),
      'assignment title': 'Essay',
      'assessment type': 'Assignment',
      'learning outcome name': "'=1+1",
      'learning outcome friendly name': "'-Short",
      'submission score': '4',
      'learning outcome mastered': '1',
      'learning outcome rating': "'=Good",
      'learning outcome rating points': '5',
      'course id': String(course.id),
    },
    { 'student id': String(student2.id), 'submission score': '2.4', 'learning outcome mastered': '0', 'learning outcome rating': 'Enough' },
  ]);
  const byDefault = await rowsOf(await made('outcome_results_csv', { order: 'sideways', course_id: course.id }, account));
  expect(byDefault.map((row) => row['student id'])).toEqual([String(student2.id), String(student.id)]);
  ok(await client.del(`/courses/${course.id}?event=delete`));
  expect(await rowsOf(await made('outcome_results_csv', {}, account))).toEqual([]);
  expect(await rowsOf(await made('outcome_results_csv', { include_deleted: true }, account))).toHaveLength(2);
  expect(await rowsOf(await made('outcome_results_csv', {}, (await ground.account()).id))).toEqual([]);
});
