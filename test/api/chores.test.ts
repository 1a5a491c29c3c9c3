// Scheduled chores: a failing or slow one stops no other, each run is bounded and measured, and administrators see what happened.

import { env } from 'cloudflare:workers';
import { queueDueChores, runChores, type ScheduledChore, startsAfter } from '@carrel/worker/chores';
import { forgetTombstones } from '@carrel/worker/database/forget';
import { changes } from '@carrel/worker/database/housekeeping';
import { newMeter, open } from '@carrel/worker/database/open';
import { forgetOld } from '@carrel/worker/database/retention';
import { consumeBatch } from '@carrel/worker/jobs';
import type { Job, Platform } from '@carrel/worker/platform';
import { queueChores, scheduledChores, tick } from '@carrel/worker/schedule';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { as, ground, many, n, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const platform = env as unknown as Platform;
const at = (minutes: number) => Date.parse('2027-03-01T08:00:00Z') + minutes * 60_000;
const budget = { statements: 10, rows: 1000, ms: 10_000 };
const chore = (name: string, every: number, run: ScheduledChore['run']): ScheduledChore => ({ name, every, budget, run });
const done = async () => 0;

interface Shown {
  readonly name: string;
  readonly last_run_at: string;
  readonly last_error: string | null;
  readonly is_running: boolean;
  readonly steps: number;
  readonly left_behind: number;
  readonly next_run_at: string;
}
const shown = async () => ok(within(await as(await ground.admin()).get('/accounts/1/chores'), 2)) as Shown[];

interface Sent {
  readonly body: Job;
  readonly delaySeconds?: number;
}

/** A queue that keeps what is sent. */
function heldQueue() {
  const sent: Sent[] = [];
  const WORK = {
    send: async (body: Job, options?: { delaySeconds?: number }) => void sent.push({ body, ...options }),
    sendBatch: async (messages: Iterable<Sent>) => void sent.push(...messages),
  } as unknown as Platform['WORK'];
  return { sent, env: { ...platform, WORK } };
}

/** Delivers messages in one batch, and returns how each was settled. */
async function deliver(bodies: readonly Job[], to: Platform): Promise<string[]> {
  const settled: string[] = bodies.map(() => 'open');
  const messages = bodies.map((body, nth) => ({
    id: String(nth),
    body,
    attempts: 1,
    ack: () => (settled[nth] = 'done'),
    retry: () => (settled[nth] = 'again'),
  }));
  await consumeBatch({ queue: 'carrel-work', messages } as never, to);
  return settled;
}

beforeEach(async () => {
  await env.DB.exec('delete from chores');
});

test('a chore that fails stops no other, and the console shows its error', async () => {
  const failures = vi.spyOn(console, 'error').mockImplementation(() => {});
  const runs: string[] = [];
  let isBroken = true;
  const chores = [
    chore('breaks', 1, async () => {
      if (isBroken) throw new Error('The disk is full.', { cause: new Error('No space is left.') });
      return 0;
    }),
    chore('sends_a_bad_statement', 1, ({ db }) =>
      db.perform([db.build.run(sql`insert into chores (name) values ('half a row')`)]).then(done),
    ),
    chore('throws_before_it_returns_a_promise', 1, () => {
      throw new Error('not even a promise');
    }),
    chore('runs_each_minute', 1, async ({ now }) => {
      runs.push(now);
      return 0;
    }),
    chore('runs_each_hour', 60, async () => {
      runs.push('hourly');
      return 0;
    }),
  ];
  await runChores(chores, platform, at(0));
  expect(runs).toEqual(['2027-03-01T08:00:00Z', 'hourly']);
  expect(failures.mock.calls.map(([line]) => JSON.parse(line as string).chore)).toEqual([
    'breaks',
    'sends_a_bad_statement',
    'throws_before_it_returns_a_promise',
  ]);
  expect(await shown()).toEqual([
    {
      id: expect.any(Number),
      name: 'breaks',
      every_minutes: 1,
      last_run_at: '2027-03-01T08:00:00Z',
      duration_ms: expect.any(Number),
      next_run_at: '2027-03-01T08:01:00Z',
      last_error: 'The disk is full. No space is left. ',
      failed_at: '2027-03-01T08:00:00Z',
      is_running: false,
      steps: 1,
      statements: 0,
      rows_read: 0,
      rows_written: 0,
      budget_statements: 10,
      budget_rows: 1000,
      budget_ms: 10_000,
      left_behind: 0,
    },
    expect.objectContaining({ name: 'runs_each_hour', next_run_at: '2027-03-01T09:00:00Z', last_error: null, failed_at: null }),
    expect.objectContaining({ name: 'runs_each_minute', last_error: null }),
    expect.objectContaining({ name: 'sends_a_bad_statement', last_error: expect.stringContaining('NOT NULL constraint failed') }),
    expect.objectContaining({ name: 'throws_before_it_returns_a_promise', last_error: expect.stringContaining('not even a promise') }),
  ]);

  isBroken = false;
  await runChores(chores, platform, at(1));
  expect(runs).toEqual(['2027-03-01T08:00:00Z', 'hourly', '2027-03-01T08:01:00Z']);
  // The last error stays beside a run that succeeds.
  expect((await shown())[0]).toMatchObject({ last_run_at: '2027-03-01T08:01:00Z', failed_at: '2027-03-01T08:00:00Z' });
  await runChores(chores.slice(4), platform, at(60));
  expect(runs.filter((run) => run === 'hourly')).toHaveLength(2);
  expect(await shown()).toMatchObject([{ name: 'runs_each_hour', last_run_at: '2027-03-01T09:00:00Z' }]);
  ok(await as(await ground.person()).get('/accounts/1/chores'), 401);
  failures.mockRestore();
});

test('every chore of the schedule runs without an error, within its budget, and has a name of its own', async () => {
  await tick(platform, at(120));
  const all = (await shown()) as (Shown &
    Record<'statements' | 'rows_read' | 'rows_written' | 'budget_statements' | 'budget_rows', number>)[];
  expect(all.map(({ name }) => name)).toEqual(scheduledChores.map(({ name }) => name).sort());
  expect(all.filter(({ last_error, is_running }) => last_error !== null || is_running)).toEqual([]);
  const over = all.filter((one) => one.statements > one.budget_statements || one.rows_read + one.rows_written > one.budget_rows);
  expect(over).toEqual([]);
});

test('the tick queues each due chore as a message of its own: urgent ones first, the others spread over the minute', async () => {
  const { sent, env: held } = heldQueue();
  const statements = vi.spyOn(Object.getPrototypeOf(env.DB.withSession()) as { batch: () => unknown }, 'batch');
  await queueChores(held, at(0));
  expect(statements.mock.calls.length).toBe(1);
  statements.mockRestore();
  expect(sent.map(({ body }) => body.chore).sort()).toEqual(scheduledChores.map(({ name }) => name).sort());
  expect(sent.slice(0, 5).map(({ body, delaySeconds }) => [body.chore, delaySeconds])).toEqual([
    ['pass_due_dates', 0],
    ['publish_due_pages', 2],
    ['post_due_topics', 4],
    ['signal_due_changes', 6],
    ['send_messages', 8],
  ]);
  const delays = sent.map(({ delaySeconds = 0 }) => delaySeconds);
  expect(new Set(delays).size).toBe(delays.length);
  expect(Math.max(...delays)).toBeLessThan(60);
  // What was just run is not due.
  await tick(platform, at(0));
  sent.length = 0;
  await queueChores(held, at(0.5));
  const minutely = scheduledChores.filter(({ every }) => every === 1);
  expect(sent.map(({ body }) => body.chore).sort()).toEqual(minutely.map(({ name }) => name).sort());
  expect(startsAfter(scheduledChores, scheduledChores[0] as ScheduledChore)).toBe(0);
});

test('of several chores in a delivery one runs, beside the jobs, and the others are sent again', async () => {
  const { sent, env: held } = heldQueue();
  const first = { job: 'chore', chore: 'pass_due_dates', at: '2027-03-01T08:00:00Z', step: 1 };
  const second = { ...first, chore: 'delete_expired_sessions' };
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await deliver([first, second, { job: 'from_the_future' }], held)).toEqual(['done', 'done', 'again']);
  errors.mockRestore();
  expect(sent).toEqual([{ body: second, delaySeconds: 1 }]);
  expect((await shown()).map(({ name }) => name)).toEqual(['pass_due_dates']);
});

