// Webhooks: events of writes reach the receivers of their subscriptions, signed, once and in order; without a subscription they cost nothing.

import { env } from 'cloudflare:test';
import { createHmac } from 'node:crypto';
import { newMeter, open } from '@carrel/worker/database/open';
import { postGrades } from '@carrel/worker/domains/submissions/posting/posting';
import { deliverWebhooks } from '@carrel/worker/domains/webhooks/deliver';
import { pauseOverfull, queueDeliveries } from '@carrel/worker/domains/webhooks/waiting';
import type { Job, Platform } from '@carrel/worker/platform';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import type { ReceivedHook } from '../support/public_web';

type Scene = Awaited<ReturnType<typeof aCourse>>;
// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

let scene: Scene;
let admin: Person;
let at = '';
const base = '/accounts/1/webhook_subscriptions';
const web = 'https://files.carrel.org/hooks';
const platform = env as unknown as Platform;
let receivers = 0;

/** A receiver that no other test uses. */
const newReceiver = (query = '') => `${web}/r${++receivers}${query}`;
const subscribe = async (event_types: string[], given: object = {}): Promise<Body> =>
  ok(within(await as(admin).post(base, { url: newReceiver(), event_types, ...given }), 3));
const deliver = (...all: { id: number }[]) => deliverWebhooks({ job: 'deliver_webhooks', ids: all.map(({ id }) => id) } as Job, platform);
const receivedBy = async ({ url }: { url: string }): Promise<ReceivedHook[]> => (await fetch(url.replace(/\?.*/, ''))).json();
const eventsOf = async (subscription: { url: string }): Promise<Body[]> =>
  (await receivedBy(subscription)).map(({ body, status }) => ({ ...JSON.parse(body), status }));
/** Delivers, and returns the names and bodies of what the receiver got. */
const sent = async (subscription: Body) => {
  await deliver(subscription);
  return eventsOf(subscription);
};
const waiting = async (): Promise<number> => (await env.DB.prepare('select count(*) as n from webhook_deliveries').first('n')) as number;
/** Makes waiting events due. */
const later = () => env.DB.prepare("update webhook_deliveries set next_attempt_at = null where workflow_state = 'pending'").run();

beforeAll(async () => {
  scene = await aCourse(ground);
  admin = await ground.admin();
  at = `/courses/${scene.course.id}`;
});

afterEach(async () => {
  for (const { id } of ok(await as(admin).get(`${base}?per_page=50`))) ok(await as(admin).del(`${base}/${id}`));
  await env.DB.prepare('delete from webhook_deliveries').run();
});

test('only administrators who run the service manage subscriptions', async () => {
  const { teacher, student } = scene;
  const branch = await ground.account();
  const branchAdmin = await ground.admin({ account_id: branch.id });
  const one = await subscribe(['course_created']);
  for (const who of [teacher, student, branchAdmin]) {
    ok(await as(who).get(base), 401);
    ok(await as(who).post(base, { url: newReceiver(), event_types: ['course_created'] }), 401);
    ok(await as(who).get(`${base}/${one.id}`), 401);
    ok(await as(who).put(`${base}/${one.id}`, { name: 'mine' }), 401);
    ok(await as(who).post(`${base}/${one.id}/rotate_secret`), 401);
    ok(await as(who).get(`${base}/${one.id}/dead_letters`), 401);
    ok(await as(who).del(`${base}/${one.id}`), 401);
  }
  ok(await as(branchAdmin).get(`/accounts/${branch.id}/webhook_subscriptions`), 401);
  ok(await as(admin).get(`/accounts/${branch.id}/webhook_subscriptions`), 401);
});

