// Jobs in steps whose state is their Progress: `arguments.after` is how far the job has come. A step is one batch that moves it on, so a job that is
// stopped anywhere continues where it was, and nothing happens twice.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { type Database, type Meter, newMeter, open, type Statement } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { allowance, breath, mostCalls, mostCrashes, type ResumableWork, textOfError } from '../../steps';
import type { ProgressRow } from './json';
import { completeProgress, failProgress } from './progress';
import { progress } from './table';

/** The platform allows 1,000 statements in one delivery. */
const mostStatements = 800;

export interface ProgressStep {
  readonly statements: readonly Statement[];
  /** How far the job has come with this step: a number that grows. */
  readonly after: number;
  /** Percent. */
  readonly completion: number;
  /** Of the last step; with a message that says what could not be done, the job has failed. */
  readonly end?: { readonly failure?: string };
}

/** Where a job is: how far it has come, and how often its next step has failed. */
interface Standing {
  readonly after: number;
  readonly crashes: number;
  /** Where a step has failed last. */
  readonly crashed_at: number | undefined;
  readonly user_id: number;
}

export interface SteppedJob {
  /** Its name in the queue. */
  readonly job: string;
  readonly tag: string;
  /** @param meter counts the calls to R2, which are limited like those to D1 */
  next(db: Database, work: ProgressRow & Standing, now: string, env: Platform, meter: Meter): Promise<ProgressStep>;
  /** Whether a batch failed because what the step had read has changed meanwhile: the step is made again at once. */
  isOutdated?(error: unknown): boolean;
}

/** Breaks the batch when another delivery has made the step, or the job has ended. */
const moveOn = (db: Database, id: number, from: number, { after, completion }: ProgressStep, now: string): Statement =>
  db.build.run(
    sql`update progress set tag = case when workflow_state in ('queued', 'running') and coalesce(arguments ->> '$.after', 0) = ${from} then tag end,
      arguments = json_set(arguments, '$.after', ${after}, '$.crashes', 0), workflow_state = 'running', completion = ${Math.floor(completion)}, updated_at = ${now}
      where id = ${id}`,
  );
const isOvertaken = (error: unknown) => /NOT NULL constraint failed: progress\.tag/.test(textOfError(error));

const endOf = (db: Database, id: number, { failure }: NonNullable<ProgressStep['end']>, now: string): Statement =>
  failure === undefined ? completeProgress(db, id, now) : failProgress(db, id, failure, now);

/** Counts the failure; a step that fails again and again ends the job. */
async function noteCrash(db: Database, id: number, error: unknown): Promise<void> {
  const now = wireTime(Date.now());
  const [, [work]] = await db.perform([
    db.build.run(
      sql`update progress set arguments = json_set(arguments, '$.crashes', coalesce(arguments ->> '$.crashes', 0) + 1, '$.crashed_at', coalesce(arguments ->> '$.after', 0)), updated_at = ${now} where id = ${id} and workflow_state in ('queued', 'running')`,
    ),
    db.build.select().from(progress).where(eq(progress.id, id)),
  ]);
  const { crashes = 0 } = (work?.arguments ?? {}) as { crashes?: number };
  if (crashes < mostCrashes) throw error;
  console.error(JSON.stringify({ job: work?.tag, progress_id: id, error: textOfError(error) }));
  await db.perform([failProgress(db, id, 'An error occurred.', now)]);
}

/** Whether the batch of a step was performed; false when it is outdated. */
const made = (it: SteppedJob, batch: Promise<unknown>): Promise<boolean> =>
  batch.then(
    () => true,
    (error: unknown) => {
      if (it.isOutdated?.(error)) return false;
      throw error;
    },
  );

const isOver = ({ workflow_state }: ProgressRow) => workflow_state === 'completed' || workflow_state === 'failed';

/**
 * Makes the next step.
 * @returns whether another one follows
 */
async function makeStep(it: SteppedJob, db: Database, id: number, env: Platform, meter: Meter): Promise<boolean> {
  const [[work]] = await db.perform([db.build.select().from(progress).where(eq(progress.id, id))]);
  if (!work || work.tag !== it.tag || isOver(work)) return false;
  const { after = 0, crashes = 0, crashed_at } = (work.arguments ?? {}) as Partial<Standing>;
  const now = wireTime(Date.now());
  const step = await it.next(db, { ...work, after, crashes, crashed_at, user_id: work.user_id ?? 0 }, now, env, meter);
  const end = step.end ? [endOf(db, id, step.end, now)] : [];
  const isMade = await made(it, db.perform([moveOn(db, id, after, step, now), ...step.statements, ...end]));
  return !(isMade && step.end);
}

/** The handler of such a job: works for a limited time, then queues the next delivery. */
export const inSteps =
  (it: SteppedJob) =>
  async ({ progress_id, ids: [first = 0] = [] }: Job, env: Platform): Promise<void> => {
    const id = progress_id ?? first;
    const meter = newMeter();
    const db = open(env.DB, meter, 'first-primary');
    const mayGoOn = allowance(() => Math.max(meter.d1_trips + meter.r2_calls, (meter.d1_statements * mostCalls) / mostStatements));
    try {
      while (mayGoOn()) {
        if (!(await makeStep(it, db, id, env, meter))) return;
        await breath();
      }
      await env.WORK.send({ job: it.job, ids: [id] });
    } catch (error) {
      if (!isOvertaken(error)) await noteCrash(db, id, error);
    }
  };

/** Jobs whose message was lost. */
export const unfinishedSteps = ({ job, tag }: SteppedJob): ResumableWork => ({
  job,
  table: 'progress',
  unfinished: ['queued', 'running'],
  tag,
});
