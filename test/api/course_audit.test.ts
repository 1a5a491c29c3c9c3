// The audit log of course changes.

import { env } from 'cloudflare:test';
import { runImports } from '@carrel/worker/domains/sis_imports/job';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { Client } from '../support/client';
import type { Person } from '../support/ground';
import { csv, ending, sent } from '../support/sis';

let admin: Person;
let client: Client;

beforeAll(async () => {
  admin = await ground.admin();
  client = as(admin);
});

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Event = any;

/** Oldest first. */
const eventsOf = async (course: number | string): Promise<Event[]> =>
  ok(within(await client.get(`/audit/course/courses/${course}`, { per_page: 100 }), 2)).toReversed();
const typesOf = async (course: number | string) => (await eventsOf(course)).map(({ event_type }) => event_type);

test('changes to a course are logged with the user, the source and the changed values', async () => {
  const { id } = ok(
    await client.post('/accounts/1/courses', { course: { name: 'Botany', course_code: 'BOT', is_public: true, hide_final_grades: true } }),
  );
  const [made] = await eventsOf(id);
  expect(made).toMatchObject({
    id: expect.any(String),
    event_type: 'created',
    event_source: 'api',
    event_data: { name: [null, 'Botany'], course_code: [null, 'BOT'], is_public: [null, true], hide_final_grades: [null, true] },
    links: { course: id, user: admin.id, page_view: null },
    name: 'Botany',
    start_at: null,
    conclude_at: null,
  });
  expect(made.event_data).not.toHaveProperty('syllabus_body');

  ok(
    await client.put(`/courses/${id}`, {
      course: { name: 'Botany II', is_public: false, restrict_enrollments_to_course_dates: true, end_at: '2026-12-31T00:00:00Z' },
    }),
  );
  ok(await client.put(`/courses/${id}/settings`, { hide_final_grades: false }));
  ok(await client.put(`/courses/${id}`, { course: { name: 'Botany II' } }));
  for (const event of ['offer', 'conclude', 'offer', 'claim']) ok(await client.put(`/courses/${id}`, { course: { event } }));
  ok(await client.del(`/courses/${id}`, { event: 'delete' }));
  ok(await client.put(`/courses/${id}`, { course: { event: 'undelete' } }));
  const events = await eventsOf(id);
  expect(events.map(({ event_type }) => event_type)).toEqual([
    ...['created', 'updated', 'updated', 'published', 'concluded', 'unconcluded', 'claimed', 'deleted', 'restored'],
  ]);
  expect(events[1].event_data).toEqual({
    name: ['Botany', 'Botany II'],
    is_public: [true, false],
    conclude_at: [null, '2026-12-31T00:00:00Z'],
    restrict_enrollments_to_course_dates: [false, true],
  });
  expect(events[2].event_data).toMatchObject({ hide_final_grades: [true, null] });
  for (const event of events) expect(event.links.user).toBe(admin.id);
  for (const event of events.slice(3)) expect(event.event_data).toEqual({});
});

test('resetting a course is logged in both courses', async () => {
  const { id } = await ground.course({ name: 'Anew' });
  const fresh = ok(await client.post(`/courses/${id}/reset_content`));
  const old = await eventsOf(id);
  expect(old.at(-1)).toMatchObject({
    event_type: 'reset_to',
    event_data: { reset_to: fresh.id },
    links: { reset_to: fresh.id, user: admin.id },
  });
  const types = (await eventsOf(fresh.id)).map((event) => event.event_type);
  expect(types).toEqual(['created', 'reset_from']);
  expect((await eventsOf(fresh.id)).at(-1)).toMatchObject({ links: { reset_from: id } });
});

test('changes by an import are logged with the import', async () => {
  const { id: sis } = await sent(client, csv('course_id,short_name,long_name,status', ['AU1', 'A', 'Audited', 'published']));
  await runImports({ job: 'sis_import' }, env as unknown as Platform);
  await ending(client, sis);
  const again = await sent(client, csv('course_id,short_name,long_name,status', ['AU1', 'A', 'Audited', 'completed']));
  await runImports({ job: 'sis_import' }, env as unknown as Platform);
  await ending(client, again.id);
  const { id } = ok(await client.get('/courses/sis_course_id:AU1'));
  expect(await eventsOf(id)).toMatchObject([
    { event_type: 'created', event_source: 'sis', links: { user: admin.id, sis_batch: sis } },
    { event_type: 'concluded', event_source: 'sis', links: { sis_batch: again.id } },
  ]);
  await env.DB.prepare("update courses set name = 'By itself' where id = ?").bind(id).run();
  expect((await eventsOf(id)).at(-1)).toMatchObject({ event_type: 'updated', event_source: 'system', links: { user: null } });
  expect((await env.DB.prepare('select 1 from acting').all()).results).toEqual([]);
});

test('the log of an account is newest first, paged by bookmark, limited by dates, and a compound document', async () => {
  const account = await ground.account();
  const inside = await ground.course({ account_id: account.id, name: 'Inside' });
  const at = `/audit/course/accounts/${account.id}`;
  ok(await client.put(`/courses/${inside.id}`, { course: { name: 'Inside out' } }));
  const first = await client.get(at, { per_page: 1 });
  expect(ok(within(first, 2))).toMatchObject([{ event_type: 'updated', links: { course: inside.id } }]);
  expect(first.links).not.toHaveProperty('last');
  expect(ok(await client.get(first.links.next ?? ''))).toMatchObject([{ event_type: 'created' }]);
  expect(ok(await client.get(at, { end_time: '2020-01-01T00:00:00Z' }))).toEqual([]);
  expect(ok(await client.get(at, { start_time: '2020-01-01T00:00:00Z' })).length).toBe(2);
  const all = ok(await client.get('/audit/course/accounts/1', { per_page: 100 }));
  expect(all.map(({ links }: Event) => links.course)).toContain(inside.id);
  const compound = ok(within(await client.get(at, {}, { headers: { Accept: 'application/vnd.api+json' } }), 2));
  expect(compound).toMatchObject({
    links: { 'events.course': 'https://carrel.test/api/v1/courses/{events.course}', 'events.user': null },
    events: [{ event_type: 'updated' }, { event_type: 'created' }],
    linked: { courses: [{ id: inside.id, name: 'Inside out' }], users: [{ id: admin.id }], page_views: [] },
  });
  expect(ok(await client.get(at, { format: 'compound' }))).toEqual(compound);
  ok(await client.get(at, { page: 'bookmark:nonsense' }), 404);
});

test('administrators of the whole institution read course changes, including those of deleted courses', async () => {
  const account = await ground.account();
  const course = await ground.course({ account_id: account.id });
  const [teacher, dean] = [await ground.person(), await ground.admin({ account_id: account.id })];
  for (const one of [teacher, dean])
    for (const path of [`/audit/course/accounts/${account.id}`, `/audit/course/courses/${course.id}`]) ok(await as(one).get(path), 401);
  ok(await client.get('/audit/course/courses/999999'), 404);
  ok(await client.get('/audit/course/accounts/999999'), 404);
  ok(await client.del(`/courses/${course.id}`, { event: 'delete' }));
  expect(await typesOf(course.id)).toEqual(['created', 'deleted']);
});
