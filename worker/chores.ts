// Scheduled work. Each chore is a message of the work queue, so that a slow or failing one delays no other. A chore works in bounded runs: one that
// leaves rows behind runs again at once. A lease in its row keeps it from running twice at the same time.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { type Database, type Meter, newMeter, open, type Statement } from './database/open';
import { chores as records } from './domains/jobs/table';
import type { Job, Platform } from './platform';
import { textOfError } from './steps';

interface Ground {
  readonly env: Platform;
  readonly db: Database;
  /** The minute of the tick. */
  readonly now: string;
}

/** What one run may cost; the console shows it beside what the last run has cost. */
export interface ChoreBudget {
  readonly statements: number;
  /** Rows read and written. */
  readonly rows: number;
  /** Milliseconds after which the run counts as failed. */
  readonly ms: number;
}

export interface ScheduledChore {
  /** Unique, as the console shows it. */
  readonly name: string;
  /** In minutes. */
  readonly every: number;
  /** Starts in the first seconds of the minute. */
  readonly isUrgent?: true;
  readonly budget: ChoreBudget;
  /** One bounded run. @returns how much is left behind, as far as it was counted */
  readonly run: (ground: Ground) => Promise<number>;
}

type Known = typeof records.$inferSelect;

/** One run: the minute of its tick, and how many runs in succession it makes. */
interface Turn {
  readonly at: string;
  readonly step: number;
  /** Runs although it has run in this minute. */
  readonly isForced?: true;
}

const minute = 60_000;
const longestError = 2000;
/** Runs in succession; then the chore waits for the next minute. */
const mostSteps = 200;
/** A run that is recorded this far in the future was made while the clock was wrong. */
const clockError = 60 * minute;

/** Ticks are not exactly a minute apart. */
const tolerance = minute / 6;

const later = (time: string, ms: number): string => wireTime(Date.parse(time) + ms);

/** Each minute's chores are always due; after a clock that was wrong, so is one that has run in the future. */
const isDue = ({ every }: ScheduledChore, known: Known | undefined, now: string): boolean =>
  every <= 1 || known === undefined || known.next_run_at <= later(now, tolerance) || known.last_run_at > later(now, clockError);

/** The last run has left its lease: its Worker was stopped. A run that took too long has recorded that. */
const wasStopped = sql`lease is not null and failed_at is not last_run_at`;

/**
 * Takes the lease, and returns a row unless another run has it or this turn was made before. The queue may deliver a message twice, late or in
 * another order.
 */
function claim(db: Database, { name, every, budget }: ScheduledChore, { at, step, isForced }: Turn, lease: string): Statement {
  const now = wireTime(Date.now());
  const until = later(now, budget.ms + minute);
  const isNew = isForced
    ? sql`1`
    : step > 1
      ? sql`last_run_at = ${at} and steps < ${step}`
      : sql`(next_run_at <= ${later(at, tolerance)} or last_run_at > ${later(at, clockError)})`;
  return db.build.all(sql`insert into chores (name, every_minutes, last_run_at, duration_ms, next_run_at, steps, lease, leased_until)
    values (${name}, ${every}, ${at}, 0, ${at}, ${step}, ${lease}, ${until})
    on conflict (name) do update set
      last_error = iif(${wasStopped}, 'The run was stopped before it ended.', last_error), failed_at = iif(${wasStopped}, last_run_at, failed_at),
      last_run_at = excluded.last_run_at, steps = excluded.steps, lease = excluded.lease, leased_until = excluded.leased_until
    where (leased_until is null or leased_until <= ${now} or leased_until > ${later(now, clockError)}) and ${isNew}
    returning name`);
}

interface Outcome {
  readonly left: number;
  readonly ms: number;
  readonly error: string | null;
  /** The work may still be going on, so the lease is kept until it expires. */
  readonly isLate: boolean;
}

class Late extends Error {}

async function attempt(chore: ScheduledChore, ground: Ground): Promise<Outcome> {
  const started = Date.now();
  let stop = () => {};
  const outcome = (rest: Partial<Outcome>): Outcome => ({ left: 0, error: null, isLate: false, ...rest, ms: Date.now() - started });
  try {
    const limit = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new Late(`The run took longer than ${chore.budget.ms} ms.`)), chore.budget.ms);
      stop = () => clearTimeout(timer);
    });
    // Within the try, because a chore can also throw before it returns a promise.
    return outcome({ left: await Promise.race<number>([chore.run(ground), limit]) });
  } catch (error) {
    return outcome({ error: textOfError(error).slice(0, longestError), isLate: error instanceof Late });
  } finally {
    stop();
  }
}