test('a subscription shows its secret once, and can be changed, paused and deleted', async () => {
  const one = await subscribe(['course_created', 'course_created', 'user_created'], { name: ' Warehouse ' });
  expect(one).toMatchObject({
    name: 'Warehouse',
    user_id: admin.id,
    context_type: 'root_account',
    context_id: 1,
    event_types: ['course_created', 'user_created'],
    format: 'live-event',
    transport_type: 'https',
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    workflow_state: 'active',
    waiting_count: 0,
    dead_letter_count: 0,
  });
  expect(JSON.stringify(await env.DB.prepare('select * from webhook_subscriptions').all())).not.toContain(one.secret);
  expect(ok(within(await as(admin).get(`${base}/${one.id}`), 2)).secret).toBeNull();
  expect(ok(within(await as(admin).get(base), 2))).toEqual([{ ...one, secret: null }]);
  const topics = async () =>
    (await env.DB.prepare('select event from webhook_topics order by event').all()).results.map(({ event }) => event);
  expect(await topics()).toEqual(['course_created', 'user_created']);
  const changed = ok(within(await as(admin).put(`${base}/${one.id}`, { event_types: ['group_created'], name: '' }), 3));
  expect(changed).toMatchObject({ name: 'Warehouse', event_types: ['group_created'], url: one.url });
  expect(await topics()).toEqual(['group_created']);
  expect(ok(await as(admin).put(`${base}/${one.id}`, { workflow_state: 'paused' }))).toMatchObject({ workflow_state: 'paused' });
  expect(await topics()).toEqual([]);
  ok(await as(admin).put(`${base}/${one.id}`, { workflow_state: 'active' }));
  expect(await topics()).toEqual(['group_created']);
  expect(ok(within(await as(admin).del(`${base}/${one.id}`), 3)).id).toBe(one.id);
  expect(await topics()).toEqual([]);
  ok(await as(admin).get(`${base}/${one.id}`), 404);
  ok(await as(admin).put(`${base}/${one.id}`, { workflow_state: 'active' }), 404);
  ok(await as(admin).post(`${base}/${one.id}/rotate_secret`), 404);
  ok(await as(admin).del(`${base}/${one.id}`), 404);
  expect(await topics()).toEqual([]);
});

test('a subscription names an https address on the public web, events that exist, and a course or account', async () => {
  const event_types = ['course_created'];
  for (const url of [
    undefined,
    '',
    'x',
    'http://files.carrel.org/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://a:b@carrel.org/',
  ])
    expect(ok(await as(admin).post(base, { url, event_types }), 400).errors.url).toHaveLength(1);
  const url = newReceiver();
  expect(ok(await as(admin).post(base, { url, event_types: ['course_created', 'nonsense'] }), 400).errors.event_types[0].message).toContain(
    'nonsense',
  );
  expect(ok(await as(admin).post(base, { url, event_types: [] }), 400).errors.event_types).toHaveLength(1);
  for (const place of [
    { context_type: 'course', context_id: 999_999 },
    { context_type: 'account', context_id: 999_999 },
    { context_id: 2 },
  ])
    expect(JSON.stringify(ok(await as(admin).post(base, { url, event_types, ...place }), 400))).toContain('context_id');
  ok(await as(admin).post(base, { url, event_types, context_type: 'planet' }), 400);
  const one = await subscribe(event_types);
  ok(await as(admin).put(`${base}/${one.id}`, { url: 'https://10.0.0.1/' }), 400);
  ok(await as(admin).put(`${base}/${one.id}`, { event_types: ['nonsense'] }), 400);
});

