// Stores a message that the queue has given up on, and notifies whatever waits for its work.

import type { Database, Statement } from '../../database/open';
import type { Retention } from '../../database/retention';
import type { Job } from '../../platform';
import { failProgress } from '../progress/progress';
import { dead_letters } from './table';

export interface FailedJob {
  readonly id: string;
  readonly body: Job;
  readonly attempts: number;
  readonly error: string | null;
}

export const storeDeadLetter = (db: Database, { id, body, attempts, error }: FailedJob, now: string): Statement[] => [
  db.build
    .insert(dead_letters)
    .values({
      message_id: id,
      job: String(body.job),
      message: { job: body.job, progress_id: body.progress_id, ids: body.ids && [...body.ids], chore: body.chore },
      error: error?.slice(0, 2000) ?? null,
      attempts,
      created_at: now,
      updated_at: now,
    })
    .onConflictDoNothing(),
  ...(body.progress_id === undefined
    ? []
    : [failProgress(db, body.progress_id, 'This job failed several times. An administrator can retry it.', now)]),
];

export const deadLetterRetention: Retention = { table: 'dead_letters', by: 'created_at', days: 60 };
