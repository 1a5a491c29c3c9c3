// Dead-letter table: jobs that failed as often as the queue retries; kept until retried or deleted.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string } from '../../database/columns';

export const dead_letters = sqliteTable(
  'dead_letters',
  {
    id: id(),
    /** The queue's message id: a message delivered twice is stored once. */
    message_id: string().notNull(),
    job: string().notNull(),
    message: json<{ job: string; progress_id?: number; ids?: number[] }>().notNull(),
    /** The last error; null when the work ended without one. */
    error: string(),
    attempts: int().notNull(),
    workflow_state: state('dead', 'sent_again').notNull().default('dead'),
    ...created(),
  },
  (letter) => [uniqueIndex('dead_letters_once').on(letter.message_id), index('dead_letters_by_age').on(letter.created_at)],
);
