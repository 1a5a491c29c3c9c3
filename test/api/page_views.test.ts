// Page views.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { forgetViews } from '@carrel/worker/domains/page_views/forget';
import { page_views } from '@carrel/worker/domains/page_views/table';
import { expect, test, vi } from 'vitest';
import { as, base, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

interface Viewed {
  readonly controller: string;
  readonly action: string;
  readonly id: string;
}
/** The page views of a user, without those of this endpoint itself. */
async function viewsOf(person: Person, count: number): Promise<Viewed[]> {
  let views: Viewed[] = [];
  await vi.waitFor(
    async () => {
      const all = ok(await as(person).get('/users/self/page_views', { per_page: 100 })) as Viewed[];
      views = all.filter(({ controller }) => controller !== 'page_views');
      expect(views.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 20_000, interval: 200 },
  );
  return views;
}

test("a user's requests are recorded, newest first, without an additional trip", async () => {
  const { course, student, teacher } = await aCourse(ground);
  const essay = ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Essay', published: true, submission_types: ['online_text_entry'] },
    }),
    201,
  );
  const headers = { 'User-Agent': 'Reader/1.0', 'CF-Connecting-IP': '192.0.2.7' };
  const read = within(await as(student).get(`/courses/${course.id}/assignments/${essay.id}`, { include: ['submission'] }, { headers }), 2);
  const written = within(
    await as(student).post(`/courses/${course.id}/assignments/${essay.id}/submissions`, {
      submission: { submission_type: 'online_text_entry', body: 'x' },
    }),
    3,
  );
  ok(await as(student).get('/courses/999999'), 404);
  ok(await as(student).get('/users/self', { search: 'seen', verifier: 'hidden', access_token: student.token }));
  const views = await viewsOf(student, 3);
  expect(views).toEqual([
    expect.objectContaining({ url: `${base}/api/v1/users/self?search=seen`, controller: 'users', action: 'show', context_type: 'User' }),
    expect.objectContaining({ id: written.headers.get('x-request-context-id'), action: 'create', http_method: 'POST', participated: true }),
    {
      id: read.headers.get('x-request-context-id'),
      url: `${base}/api/v1/courses/${course.id}/assignments/${essay.id}?include%5B%5D=submission`,
      context_type: 'Course',
      asset_type: 'assignment',
      controller: 'assignments',
      action: 'show',
      contributed: false,
      interaction_seconds: null,
      created_at: expect.stringMatching(/Z$/),
      user_request: false,
      render_time: expect.any(Number),
      user_agent: 'Reader/1.0',
      participated: false,
      http_method: 'GET',
      remote_ip: '192.0.2.7',
      app_name: null,
      links: { user: student.id, context: course.id, asset: essay.id, real_user: null, account: 1 },
    },
  ]);
});

test('the user and administrators with the statistics permission read page views; feed requests are not recorded', async () => {
  const { student, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  ok(await as(student).get('/api/sync/v1/changes'));
  ok(await as(admin).get('/users/self/profile', { as_user_id: student.id }));
  expect(await viewsOf(student, 1)).toMatchObject([{ controller: 'profile', links: { user: student.id, real_user: admin.id } }]);
  ok(await as(teacher).get(`/users/${student.id}/page_views`), 401);
  ok(within(await as(admin).get(`/users/${student.id}/page_views`), 2));
  const path = '/users/self/page_views';
  expect(ok(await as(student).get(path, { start_time: '2099-01-01T00:00:00Z' }))).toEqual([]);
  expect(ok(await as(student).get(path, { end_time: '2020-01-01' }))).toEqual([]);
  ok(await as(student).get(path, { start_time: 'yesterday' }), 400);
  const first = await as(student).get(path, { per_page: 1, start_time: '2020-01-01' });
  expect(first.links.next).toContain('bookmark:');
  ok(await as(student).get(path, { page: 'bookmark:nonsense' }), 404);
  expect(await as(student).pages(path, { per_page: 2, start_time: '2020-01-01' })).not.toHaveLength(0);
});

test('page views are kept for sixty days', async () => {
  const person = await ground.person();
  const db = open(env.DB as never, newMeter(), 'first-primary');
  const viewed = (created_at: string) => ({
    uuid: 'old',
    user_id: person.id,
    controller: 'x',
    action: 'show',
    participated: false,
    user_request: false,
    http_method: 'GET',
    url: 'x',
    render_time: 0,
    created_at,
  });
  await env.DB.prepare('delete from page_views').run();
  await ground.db.insert(page_views).values([viewed('2026-01-01T00:00:00Z'), viewed('2026-03-01T00:00:00Z')]);
  await db.perform(forgetViews(db, '2026-03-15T00:00:00Z'));
  expect(ok(await as(person).get('/users/self/page_views'))).toMatchObject([{ created_at: '2026-03-01T00:00:00Z' }]);
});