test('the events of a write reach the receiver, signed, in order and once', async () => {
  const one = await subscribe(['assignment_created', 'assignment_updated']);
  const { id } = ok(
    await as(scene.teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', points_possible: 10, published: true } }),
    201,
  );
  ok(await as(scene.teacher).put(`${at}/assignments/${id}`, { assignment: { name: 'Long essay' } }));
  expect(await sent(one)).toMatchObject([
    {
      metadata: {
        event_name: 'assignment_created',
        event_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        producer: 'canvas',
        root_account_id: '1',
        context_type: 'Course',
        context_id: String(scene.course.id),
        context_account_id: '1',
      },
      body: {
        assignment_id: String(id),
        context_id: String(scene.course.id),
        context_type: 'Course',
        title: 'Essay',
        points_possible: 10,
        workflow_state: 'published',
      },
    },
    { metadata: { event_name: 'assignment_updated' }, body: { assignment_id: String(id), title: 'Long essay' } },
  ]);
  const [first, second] = (await receivedBy(one)) as [ReceivedHook, ReceivedHook];
  for (const { headers, body } of [first, second]) {
    const { 'webhook-id': uuid, 'webhook-timestamp': time, 'webhook-signature': signature } = headers;
    const key = Buffer.from(one.secret.slice('whsec_'.length), 'base64');
    expect(signature).toBe(`v1,${createHmac('sha256', key).update(`${uuid}.${time}.${body}`).digest('base64')}`);
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
  }
  expect(first.headers['webhook-id']).not.toBe(second.headers['webhook-id']);
  expect(await waiting()).toBe(0);
  await deliver(one);
  expect(await receivedBy(one)).toHaveLength(2);
});

test('a replaced secret signs for another day beside the new one', async () => {
  const one = await subscribe(['group_category_created']);
  const { secret } = ok(within(await as(admin).post(`${base}/${one.id}/rotate_secret`), 3));
  expect(secret).not.toBe(one.secret);
  const create = async (name: string) => ok(await as(scene.teacher).post(`${at}/group_categories`, { name }));
  await create('Teams');
  await deliver(one);
  await env.DB.prepare("update webhook_subscriptions set previous_secret_expires_at = '2026-01-01T00:00:00Z'").run();
  await create('Pairs');
  await deliver(one);
  const by = (given: string, { headers, body }: ReceivedHook) =>
    `v1,${createHmac('sha256', Buffer.from(given.slice(6), 'base64'))
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
      .digest('base64')}`;
  const [first, second] = (await receivedBy(one)) as [ReceivedHook, ReceivedHook];
  expect(first.headers['webhook-signature']?.split(' ')).toEqual([by(secret, first), by(one.secret, first)]);
  expect(second.headers['webhook-signature']).toBe(by(secret, second));
});

test('an event that the receiver refuses is sent again, and only later events of the same object wait', async () => {
  const one = await subscribe(['wiki_page_created', 'wiki_page_updated', 'module_created'], { url: newReceiver('?fail=1') });
  const page = ok(await as(scene.teacher).post(`${at}/pages`, { wiki_page: { title: 'Tides', body: 'x' } }));
  ok(await as(scene.teacher).put(`${at}/pages/${page.url}`, { wiki_page: { body: 'y' } }));
  ok(await as(scene.teacher).post(`${at}/modules`, { module: { name: 'Week 1' } }));
  const names = async () => (await eventsOf(one)).map(({ metadata, status }) => [metadata.event_name, status]);
  await deliver(one);
  expect(await names()).toEqual([
    ['wiki_page_created', 500],
    ['module_created', 200],
  ]);
  const state = await env.DB.prepare('select attempts, error, next_attempt_at, workflow_state from webhook_deliveries order by id').first();
  expect(state).toMatchObject({ attempts: 1, error: 'the receiver returned 500', workflow_state: 'pending' });
  await deliver(one);
  expect(await names()).toHaveLength(2);
  await later();
  await deliver(one);
  expect((await names()).slice(2)).toEqual([
    ['wiki_page_created', 200],
    ['wiki_page_updated', 200],
  ]);
  const [first, , again] = (await receivedBy(one)) as ReceivedHook[];
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(again?.body).toBe(first?.body);
  expect(JSON.parse((await receivedBy(one))[3]?.body ?? '{}').body).toMatchObject({ body: 'y', old_body: 'x', old_title: 'Tides' });
  expect(ok(await as(admin).get(`${base}/${one.id}`))).toMatchObject({
    failing_since: null,
    waiting_count: 0,
    last_delivered_at: expect.any(String),
  });
});

test('an event that fails eight times is a dead letter, which an administrator sends again or deletes', async () => {
  const one = await subscribe(['module_created'], { url: newReceiver('?fail=9') });
  const create = async (name: string) => ok(await as(scene.teacher).post(`${at}/modules`, { module: { name } }));
  await create('Week 2');
  for (let attempt = 0; attempt < 8; attempt += 1) {
    expect(ok(await as(admin).get(`${base}/${one.id}/dead_letters`))).toEqual([]);
    await later();
    await deliver(one);
  }
  await later();
  await deliver(one);
  expect(await receivedBy(one)).toHaveLength(8);
  const letters = `${base}/${one.id}/dead_letters`;
  const [letter, ...others] = ok(within(await as(admin).get(letters), 2));
  expect(others).toEqual([]);
  expect(letter).toMatchObject({ event_type: 'module_created', attempts: 8, error: 'the receiver returned 500', workflow_state: 'dead' });
  expect(letter.body).toMatchObject({ name: 'Week 2' });
  expect(ok(await as(admin).get(`${base}/${one.id}`))).toMatchObject({ dead_letter_count: 1, last_error: 'the receiver returned 500' });
  const other = await subscribe(['module_created']);
  ok(await as(admin).post(`${base}/${other.id}/dead_letters/${letter.id}/send_again`), 404);
  ok(await as(admin).del(`${base}/${other.id}/dead_letters/${letter.id}`), 404);
  expect(ok(within(await as(admin).post(`${letters}/${letter.id}/send_again`), 3))).toMatchObject({
    workflow_state: 'pending',
    attempts: 0,
  });
  ok(await as(admin).post(`${letters}/${letter.id}/send_again`), 404);
  await env.DB.prepare('update webhook_subscriptions set leased_until = null').run();
  await deliver(one);
  await later();
  await deliver(one);
  expect((await eventsOf(one)).at(-1)).toMatchObject({ status: 200, body: { name: 'Week 2' } });
  await env.DB.prepare("update webhook_subscriptions set url = url || 'again' where id = ?").bind(one.id).run();
  await create('Week 3');
  await env.DB.prepare("update webhook_deliveries set attempts = 7, workflow_state = 'dead' where subscription_id = ?").bind(one.id).run();
  const [last] = ok(await as(admin).get(letters));
  expect(ok(within(await as(admin).del(`${letters}/${last.id}`), 3)).id).toBe(last.id);
  ok(await as(admin).del(`${letters}/${last.id}`), 404);
});

test('a subscription that fails for two days is paused, its owner is notified, and what waits is sent when it is resumed', async () => {
  const one = await subscribe(['module_created'], { url: newReceiver('?fail=2'), name: 'Warehouse' });
  const create = async (name: string) => ok(await as(scene.teacher).post(`${at}/modules`, { module: { name } }));
  await create('Week 4');
  await deliver(one);
  expect(ok(await as(admin).get(`${base}/${one.id}`))).toMatchObject({ workflow_state: 'active', failing_since: expect.any(String) });
  await env.DB.prepare("update webhook_subscriptions set failing_since = '2026-01-01T00:00:00Z'").run();
  await later();
  await deliver(one);
  expect(ok(await as(admin).get(`${base}/${one.id}`))).toMatchObject({
    workflow_state: 'paused',
    is_paused_by_failures: true,
    last_error: 'the receiver returned 500',
    waiting_count: 1,
  });
  expect(
    (await env.DB.prepare("select item_id from notification_queue where notification = 'webhook_subscription_paused'").all()).results,
  ).toEqual([{ item_id: one.id }]);
  await create('while it is paused');
  await later();
  await deliver(one);
  expect(await receivedBy(one)).toHaveLength(2);
  ok(await as(admin).put(`${base}/${one.id}`, { workflow_state: 'active' }));
  await deliver(one);
  expect((await eventsOf(one)).map(({ body }) => body.name)).toEqual(['Week 4', 'Week 4', 'Week 4']);
});

test('a subscription with too many waiting events is paused', async () => {
  const one = await subscribe(['module_created']);
  const db = open(env.DB, newMeter(), 'first-primary');
  for (const name of ['a', 'b']) ok(await as(scene.teacher).post(`${at}/modules`, { module: { name } }));
  await pauseOverfull(db, '2026-11-24T00:00:00Z', 2);
  expect(ok(await as(admin).get(`${base}/${one.id}`)).workflow_state).toBe('active');
  await pauseOverfull(db, '2026-11-24T00:00:00Z', 1);
  expect(ok(await as(admin).get(`${base}/${one.id}`))).toMatchObject({ workflow_state: 'paused', is_paused_by_failures: true });
});

test('a job is queued only for subscriptions with events that may be sent now', async () => {
  const [one, other] = [await subscribe(['module_created']), await subscribe(['group_created'])];
  ok(await as(scene.teacher).post(`${at}/modules`, { module: { name: 'Week 5' } }));
  const db = open(env.DB, newMeter(), 'first-primary');
  const queued: unknown[] = [];
  const WORK = { sendBatch: async (messages: Iterable<{ body: unknown }>) => void queued.push(...[...messages].map(({ body }) => body)) };
  const run = () => queueDeliveries({ WORK } as never, db, '2026-11-24T00:00:00Z');
  await run();
  expect(queued).toEqual([{ job: 'deliver_webhooks', ids: [one.id] }]);
  await env.DB.prepare("update webhook_deliveries set next_attempt_at = '2026-11-25T00:00:00Z'").run();
  await run();
  expect(queued).toHaveLength(1);
  expect(other.id).toBeGreaterThan(one.id);
});

test('events are never sent to private addresses, nor to where a receiver redirects', async () => {
  for (const url of ['https://localtest.me/hook', 'https://one-of-two.inward.carrel.org/hook', newReceiver('?moved=1')]) {
    const one = await subscribe(['module_created'], { url });
    ok(await as(scene.teacher).post(`${at}/modules`, { module: { name: 'Secret' } }));
    await deliver(one);
    const { failing_since, last_error, waiting_count } = ok(await as(admin).get(`${base}/${one.id}`));
    expect([typeof failing_since, waiting_count]).toEqual(['string', 1]);
    expect(last_error).toMatch(/not public|redirects/);
    ok(await as(admin).del(`${base}/${one.id}`));
  }
  expect(await receivedBy({ url: `${web}/other` })).toEqual([]);
});

test('a subscription of a course or account receives only what is in it', async () => {
  const branch = await ground.account();
  const elsewhere = await ground.course({ account_id: branch.id });
  const third = await ground.course();
  const event_types = ['module_created', 'user_created'];
  const ofCourse = await subscribe(event_types, { context_type: 'course', context_id: scene.course.id });
  const ofAccount = await subscribe(event_types, { context_type: 'account', context_id: branch.id });
  const ofAll = await subscribe(event_types);
  for (const [course, name] of [
    [scene.course, 'here'],
    [elsewhere, 'in the branch'],
    [third, 'in a third'],
  ] as const)
    ok(await as(admin).post(`/courses/${course.id}/modules`, { module: { name } }));
  const person = ok(await as(admin).post('/accounts/1/users', { user: { name: 'Nora' }, pseudonym: { unique_id: 'nora-of-webhooks' } }));
  const names = async (one: Body) => (await sent(one)).map(({ body }) => body.name);
  expect(await names(ofCourse)).toEqual(['here']);
  expect(await names(ofAccount)).toEqual(['in the branch']);
  expect(await names(ofAll)).toEqual(['here', 'in the branch', 'in a third', 'Nora']);
  expect((await eventsOf(ofAll)).at(-1)).toMatchObject({ metadata: { context_type: 'User' }, body: { user_id: String(person.id) } });
});

test('a write that is refused or rolled back sends nothing', async () => {
  const module = ok(await as(scene.teacher).post(`${at}/modules`, { module: { name: 'Tides' } }));
  await subscribe(['module_created', 'module_updated', 'assignment_created']);
  ok(await as(scene.student).post(`${at}/modules`, { module: { name: 'x' } }), 401);
  const set = (name: string | null) => env.DB.prepare('update modules set name = ? where id = ?').bind(name, module.id);
  await expect(env.DB.batch([set('Waves'), set(null)])).rejects.toThrow('NOT NULL');
  expect(ok(await as(scene.teacher).get(`${at}/modules/${module.id}`)).name).toBe('Tides');
  expect(await waiting()).toBe(0);
  await env.DB.batch([set('Waves'), set('Waves')]);
  expect(await waiting()).toBe(1);
});

test('a write costs as many rows as before unless someone subscribes to its event', async () => {
  const module = ok(await as(scene.teacher).post(`${at}/modules`, { module: { name: 'Tides' } }));
  const cost = async (name: string) => {
    const { meta } = await env.DB.prepare('update modules set name = ? where id = ?').bind(name, module.id).run();
    return meta.rows_written;
  };
  await cost('a mark for this second');
  const before = await cost('first');
  const one = await subscribe(['assignment_created', 'module_created']);
  expect(await cost('second')).toBe(before);
  ok(await as(admin).put(`${base}/${one.id}`, { event_types: ['module_updated'] }));
  expect(await cost('third')).toBe(before + 3);
});

const grade = async (assignment: { id: number }, student: Person, posted_grade: string) =>
  ok(await as(scene.teacher).put(`${at}/assignments/${assignment.id}/submissions/${student.id}`, { submission: { posted_grade } }));

test('events of submissions and grades have what was before', async () => {
  const one = await subscribe(['submission_created', 'submission_updated', 'grade_change', 'submission_comment_created']);
  const { student, teacher } = scene;
  const work = { name: 'Report', points_possible: 10, submission_types: ['online_text_entry'], published: true };
  const assignment = ok(await as(teacher).post(`${at}/assignments`, { assignment: work }), 201);
  const there = `${at}/assignments/${assignment.id}/submissions`;
  ok(await as(student).post(there, { submission: { submission_type: 'online_text_entry', body: 'x'.repeat(9000) } }), 201);
  await grade(assignment, student, '7');
  await grade(assignment, student, '8');
  ok(await as(teacher).put(`${there}/${student.id}`, { comment: { text_comment: 'Good' } }));
  const events = await sent(one);
  const of = (name: string) => events.filter(({ metadata }) => metadata.event_name === name).map(({ body }) => body);
  const user_id = String(student.id);
  expect([...of('submission_created'), ...of('submission_updated')].find(({ body }) => body)).toMatchObject({
    user_id,
    assignment_id: String(assignment.id),
    body: 'x'.repeat(8192),
    submission_type: 'online_text_entry',
  });
  expect(of('submission_updated').at(-1)).toMatchObject({ user_id, score: 8, grade: '8', workflow_state: 'graded' });
  expect(of('grade_change')).toMatchObject([
    { score: 7, student_id: user_id, grading_complete: true, muted: false, grader_id: String(teacher.id), points_possible: 10 },
    { score: 8, old_score: 7, old_grade: '7', grade: '8' },
  ]);
  expect(of('submission_comment_created')).toMatchObject([{ body: 'Good', user_id: String(teacher.id), attachment_ids: [] }]);
});

test('the students of an anonymous assignment are in no event until their grades are posted', async () => {
  const one = await subscribe([
    'submission_created',
    'submission_updated',
    'grade_change',
    'submission_comment_created',
    'course_grade_change',
  ]);
  const { student, teacher } = scene;
  const made = { name: 'Blind', anonymous_grading: true, points_possible: 10, submission_types: ['online_text_entry'], published: true };
  const assignment = ok(await as(teacher).post(`${at}/assignments`, { assignment: made }), 201);
  const there = `${at}/assignments/${assignment.id}/submissions`;
  ok(await as(student).post(there, { submission: { submission_type: 'online_text_entry', body: 'Mine' } }), 201);
  ok(await as(admin).put(`${there}/${student.id}`, { submission: { posted_grade: '9' }, comment: { text_comment: 'Well argued' } }));
  expect(await sent(one)).toEqual([]);
  const work = ok(await as(teacher).post(`${at}/assignments/${assignment.id}/post_grades`));
  await postGrades({ job: 'post_grades', progress_id: work.id }, platform);
  expect(await env.DB.prepare('select anonymize_students as n from assignments where id = ?').bind(assignment.id).first('n')).toBe(0);
  const isHis = ({ metadata, body }: Body) => metadata.event_name === 'submission_updated' && body.user_id === String(student.id);
  const shown = (await sent(one)).filter(isHis).map(({ body }) => body);
  expect(shown.at(-1)).toMatchObject({ user_id: String(student.id), score: 9, body: 'Mine', posted_at: expect.any(String) });
});

test('the author of an anonymous discussion is in no event, and messages are sent without their text', async () => {
  const one = await subscribe([
    'discussion_topic_created',
    'discussion_entry_created',
    'conversation_created',
    'conversation_message_created',
  ]);
  const { student, teacher } = scene;
  const given = { title: 'Openly', message: 'Why?', published: true };
  const post = async (topic: object, message: string) => {
    const { id } = ok(await as(teacher).post(`${at}/discussion_topics`, { ...given, ...topic }));
    return ok(await as(student).post(`${at}/discussion_topics/${id}/entries`, { message }), 201);
  };
  const [named, nameless] = [await post({}, 'The moon'), await post({ anonymous_state: 'full_anonymity' }, 'The sun')];
  ok(
    await as(teacher).post('/conversations', {
      recipients: [student.id],
      subject: 'Hidden subject',
      body: 'Hidden text',
      context_code: `course_${scene.course.id}`,
    }),
    201,
  );
  const events = await sent(one);
  const entry = (id: number) => events.find(({ body }) => body.discussion_entry_id === String(id));
  expect(entry(named.id)).toMatchObject({
    metadata: { user_id: String(student.id) },
    body: { user_id: String(student.id), text: expect.stringContaining('The moon') },
  });
  expect(entry(nameless.id)?.body.text).toContain('The sun');
  expect(entry(nameless.id)?.body).not.toHaveProperty('user_id');
  expect(entry(nameless.id)?.metadata).not.toHaveProperty('user_id');
  expect(events.find(({ metadata }) => metadata.event_name === 'conversation_message_created')).toMatchObject({
    body: { author_id: String(teacher.id), conversation_id: expect.any(String), message_id: expect.any(String) },
  });
  expect(JSON.stringify(events)).not.toContain('Hidden');
});
