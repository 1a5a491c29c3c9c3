// Queued work in steps. A row holds the input and the progress; each step is one atomic batch that updates the row, and a delivery works for a
// limited time and then queues the next, to stay within the platform's limits.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { atMost } from './database/at_most';
import type { Database } from './database/open';
import type { Platform } from './platform';

/** Another delivery has made this step, or the work has ended: the caller must stop. */
export class Overtaken extends Error {}

/** Number of failures of one step before the work fails. */
export const mostCrashes = 4;

/** How long a delivery works in milliseconds, and its maximum number of calls. */
export const longestStep = 20_000;
export const mostCalls = 600;

/** @returns whether a delivery that begins now may continue; called after each step */
export function allowance(calls: () => number): () => boolean {
  const started = Date.now();
  return () => Date.now() - started < longestStep && calls() < mostCalls;
}

/**
 * Yields to other work. On the platform every database call yields; the local runtime is single-threaded and accepts no requests while work is
 * running.
 */
export const breath = (): Promise<void> => new Promise((resume) => setTimeout(resume, 1));

/** The message of an error and its causes. */
export const textOfError = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? '' : textOfError(error.cause)}` : String(error);

/** A table of work in progress. */
export interface ResumableWork {
  readonly job: string;
  readonly table: string;
  /** The states of unfinished work. */
  readonly unfinished: readonly string[];
  /** In the table of Progress, the tag of the job. */
  readonly tag?: string;
}

const patience = 2 * 60_000;
const mostAtOnce = 10;

/** Messages may be lost or dead-lettered, so the scheduled run resumes work that makes no progress. */
export async function resume(works: readonly ResumableWork[], env: Pick<Platform, 'WORK'>, db: Database, now: string): Promise<void> {
  const still = wireTime(Date.parse(now) - patience);
  const waiting = await db.perform(
    works.map(({ table, unfinished, tag }) =>
      db.build.all<{ id: number }>(
        sql`select id from ${sql.raw(table)} where workflow_state in (${sql.raw(unfinished.map((word) => `'${word}'`).join(', '))}) and updated_at < ${still}${tag === undefined ? sql`` : sql` and tag = ${tag}`} order by updated_at limit ${atMost(mostAtOnce)}`,
      ),
    ),
  );
  for (const [at, { job }] of works.entries()) for (const { id } of waiting[at] ?? []) await env.WORK.send({ job, ids: [id] });
}