test('a slow chore delays no other, and does not run twice at the same time', async () => {
  let finish = () => {};
  let runs = 0;
  const slow = chore('slow', 1, () => {
    runs += 1;
    return new Promise((resolve) => {
      finish = () => resolve(0);
    });
  });
  const quick = chore('quick', 1, done);
  const going = runChores([slow, quick], platform, at(0));
  await vi.waitFor(() => expect(runs).toBe(1));
  // The next tick: the slow one is running, and the other runs.
  await runChores([slow, quick], platform, at(1));
  expect(await shown()).toMatchObject([
    { name: 'quick', last_run_at: '2027-03-01T08:01:00Z' },
    { name: 'slow', is_running: true, last_run_at: '2027-03-01T08:00:00Z' },
  ]);
  expect(runs).toBe(1);
  finish();
  await going;
  expect((await shown())[1]).toMatchObject({ is_running: false });
  // A run whose Worker was stopped keeps its lease only for a time.
  await env.DB.exec("update chores set lease = 'a stopped run', leased_until = '2020-01-01T00:00:00Z' where name = 'slow'");
  const again = runChores([slow], platform, at(2));
  await vi.waitFor(() => expect(runs).toBe(2));
  finish();
  await again;
  expect(await shown()).toMatchObject([
    { last_run_at: '2027-03-01T08:02:00Z', last_error: 'The run was stopped before it ended.', failed_at: '2027-03-01T08:00:00Z' },
  ]);
});

