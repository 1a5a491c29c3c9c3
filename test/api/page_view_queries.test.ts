// Asynchronous queries for page views.

import { forgetPageViewQueries } from '@carrel/worker/domains/page_views/queries/forget';
import { runPageViewQuery } from '@carrel/worker/domains/page_views/queries/job';
import { expect, test, vi } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { Person } from '../support/ground';
import { addViews, aQuery, aView, platform, primary } from '../support/page_views';

const monthOf = (offset: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10);
};
/** A time in the last month, which every query of it contains. */
const lastMonth = (day: number, time: string) => `${monthOf(-1).slice(0, 8)}${String(day).padStart(2, '0')}T${time}Z`;
const range = { start_date: monthOf(-1), end_date: monthOf(0) };
const pathIn = (address: string) => address.replace('/api/v1', '');

async function finished(person: Person, poll_url: string) {
  return vi.waitFor(
    async () => {
      const query = ok(within(await as(person).get(pathIn(poll_url)), 2));
      expect(query.status).toBe('finished');
      return query;
    },
    { timeout: 20_000, interval: 100 },
  );
}

async function download(person: Person, address: string) {
  const answer = await as(person).get(pathIn(address));
  return { text: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body), ...answer };
}

test('the page views of a user are returned as CSV and as lines of JSON', async () => {
  const [person, other, admin] = [await ground.person(), await ground.person(), await ground.admin()];
  const seen = Array.from({ length: 1500 }, (_, nth) =>
    aView(person.id, lastMonth(2 + (nth % 20), '08:00:00'), {
      url: 'https://example.edu/"a",=b',
      user_agent: '=1+1',
      participated: nth === 0,
    }),
  );
  await addViews(
    [...seen, aView(person.id, `${monthOf(0)}T00:00:00Z`), aView(other.id, lastMonth(3, '09:00:00'))],
    lastMonth(25, '00:00:00'),
  );
  const at = `/users/${person.id}/page_views/query`;
  const started = ok(within(await as(admin).post(at, { ...range, results_format: 'csv' }), 3), 201);
  expect(started).toEqual({ poll_url: expect.stringMatching(new RegExp(`^/api/v1${at}/[0-9a-f-]{36}$`)) });
  const query = await finished(person, started.poll_url);
  expect(query).toEqual({
    query_id: started.poll_url.split('/').at(-1),
    status: 'finished',
    format: 'csv',
    results_url: `${started.poll_url}/results`,
  });
  const csv = await download(person, query.results_url);
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${query.query_id}.csv"`);
  expect(csv.cost.r2_calls).toBe(1);
  const lines = csv.text.trim().split('\r\n');
  expect(lines).toHaveLength(1501);
  expect(lines[0]).toBe(
    'id,url,context_type,asset_type,controller,action,contributed,interaction_seconds,created_at,user_request,render_time,user_agent,participated,http_method,remote_ip,app_name,links_user,links_context,links_asset,links_real_user,links_account',
  );
  expect(lines[1], 'safe in a spreadsheet').toContain(
    `"https://example.edu/""a"",=b",,,courses,show,false,,${lastMonth(21, '08:00:00')},false,0.1,'=1+1,`,
  );
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0]))).toEqual(new Set(seen.map(({ uuid }) => uuid)));

  const asJson = await finished(
    person,
    ok(await as(person).post('/users/self/page_views/query', { ...range, results_format: 'jsonl' }), 201).poll_url,
  );
  const json = await download(person, asJson.results_url);
  expect(json.headers.get('content-type')).toBe('application/jsonl');
  const [first] = json.text.split('\n');
  const [listed] = ok(await as(person).get('/users/self/page_views', { end_time: lastMonth(28, '00:00:00'), per_page: 1 }));
  expect(JSON.parse(first as string)).toEqual(listed);

  ok(await as(other).get(pathIn(started.poll_url)), 401);
  ok(await as(other).post(at, { ...range, results_format: 'csv' }), 401);
  ok(await as(other).get(pathIn(query.results_url)), 401);
  ok(await as(other).get(pathIn(started.poll_url).replace(`${person.id}`, 'self')), 404);
  ok(await as(admin).post('/users/999999/page_views/query', { ...range, results_format: 'csv' }), 404);

  // A day later the results are deleted.
  await forgetPageViewQueries(platform, primary(), new Date(Date.now() + 25 * 3_600_000).toISOString());
  ok(await as(person).get(pathIn(started.poll_url)), 404);
  expect((await platform.FILES.list({ prefix: 'page_views/results/' })).objects).toEqual([]);
});

