// Statuses of submissions that the institution defines, and what they replace.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { removeDeletedStatuses } from '@carrel/worker/domains/submissions/grading/deleted_statuses';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { Client } from '../support/client';
import { aCourse } from '../support/ground';

const all = '/accounts/1/custom_grade_statuses';
let root: Client;

beforeAll(async () => {
  root = as(await ground.admin());
});

beforeEach(async () => {
  for (const { id } of ok(await root.get(all))) ok(await root.del(`${all}/${id}`));
  await settle();
});

const settle = async () => {
  const db = open(env.DB, newMeter(), 'first-primary');
  while ((await removeDeletedStatuses(db, '2026-11-28T12:00:00Z')) > 0);
};

const create = async (name: string, color = '#f5c2e7') => ok(within(await root.post(all, { name, color }), 3)).id as number;
const past = '2026-01-01T00:00:00Z';

async function aScene() {
  const scene = await aCourse(ground);
  const at = `/courses/${scene.course.id}`;
  const teacher = as(scene.teacher);
  const essay = { name: 'Essay', published: true, points_possible: 10, submission_types: ['online_text_entry'], due_at: past };
  const { id } = ok(await teacher.post(`${at}/assignments`, { assignment: essay }), 201);
  const single = `${at}/assignments/${id}/submissions/${scene.student.id}`;
  const put = (submission: object, client = teacher) => client.put(single, { submission });
  const read = async (client = teacher) => ok(within(await client.get(`${single}?include[]=submission_history`), 2));
  return { ...scene, at, single, put, read, client: as(scene.student), teaches: teacher };
}

test('administrators define at most three statuses, which everyone in a course reads', async () => {
  const { at, teaches, client, stranger } = await aScene();
  const first = await create('In progress');
  expect(ok(within(await root.get(`${all}/${first}`), 2))).toEqual({ id: first, name: 'In progress', color: '#f5c2e7' });
  expect(ok(within(await root.put(`${all}/${first}`, { name: 'Pending', color: '#ABC' }), 3))).toEqual({
    id: first,
    name: 'Pending',
    color: '#ABC',
  });
  await create('Waived');
  expect(
    (await Promise.all(['A', 'B'].map((name) => root.post(all, { name, color: '#000000' })))).map(({ status }) => status).sort(),
  ).toEqual([200, 400]);
  expect(ok(await root.post(all, { name: 'Fourth', color: '#000000' }), 400).errors.base[0].message).toMatch(/at most 3/);
  expect(
    ok(within(await client.get(`${at}/custom_grade_statuses`), 2))
      .map(({ name }: { name: string }) => name)
      .slice(0, 2),
  ).toEqual(['Pending', 'Waived']);
  ok(await as(stranger).get(`${at}/custom_grade_statuses`), 401);
  for (const [wrong, field] of [
    [{ name: ' ', color: '#000000' }, 'name'],
    [{ name: 'x'.repeat(15), color: '#000000' }, 'name'],
    [{ name: 'x', color: '#00000' }, 'color'],
    [{ name: 'x', color: 'red' }, 'color'],
  ] as const) {
    expect(ok(await root.post(all, wrong), 400).errors).toHaveProperty(field);
    expect(ok(await root.put(`${all}/${first}`, wrong), 400).errors).toHaveProperty(field);
  }
  for (const missing of [{ name: 'x' }, { color: '#000000' }]) ok(await root.post(all, missing), 400);
  const branch = await ground.account();
  ok(await root.post(`/accounts/${branch.id}/custom_grade_statuses`, { name: 'x', color: '#000000' }), 404);
  for (const person of [teaches, client, as(await ground.admin({ account_id: branch.id }))])
    ok(await person.post(all, { name: 'x', color: '#000000' }), 401);
  ok(await root.put(`${all}/999999`, { name: 'x' }), 404);
  ok(within(await root.del(`${all}/${first}`), 3));
  ok(await root.del(`${all}/${first}`), 404);
  ok(await root.get(`${all}/${first}`), 404);
  expect(ok(await root.get(all))).toHaveLength(2);
});

