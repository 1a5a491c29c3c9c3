// What queued work shares that is done in steps. A row says what is to be done and how far it has come; each step is one atomic batch that
// changes the row, and a delivery works for a while and sends the next message, so that none lasts longer than the platform lets it.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { atMost } from './database/at_most';
import type { Database } from './database/open';
import type { Platform } from './platform';

/** Somebody else has taken this step, or the work has ended: whoever hears this stops. */
export class Overtaken extends Error {}

/** So often the same step may break off before the work is given up. */
export const mostCrashes = 4;

/** How long a delivery works, in milliseconds, and how many calls it makes. */
export const longest = 20_000;
export const mostCalls = 600;

/** @returns whether a delivery that begins now may go on; asked again after each step */
export function allowance(calls: () => number): () => boolean {
  const started = Date.now();
  return () => Date.now() - started < longest && calls() < mostCalls;
}

/**
 * Lets others in between. On the platform every call to the database does; the local runtime does everything in one thread and hears nothing
 * of the outside while there is work at hand.
 */
export const breath = (): Promise<void> => new Promise((resume) => setTimeout(resume, 1));

/** What an error says, and what it was caused by. */
export const textOfError = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? '' : textOfError(error.cause)}` : String(error);

/** Work whose rows stand in a table until they have ended. */
export interface Standing {
  readonly job: string;
  readonly table: string;
  /** The states of what has not ended. */
  readonly unfinished: readonly string[];
}

const patience = 2 * 60_000;
const mostAtOnce = 10;

/** A message may be lost, and a delivery may end among the dead letters: what has stood still is taken up again. Called by the clock. */
export async function resume(works: readonly Standing[], env: Pick<Platform, 'WORK'>, db: Database, now: string): Promise<void> {
  const still = wireTime(Date.parse(now) - patience);
  const waiting = await db.perform(
    works.map(({ table, unfinished }) =>
      db.build.all<{ id: number }>(
        sql`select id from ${sql.raw(table)} where workflow_state in (${sql.raw(unfinished.map((word) => `'${word}'`).join(', '))}) and updated_at < ${still} order by updated_at limit ${atMost(mostAtOnce)}`,
      ),
    ),
  );
  for (const [at, { job }] of works.entries()) for (const { id } of waiting[at] ?? []) await env.WORK.send({ job, ids: [id] });
}
