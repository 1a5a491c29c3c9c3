// Scheduled work: chores that are attempted, timed and logged one by one, so that a failing one never stops the others.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { type Database, newMeter, open, type Statement } from './database/open';
import { chores as table } from './domains/jobs/table';
import type { Platform } from './platform';
import { textOfError } from './steps';

interface Ground {
  readonly env: Platform;
  readonly db: Database;
  /** The minute of the tick. */
  readonly now: string;
}

export interface ScheduledChore {
  /** Unique, as the console shows it. */
  readonly name: string;
  /** In minutes. */
  readonly every: number;
  readonly run: (ground: Ground) => Promise<unknown>;
}

/** A chore whose statements are one batch. */
export const batch = (name: string, every: number, statements: (db: Database, now: string) => readonly Statement[]): ScheduledChore => ({
  name,
  every,
  run: ({ db, now }) => db.perform(statements(db, now)),
});

type Known = typeof table.$inferSelect;

const minute = 60_000;
const longestError = 2000;

/** Each minute's chores are always due; after a clock that was wrong, so is one that has run in the future. */
const isDue = ({ every }: ScheduledChore, known: Known | undefined, now: string): boolean =>
  every <= 1 || known === undefined || known.next_run_at <= now || known.last_run_at > now;

interface Attempt {
  readonly name: string;
  readonly every_minutes: number;
  readonly last_run_at: string;
  readonly duration_ms: number;
  readonly next_run_at: string;
  readonly error: string | null;
}

async function attempt(chore: ScheduledChore, ground: Ground): Promise<Attempt> {
  const { name, every } = chore;
  const started = Date.now();
  let error: string | null = null;
  try {
    // Within the try, because a chore can also throw before it returns a promise.
    await chore.run(ground);
  } catch (reason) {
    error = textOfError(reason).slice(0, longestError);
  }
  const duration_ms = Date.now() - started;
  if (error !== null) console.error(JSON.stringify({ chore: name, ms: duration_ms, error }));
  else if (ground.env.ORACLE !== '1') console.log(JSON.stringify({ chore: name, ms: duration_ms }));
  const next_run_at = wireTime(Date.parse(ground.now) + every * minute);
  return { name, every_minutes: every, last_run_at: ground.now, duration_ms, next_run_at, error };
}

/** The last error is kept until there is another. */
const record = (db: Database, attempts: readonly Attempt[]): Statement =>
  db.build.run(sql`insert into chores (name, every_minutes, last_run_at, duration_ms, next_run_at, last_error, failed_at)
    select value ->> 'name', value ->> 'every_minutes', value ->> 'last_run_at', value ->> 'duration_ms', value ->> 'next_run_at',
      value ->> 'error', iif(value ->> 'error' is null, null, value ->> 'last_run_at')
    from json_each(${JSON.stringify(attempts)}) where true
    on conflict (name) do update set every_minutes = excluded.every_minutes, last_run_at = excluded.last_run_at, duration_ms = excluded.duration_ms,
      next_run_at = excluded.next_run_at, last_error = coalesce(excluded.last_error, last_error), failed_at = coalesce(excluded.failed_at, failed_at)`);

/** Deletes the records of chores that no longer exist. */
const forgetOthers = (db: Database, chores: readonly ScheduledChore[]): Statement =>
  db.build.run(sql`delete from chores where name not in (select value from json_each(${JSON.stringify(chores.map(({ name }) => name))}))`);

/** @param at the minute of the tick */
export async function runChores(chores: readonly ScheduledChore[], env: Platform, at: number): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const now = wireTime(at);
  const [known] = await db.perform([db.build.select().from(table)]);
  const attempts: Attempt[] = [];
  for (const chore of chores) {
    const before = known.find(({ name }) => name === chore.name);
    if (isDue(chore, before, now)) attempts.push(await attempt(chore, { env, db, now }));
  }
  await db.perform([record(db, attempts), forgetOthers(db, chores)]);
}