test('a custom status replaces late and missing, and another status or a submission replaces it', async () => {
  const { put, read, client, single, at } = await aScene();
  const status = await create('In progress');
  expect(await read()).toMatchObject({ missing: true, late_policy_status: null, custom_grade_status_id: null });
  ok(await put({ late_policy_status: 'late', seconds_late_override: 60 }));
  expect(ok(within(await put({ custom_grade_status_id: status }), 3))).toMatchObject({
    custom_grade_status_id: status,
    late_policy_status: null,
    late: false,
    missing: false,
  });
  expect(await read(client)).toMatchObject({ custom_grade_status_id: status, missing: false });
  expect(ok(await put({ posted_grade: 4 }))).toMatchObject({ custom_grade_status_id: status, score: 4 });
  expect(ok(await put({ late_policy_status: 'missing' }))).toMatchObject({ custom_grade_status_id: null, missing: true });
  ok(await put({ custom_grade_status_id: status }));
  expect(ok(await put({ custom_grade_status_id: null }))).toMatchObject({ custom_grade_status_id: null, late_policy_status: null });
  ok(await put({ late_policy_status: 'extended' }));
  expect(ok(await put({ custom_grade_status_id: '' }))).toMatchObject({ late_policy_status: 'extended' });
  ok(await put({ custom_grade_status_id: status }));
  expect(ok(await put({ excuse: true }))).toMatchObject({ excused: true, custom_grade_status_id: null, late_policy_status: null });
  ok(await put({ excuse: false }));
  ok(await put({ custom_grade_status_id: status }));
  const text = { submission: { submission_type: 'online_text_entry', body: 'Done' } };
  ok(await client.post(single.replace(/\/\d+$/, ''), text), 201);
  expect(await read()).toMatchObject({ custom_grade_status_id: null, late: true });
  ok(await put({ custom_grade_status_id: status }));
  ok(await client.post(single.replace(/\/\d+$/, ''), text), 201);
  const { submission_history } = await read();
  expect(submission_history.map((one: { custom_grade_status_id: number }) => one.custom_grade_status_id)).toEqual([status, null]);
  expect(ok(await client.get(`${at}/students/submissions`))[0]).toMatchObject({ custom_grade_status_id: null });
});

test('unknown and deleted statuses are refused, and two statuses at once', async () => {
  const { put, client, read } = await aScene();
  const status = await create('In progress');
  for (const wrong of [999_999, 'x', [1]])
    expect(JSON.stringify(ok(await put({ custom_grade_status_id: wrong }), 400))).toMatch(/custom_grade_status_id/);
  expect(ok(await put({ custom_grade_status_id: status, late_policy_status: 'late' }), 400).error).toMatch(/exclude/);
  ok(await put({ custom_grade_status_id: status }, client), 401);
  ok(await root.del(`${all}/${status}`));
  ok(await put({ custom_grade_status_id: status }), 400);
  expect(await read()).toMatchObject({ custom_grade_status_id: null });
});

test('a custom status lifts the deduction for lateness, which returns when the status is deleted', async () => {
  const { put, read, client, single, teaches, at } = await aScene();
  const late_policy = { late_submission_deduction_enabled: true, late_submission_deduction: 10, late_submission_interval: 'day' };
  ok(await teaches.post(`${at}/late_policy`, { late_policy }), 201);
  ok(await client.post(single.replace(/\/\d+$/, ''), { submission: { submission_type: 'online_text_entry', body: 'Late' } }), 201);
  const deducted = ok(await put({ posted_grade: 10 }));
  expect(deducted.score).toBeLessThan(10);
  const status = await create('Waived');
  expect(ok(await put({ custom_grade_status_id: status }))).toMatchObject({ score: 10, late: false });
  ok(await root.del(`${all}/${status}`));
  await settle();
  expect(await read()).toMatchObject({ custom_grade_status_id: null, late: true, score: deducted.score });
});

const ask = async (client: Client, query: string) => {
  const body = ok(await client.post('/api/graphql', { query }));
  expect(body.errors).toBe(undefined);
  return body.data;
};