/** The last error is kept until there is another. A chore that leaves rows behind is due again in the next minute, should its message be lost. */
function record(
  db: Database,
  { name, every, budget }: ScheduledChore,
  { at }: Turn,
  outcome: Outcome,
  meter: Meter,
  lease: string,
): Statement {
  const { left, ms, error, isLate } = outcome;
  return db.build
    .update(records)
    .set({
      every_minutes: every,
      duration_ms: ms,
      next_run_at: later(at, (left > 0 ? 1 : every) * minute),
      statements: meter.d1_statements,
      rows_read: meter.rows_read,
      rows_written: meter.rows_written,
      left_behind: left,
      budget_statements: budget.statements,
      budget_rows: budget.rows,
      budget_ms: budget.ms,
      ...(error !== null && { last_error: error, failed_at: at }),
      ...(!isLate && { lease: null, leased_until: null }),
    })
    .where(sql`name = ${name} and lease = ${lease}`);
}

const isOver = ({ budget }: ScheduledChore, { d1_statements, rows_read, rows_written }: Meter): boolean =>
  d1_statements > budget.statements || rows_read + rows_written > budget.rows;

function logRun(
  { name }: ScheduledChore,
  { step }: Turn,
  { ms, error, left }: Outcome,
  meter: Meter,
  env: Platform,
  isOverBudget: boolean,
): void {
  if (error !== null) console.error(JSON.stringify({ chore: name, ms, error }));
  else if (env.ORACLE !== '1') {
    const { d1_statements: statements, rows_read, rows_written } = meter;
    console.log(
      JSON.stringify({ chore: name, step, ms, statements, rows_read, rows_written, left, ...(isOverBudget && { isOverBudget }) }),
    );
  }
}

/**
 * One run of a chore.
 * @returns whether the next run may follow at once: rows are left, and this run has made progress
 */
export async function runChore(chore: ScheduledChore, env: Platform, turn: Turn): Promise<boolean> {
  const lease = crypto.randomUUID();
  const own = open(env.DB, newMeter(), 'first-primary');
  const [claimed] = await own.perform([claim(own, chore, turn, lease)]);
  if ((claimed as readonly unknown[]).length === 0) return false;
  const meter = newMeter();
  const outcome = await attempt(chore, { env, db: open(env.DB, meter, 'first-primary'), now: turn.at });
  await own.perform([record(own, chore, turn, outcome, meter, lease)]);
  logRun(chore, turn, outcome, meter, env, isOver(chore, meter));
  return outcome.error === null && outcome.left > 0 && meter.rows_written > 0 && turn.step < mostSteps;
}

/** Deletes the records of chores that no longer exist. */
const forgetOthers = (db: Database, chores: readonly ScheduledChore[]): Statement =>
  db.build.run(sql`delete from chores where name not in (select value from json_each(${JSON.stringify(chores.map(({ name }) => name))}))`);

async function dueAmong(chores: readonly ScheduledChore[], db: Database, now: string): Promise<ScheduledChore[]> {
  const [known] = await db.perform([db.build.select().from(records)]);
  const byName = new Map(known.map((one) => [one.name, one]));
  if (known.some(({ name }) => !chores.some((chore) => chore.name === name))) await db.perform([forgetOthers(db, chores)]);
  return chores.filter((chore) => isDue(chore, byName.get(chore.name), now));
}

const betweenUrgent = 2;
const firstOther = 10;
const lastOther = 58;

/** Seconds into the minute: the urgent chores one after another, the others spread over the rest. */
export function startsAfter(chores: readonly ScheduledChore[], { name, isUrgent }: ScheduledChore): number {
  const alike = chores.filter((chore) => chore.isUrgent === isUrgent);
  const place = alike.findIndex((chore) => chore.name === name);
  return isUrgent ? place * betweenUrgent : firstOther + Math.floor(((lastOther - firstOther) * place) / alike.length);
}

/** Queues every chore that is due. @param at the minute of the tick */
export async function queueDueChores(chores: readonly ScheduledChore[], env: Platform, at: number): Promise<void> {
  const now = wireTime(at);
  const due = await dueAmong(chores, open(env.DB, newMeter(), 'first-primary'), now);
  const messages = due
    .map((chore) => ({ body: { job: 'chore', chore: chore.name, at: now, step: 1 }, delaySeconds: startsAfter(chores, chore) }))
    .sort((one, other) => one.delaySeconds - other.delaySeconds);
  if (messages.length > 0) await env.WORK.sendBatch(messages);
}

/** Carries out the message of a chore. Its error is recorded, and the next tick queues it again, so the message is never retried. */
export async function runQueuedChore(chores: readonly ScheduledChore[], { chore: name, at, step = 1 }: Job, env: Platform): Promise<void> {
  const chore = chores.find((one) => one.name === name);
  if (!chore) return;
  const turn = { at: at ?? wireTime(Date.now()), step };
  if (await runChore(chore, env, turn)) await env.WORK.send({ job: 'chore', chore: chore.name, at: turn.at, step: step + 1 });
}

/** Runs everything that is due, one after another and each to its end, without the queue. @param at the minute of the tick */
export async function runChores(chores: readonly ScheduledChore[], env: Platform, at: number): Promise<void> {
  const now = wireTime(at);
  for (const chore of await dueAmong(chores, open(env.DB, newMeter(), 'first-primary'), now))
    for (let step = 1; await runChore(chore, env, { at: now, step, isForced: true }); ) step += 1;
}
