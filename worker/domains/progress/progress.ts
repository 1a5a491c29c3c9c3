// The life cycle of a Progress: queued, running, then completed or failed, which are final. Each step is a statement for a batch.

import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { Database } from '../../database/open';
import type { Retention } from '../../database/retention';
import { progress } from './table';

export interface NewProgress {
  readonly context_type: string;
  readonly context_id: number | SQL;
  readonly user_id: number | null;
  readonly tag: string;
  /** The input of the job; never shown. */
  readonly arguments?: Record<string, unknown>;
}

/** Queues work; read it back by `last_insert_rowid()`. */
export const queueProgress = (db: Database, given: NewProgress, now: string) =>
  db.build.insert(progress).values({ ...given, created_at: now, updated_at: now } as typeof progress.$inferInsert);

/** Work that was done at once, as a completed Progress. */
export const finishedProgress = (db: Database, given: NewProgress & { message?: string; results?: unknown }, now: string) =>
  db.build.insert(progress).values({
    ...given,
    workflow_state: 'completed',
    completion: 100,
    created_at: now,
    updated_at: now,
  } as typeof progress.$inferInsert);

const unfinished = (id: number) => and(eq(progress.id, id), inArray(progress.workflow_state, ['queued', 'running']));

/** @param completion percent, 0 to 100 */
export const advanceProgress = (db: Database, id: number, completion: number, now: string) =>
  db.build
    .update(progress)
    .set({ workflow_state: 'running', completion: Math.min(100, Math.max(0, Math.floor(completion))), updated_at: now })
    .where(unfinished(id));

export const completeProgress = (
  db: Database,
  id: number,
  now: string,
  { message, results }: { message?: string; results?: unknown } = {},
) =>
  db.build.update(progress).set({ workflow_state: 'completed', completion: 100, message, results, updated_at: now }).where(unfinished(id));

export const failProgress = (db: Database, id: number, message: string, now: string) =>
  db.build.update(progress).set({ workflow_state: 'failed', message, updated_at: now }).where(unfinished(id));

/** A job of a year ago is over, whatever its state. */
export const progressRetention: Retention = { table: 'progress', by: 'created_at', days: 365 };