test('administrators query the page views of several users', async () => {
  const [ann, ben, admin, other] = [await ground.person(), await ground.person(), await ground.admin(), await ground.admin()];
  await addViews(
    [ann, ben].map(({ id }) => aView(id, lastMonth(4, '08:00:00'))),
    lastMonth(25, '00:01:00'),
  );
  const path = '/users/page_views/query';
  const wanted = { ...range, results_format: 'jsonl', user_ids: [ben.id, ann.id] };
  const started = ok(within(await as(admin).post(path, wanted), 3), 201);
  const query = await finished(admin, started.poll_url);
  expect(query.results_url).toBe(`/api/v1${path}/${query.query_id}/results`);
  const lines = (await download(admin, query.results_url)).text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).links.user)).toEqual([ben.id, ann.id]);
  ok(await as(ann).post(path, wanted), 401);
  ok(await as(ann).get(pathIn(started.poll_url)), 401);
  ok(await as(ann).get(pathIn(query.results_url)), 401);
  ok(await as(other).get(pathIn(started.poll_url)), 404);
  ok(await as(other).get(pathIn(query.results_url)), 404);
  ok(await as(admin).post(path, { ...wanted, user_ids: [ann.id, 999_999] }), 404);
  for (const user_ids of [[], [ann.id, ann.id], Array.from({ length: 101 }, (_, nth) => nth + 1), undefined])
    ok(await as(admin).post(path, { ...wanted, user_ids }), 400);
});

test('a query names whole months, a format, and a query that exists', async () => {
  const person = await ground.person();
  const path = '/users/self/page_views/query';
  const started = { ...range, results_format: 'csv' };
  for (const wrong of [
    { start_date: `${monthOf(-1).slice(0, 8)}02` },
    { end_date: monthOf(-1) },
    { end_date: monthOf(2) },
    { start_date: monthOf(-4), end_date: monthOf(-3) },
    { start_date: '2026-13-01' },
    { start_date: undefined },
    { results_format: 'xml' },
    { results_format: undefined },
  ])
    ok(await as(person).post(path, { ...started, ...wrong }), 400);
  ok(await as(person).get(`${path}/nonsense`), 400);
  ok(await as(person).get(`${path}/nonsense/results`), 400);
  ok(await as(person).get(`${path}/${crypto.randomUUID()}`), 404);
  ok(await as(person).get(`${path}/${crypto.randomUUID()}/results`), 404);
  const nothing = await finished(person, ok(await as(person).post(path, started), 201).poll_url);
  expect((await as(person).get(pathIn(nothing.results_url))).status, 'without page views').toBe(204);
});

test('a query continues where it was stopped, and fails after several errors; a user has few at a time', async () => {
  const person = await ground.person();
  await addViews([aView(person.id, lastMonth(4, '08:00:00'))], lastMonth(25, '00:02:00'));
  const path = '/users/self/page_views/query';
  const queries = [];
  for (let nth = 0; nth < 5; nth++) queries.push(await aQuery(person.id, range));
  const [first, second] = queries as [(typeof queries)[0], (typeof queries)[0]];
  ok(await as(person).post(path, { ...range, results_format: 'csv' }), 429);
  const broken = { ...platform, FILES: { get: () => Promise.reject(new Error('stopped')) } as never };
  const job = { job: 'page_view_query', ids: [first.id] };
  for (let nth = 0; nth < 3; nth++) await expect(runPageViewQuery(job, broken)).rejects.toThrow('stopped');
  expect(ok(await as(person).get(`${path}/${first.uuid}`)).status).toBe('queued');
  await runPageViewQuery(job, broken);
  expect(ok(await as(person).get(`${path}/${first.uuid}`))).toMatchObject({ status: 'failed', results_url: null });
  ok(await as(person).get(`${path}/${first.uuid}/results`), 400);
  // Two deliveries of the same message make one result.
  await Promise.all([1, 2].map(() => runPageViewQuery({ ...job, ids: [second.id] }, platform)));
  const csv = await download(person, `/api/v1${path}/${second.uuid}/results`);
  expect(csv.text.trim().split('\r\n')).toHaveLength(2);
  ok(await as(person).post(path, { ...range, results_format: 'csv' }), 201);
});
