// Scheduled chores: a failing one stops no other, and administrators see what happened.

import { env } from 'cloudflare:workers';
import { batch, runChores, type ScheduledChore } from '@carrel/worker/chores';
import type { Platform } from '@carrel/worker/platform';
import { scheduledChores, tick } from '@carrel/worker/schedule';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { as, ground, ok, within } from '../support/api';

const platform = env as unknown as Platform;
const at = (minutes: number) => Date.parse('2027-03-01T08:00:00Z') + minutes * 60_000;

test('a chore that fails stops no other, and the console shows its error', async () => {
  const admin = await ground.admin();
  const failures = vi.spyOn(console, 'error').mockImplementation(() => {});
  const runs: string[] = [];
  let isBroken = true;
  const chores: ScheduledChore[] = [
    {
      name: 'breaks',
      every: 1,
      run: async () => {
        if (isBroken) throw new Error('The disk is full.', { cause: new Error('No space is left.') });
      },
    },
    batch('sends_a_bad_statement', 1, (db) => [db.build.run(sql`insert into chores (name) values ('half a row')`)]),
    batch('throws_while_it_builds_its_statements', 1, () => {
      throw new Error('not even a promise');
    }),
    { name: 'runs_each_minute', every: 1, run: async ({ now }) => runs.push(now) },
    { name: 'runs_each_hour', every: 60, run: async () => runs.push('hourly') },
  ];
  await runChores(chores, platform, at(0));
  expect(runs).toEqual(['2027-03-01T08:00:00Z', 'hourly']);
  expect(failures.mock.calls.map(([line]) => JSON.parse(line as string).chore)).toEqual([
    'breaks',
    'sends_a_bad_statement',
    'throws_while_it_builds_its_statements',
  ]);
  const shown = async () => ok(within(await as(admin).get('/accounts/1/chores'), 2));
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
    },
    expect.objectContaining({ name: 'runs_each_hour', next_run_at: '2027-03-01T09:00:00Z', last_error: null, failed_at: null }),
    expect.objectContaining({ name: 'runs_each_minute', last_error: null }),
    expect.objectContaining({ name: 'sends_a_bad_statement', last_error: expect.stringContaining('NOT NULL constraint failed') }),
    expect.objectContaining({ name: 'throws_while_it_builds_its_statements', last_error: expect.stringContaining('not even a promise') }),
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

test('every chore of the schedule runs without an error and has a name of its own', async () => {
  const admin = await ground.admin();
  await tick(platform, at(120));
  const shown = ok(await as(admin).get('/accounts/1/chores')) as { name: string; last_error: string | null }[];
  expect(shown.map(({ name }) => name)).toEqual(scheduledChores.map(({ name }) => name).sort());
  expect(shown.filter(({ last_error }) => last_error !== null)).toEqual([]);
});