test('graders give final grades a status, with a score or alone, which graders see', async () => {
  const { teaches, client, student, at } = await aScene();
  const status = await create('Waived');
  const list = `${at}/gradebook/final_grade_overrides`;
  const save = (row: object) => teaches.put(list, { override_scores: [{ student_id: student.id, ...row }] });
  const stored = async () => ok(within(await teaches.get(list), 2)).final_grade_overrides;
  const gradesFor = async (reader: Client) => ok(within(await reader.get(`${at}/enrollments`, { user_id: student.id }), 2))[0].grades;
  const logged = async () => ok(await root.get(`/audit/grade_change/students/${student.id}`)).events.length;
  ok(await save({ custom_grade_status_id: status }), 401);
  ok(await teaches.put(`${at}/settings`, { allow_final_grade_override: true }));

  const alone = { [student.id]: { course_grade: { percentage: null, custom_grade_status_id: status } } };
  expect(ok(within(await save({ custom_grade_status_id: status }), 3)).final_grade_overrides).toEqual(alone);
  expect(await stored()).toEqual(alone);
  expect(await gradesFor(teaches)).toMatchObject({ custom_grade_status_id: status });
  expect(await gradesFor(teaches)).not.toHaveProperty('override_score');
  expect(await gradesFor(client)).not.toHaveProperty('custom_grade_status_id');
  expect(await logged()).toBe(0);

  const both = { [student.id]: { course_grade: { percentage: 70, custom_grade_status_id: status } } };
  expect(ok(await save({ override_score: 70 })).final_grade_overrides).toEqual(both);
  expect(await stored()).toEqual(both);
  expect(await logged()).toBe(1);
  expect(ok(await save({ override_score: '', custom_grade_status_id: '' })).final_grade_overrides).toEqual({});
  expect(await stored()).toEqual({});

  const unknown = ok(await save({ custom_grade_status_id: 999_999 }), 400);
  expect(unknown.errors).toHaveProperty(['override_scores[0][custom_grade_status_id]']);
  ok(await client.put(list, { override_scores: [{ student_id: student.id, custom_grade_status_id: status }] }), 401);

  const [{ id }] = ok(await teaches.get(`${at}/enrollments`, { user_id: student.id }));
  const set = (to: string) =>
    `mutation { setOverrideStatus(input: {enrollmentId: "${id}", customGradeStatusId: ${to}}) { grades { customGradeStatusId overrideScore } errors { attribute message } } }`;
  expect((await ask(teaches, set(`"${status}"`))).setOverrideStatus).toEqual({
    grades: { customGradeStatusId: String(status), overrideScore: null },
    errors: null,
  });
  expect((await ask(teaches, set('"999999"'))).setOverrideStatus).toMatchObject({ errors: [{ attribute: 'customGradeStatusId' }] });
  const read = `{ course(id: "${at.split('/')[2]}") { enrollmentsConnection(filter: {userIds: ["${student.id}"]}) { nodes { grades { customGradeStatusId } } } } }`;
  expect((await ask(teaches, read)).course.enrollmentsConnection.nodes).toEqual([{ grades: { customGradeStatusId: String(status) } }]);
  ok(await root.del(`${all}/${status}`));
  expect(await stored()).toEqual({});
  expect((await ask(teaches, set('null'))).setOverrideStatus.grades).toEqual({ customGradeStatusId: null, overrideScore: null });
});

test('GraphQL defines statuses and sets them', async () => {
  const { teaches, single, course } = await aScene();
  const make =
    'mutation { upsertCustomGradeStatus(input: {name: "Waived", color: "#000000"}) { customGradeStatus { _id name color } errors { message } } }';
  const made = (await ask(root, make)).upsertCustomGradeStatus.customGradeStatus;
  expect(made).toMatchObject({ name: 'Waived', color: '#000000' });
  const { id } = ok(await teaches.get(single));
  const set = `mutation { updateSubmissionGradeStatus(input: {submissionId: "${id}", customGradeStatusId: "${made._id}"}) { submission { customGradeStatusId customGradeStatus statusTag } } }`;
  expect((await ask(teaches, set)).updateSubmissionGradeStatus.submission).toEqual({
    customGradeStatusId: made._id,
    customGradeStatus: 'Waived',
    statusTag: 'custom',
  });
  const clear = `mutation { updateSubmissionGradeStatus(input: {submissionId: "${id}", customGradeStatusId: null}) { submission { customGradeStatusId } } }`;
  expect((await ask(teaches, clear)).updateSubmissionGradeStatus.submission).toEqual({ customGradeStatusId: null });
  const read = `{ course(id: "${course.id}") { customGradeStatusesConnection { nodes { name } } } account(id: "1") { customGradeStatusesConnection { nodes { _id } } } }`;
  expect((await ask(root, read)).course.customGradeStatusesConnection.nodes).toEqual([{ name: 'Waived' }]);
  const change = `mutation { upsertCustomGradeStatus(input: {id: "${made._id}", name: "Open", color: "#111111"}) { customGradeStatus { name } } }`;
  expect((await ask(root, change)).upsertCustomGradeStatus.customGradeStatus).toEqual({ name: 'Open' });
  expect(
    (await ask(root, `mutation { deleteCustomGradeStatus(input: {id: "${made._id}"}) { customGradeStatusId } }`)).deleteCustomGradeStatus,
  ).toHaveProperty('customGradeStatusId');
  expect(ok(await teaches.get(`/courses/${course.id}/custom_grade_statuses`))).toEqual([]);
});