test('a chore that exceeds its time is recorded as failed, and keeps its lease', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const endless: ScheduledChore = { ...chore('endless', 1, () => new Promise(() => {})), budget: { ...budget, ms: 20 } };
  await runChores([endless], platform, at(0));
  errors.mockRestore();
  expect(await shown()).toMatchObject([{ last_error: expect.stringContaining('longer than 20 ms'), is_running: true }]);
});

test('a chore that leaves rows behind runs again at once in bounded runs, and a message delivered twice does nothing', async () => {
  const old = { table: 'idempotency_keys', by: 'created_at', days: 2 };
  const insert = `insert into idempotency_keys (user_id, key, fingerprint, created_at) with recursive n(n) as (select 1 union all select n + 1 from n where n < 2500)
    select 1, 'old ' || n, '', '2027-01-01T00:00:00Z' from n`;
  const remaining = () => env.DB.prepare('select count(*) as count from idempotency_keys').first('count');
  await env.DB.prepare(insert).run();
  const { sent, env: held } = heldQueue();
  const body = { job: 'chore', chore: 'delete_old_idempotency_keys', at: '2027-03-01T08:00:00Z', step: 1 };
  await deliver([body], held);
  expect(await remaining()).toBe(1500);
  expect(await shown()).toMatchObject([{ left_behind: 1500, steps: 1, next_run_at: '2027-03-01T08:01:00Z' }]);
  const next = sent.map((message) => message.body);
  expect(next).toEqual([{ ...body, step: 2 }]);
  await deliver([body], held);
  expect(await remaining()).toBe(1500);
  await deliver(next, held);
  await deliver(next, held);
  expect(await remaining()).toBe(500);
  await deliver([{ ...body, step: 3 }], held);
  expect(await remaining()).toBe(0);
  expect(await shown()).toMatchObject([{ left_behind: 0, steps: 3, next_run_at: '2027-03-01T09:00:00Z' }]);
  expect(sent.length).toBe(2);
  // Late messages of this hour, in any order.
  await deliver([{ ...body, at: '2027-03-01T08:07:00Z' }], held);
  await deliver([{ ...body, at: '2027-03-01T07:59:00Z' }], held);
  expect(await shown()).toMatchObject([{ last_run_at: '2027-03-01T08:00:00Z' }]);

  // Without the queue it runs to its end.
  await env.DB.prepare(insert).run();
  const keys = chore('deletes_keys', 60, ({ db, now }) => forgetOld(db, [old], now));
  await runChores([keys], platform, at(0));
  expect(await remaining()).toBe(0);
});

