// Requests that once caused internal errors.

import { SELF } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { as, base, ground, ok } from '../support/api';
import { aCourse } from '../support/ground';
import { csv, ending, sent } from '../support/sis';
import { bent } from '../support/spoiled';

const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
const scene = await aCourse(ground);
const root = await ground.admin();
const { course, teacher, student, observer } = scene;
const at = `/courses/${course.id}`;

test('an observer lists their own assignments of a course', async () => {
  ok(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', published: true } }), 201);
  ok(await as(observer).get(`/users/self/courses/${course.id}/assignments`));
  ok(await as(observer).get(`/users/${student.id}/courses/${course.id}/assignments`));
  for (const id of [1, 99_999_999, 'page_id:1']) {
    const work = `${at}/assignments/${id}/submissions/${observer.id}`;
    expect((await as(observer).get(work)).status).toBeLessThan(500);
    expect((await as(observer).post(`${work}/comments/files`, { name: 'x.txt' })).status).toBeLessThan(500);
  }
});

test('a page whose address does not match its title is duplicated, alone and with its module', async () => {
  const pageOf = async (title: string) => ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title } }));
  ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Plan' } }));
  const second = await pageOf('Plan!');
  expect(second.url).toBe('plan-2');
  await pageOf('Plan Copy');
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Module' } }));
  ok(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: { type: 'Page', page_url: second.url } }));
  expect(ok(await as(teacher).post(`${at}/pages/${second.url}/duplicate`))).toMatchObject({ title: 'Plan! Copy', url: 'plan-2-copy' });
  ok(await as(teacher).post(`${at}/modules/${module.id}/duplicate`));
  expect(ok(await as(teacher).get(`${at}/pages/plan-2-copy-2`)).title).toBe('Plan! Copy 2');
});

test('a feed cursor with a spoiled part restarts the feed', async () => {
  const { cursor } = ok(await as(student).get('/api/sync/v1/changes'));
  for (let turn = 0; turn < 84; turn++) {
    const { status, body } = await as(student).get('/api/sync/v1/changes', { cursor: bent(cursor, turn) });
    expect(status, `turn ${turn}: ${JSON.stringify(body)}`).toBeLessThan(500);
    if (status !== 200) expect(body).toMatchObject({ error: 'must_refetch' });
  }
});

test('integration data of an assignment group may be sent as a form', async () => {
  const made = ok(await as(root).post(`${at}/assignment_groups`, { name: 'Group', integration_data: { a: 'x', b: ['y'] } }));
  expect(made.integration_data).toEqual({ a: 'x', b: ['y'] });
  const changed = ok(await as(root).put(`${at}/assignment_groups/${made.id}`, { integration_data: { c: { d: 'z' } } }));
  expect(changed.integration_data).toEqual({ c: { d: 'z' } });
});

test('integration data that is not an object is refused or cleared', async () => {
  const group = ok(await as(root).post(`${at}/assignment_groups`, { name: 'Group' }));
  const { id } = ok(await as(root).post(`${at}/assignments`, { assignment: { name: 'Essay' } }), 201);
  for (const integration_data of [null, 'null', 1, '1', 'x', '', [], '[]', [null]]) {
    const sent = JSON.stringify(integration_data);
    for (const json of [true, false]) {
      const answers = [
        await as(root).post(`${at}/assignment_groups`, { name: 'Group', integration_data }, { json }),
        await as(root).put(`${at}/assignment_groups/${group.id}`, { integration_data }, { json }),
        await as(root).put(`${at}/assignments/${id}`, { assignment: { integration_data } }, { json }),
      ];
      for (const { status, body } of answers) expect.soft(status, `${sent} ${JSON.stringify(body)}`).toBeLessThan(500);
    }
  }
});

test('of two simultaneous course resets the second finds no course', async () => {
  const twice = await aCourse(ground);
  const reset = () => as(root).post(`/courses/${twice.course.id}/reset_content`);
  const statuses = (await Promise.all([reset(), reset(), reset()])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 404, 404]);
});

test('of simultaneous page duplications some are refused, and none fails', async () => {
  const page = ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Copied at once' } }));
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Copied at once' } }));
  const item = ok(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: { type: 'Page', page_url: page.url } }));
  const addresses = [`/modules/items/${item.id}/duplicate`, `/modules/${module.id}/duplicate`, `/pages/${page.url}/duplicate`];
  const answers = await Promise.all([...addresses, ...addresses].map((address) => as(teacher).post(`${at}${address}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
});

test('users of an SIS file with an invalid status get a warning', async () => {
  const people = inherited.map((word) => [`SIS-${word}`, `sis-${word}@example.edu`, word]);
  const { id } = await sent(as(root), csv('user_id,login_id,status', ...people));
  const imported = await ending(as(root), id);
  expect(imported.workflow_state).toBe('imported_with_messages');
  expect(imported.processing_warnings).toHaveLength(inherited.length);
});

test('an address that is a nested list is refused by name', async () => {
  const refused = await as(root).put('/accounts/1/authentication_providers/1', { unknown_user_url: [[]] }, { json: true });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ message: 'unknown_user_url is not a text' }] } });
});

test('a graded discussion with a taken SIS id is refused by name', async () => {
  const graded = (title: string) => ({ title, published: true, assignment: { points_possible: 1, sis_assignment_id: 'TAKEN' } });
  ok(await as(root).post(`${at}/discussion_topics`, graded('First')));
  const again = await as(root).post(`${at}/discussion_topics`, graded('Second'));
  expect(again.status).toBe(400);
  expect(JSON.stringify(again.body)).toContain('sis_assignment_id');
});

test.each(inherited)('sort=%s is ignored', async (word) => {
  ok(await as(teacher).get(`${at}/pages`, { sort: word }));
  ok(await as(root).get('/accounts/1/courses', { sort: word, order: word }));
  ok(await as(root).get('/accounts/1/users', { sort: word, enrollment_type: word }));
});

test.each(inherited)('a permission called %s is one that no one has', async (word) => {
  for (const path of [at, '/accounts/1']) {
    const { status, body } = await as(root).get(`${path}/permissions`, { permissions: [word] });
    expect(status).toBe(200);
    expect(Object.entries(body)).toEqual([[word, false]]);
  }
});

test('parameters named like inherited object properties are read as names', async () => {
  const queries = [
    'recursive[__proto__]=1',
    'recursive[constructor]=1',
    '__proto__=1',
    '__proto__[a]=1',
    'constructor[a]=1',
    'include[__proto__]=1',
  ];
  for (const path of ['/accounts/1/sub_accounts', '/accounts', '/courses', `${at}/users`])
    for (const query of queries) {
      const response = await SELF.fetch(`${base}/api/v1${path}?${query}`, { headers: { Authorization: `Bearer ${root.token}` } });
      await response.arrayBuffer();
      expect.soft(response.status, `${path}?${query}`).toBeLessThan(500);
    }
});