test('a chore that makes no progress, or fails, waits for the next minute', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  let runs = 0;
  const stuck = chore('stuck', 1, async () => {
    runs += 1;
    return 7;
  });
  await runChores([stuck], platform, at(0));
  expect(runs).toBe(1);
  expect(await shown()).toMatchObject([{ left_behind: 7 }]);
  errors.mockRestore();
});

test('a tick some seconds early runs the chores of its minute', async () => {
  const { sent, env: held } = heldQueue();
  const body = { job: 'chore', chore: 'pass_due_dates', step: 1 };
  await deliver([{ ...body, at: '2027-03-01T08:00:01Z' }], held);
  await queueChores(held, at(1));
  expect(sent.map((message) => message.body.chore)).toContain('pass_due_dates');
  await deliver([{ ...body, at: '2027-03-01T08:01:00Z' }], held);
  expect(await shown()).toMatchObject([{ last_run_at: '2027-03-01T08:01:00Z' }]);
});

test('a tick after a clock that was wrong runs everything', async () => {
  const { sent, env: held } = heldQueue();
  const hourly = chore('hourly', 60, done);
  await runChores([hourly], platform, at(60 * 24 * 365));
  await queueDueChores([hourly], held, at(0));
  expect(sent.map(({ body }) => body.chore)).toEqual(['hourly']);
  // The records of chores that no longer exist are deleted.
  await queueDueChores([chore('another', 1, done)], held, at(0));
  expect(await shown()).toEqual([]);
});

test('the change log has one row for an item and scope, however often it changes, and old deletions leave in bounded steps', async () => {
  const { course, teacher } = await aCourse(ground);
  const rows = async (where = '1') => Number(await env.DB.prepare(`select count(*) as count from changes where ${where}`).first('count'));
  const group = ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'Essays' }));
  const before = await rows();
  for (const name of ['Papers', 'Reports', 'Essays'])
    ok(await as(teacher).put(`/courses/${course.id}/assignment_groups/${group.id}`, { name }));
  expect(await rows()).toBe(before);

  const isDeletion = "op = 'delete' and kind = 'gone'";
  await many(2500, changes, {
    seq: sql`-n`,
    scope: 'course_1',
    kind: 'gone',
    item_id: n,
    op: 'delete',
    changed_at: '2020-01-01T00:00:00Z',
  });
  const db = open(env.DB, newMeter(), 'first-primary');
  const oldest = () => env.DB.prepare("select value from facts where name = 'oldest_seq'").first('value');
  const mark = await oldest();
  expect(await forgetTombstones(db, '2026-11-23T00:00:00Z')).toBe(1500);
  expect(await rows(isDeletion)).toBe(1500);
  await runChores([chore('deletions', 60, (around) => forgetTombstones(around.db, around.now))], platform, at(0));
  expect(await rows(isDeletion)).toBe(0);
  // It never goes back.
  expect(await oldest()).toBe(mark);
});
