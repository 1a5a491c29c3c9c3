// Work that was tried as often as the queue allows and never done; kept until somebody sends it again or lets it go.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string } from '../../database/columns';

export const dead_letters = sqliteTable(
  'dead_letters',
  {
    id: id(),
    /** The queue's own name for the message: what is delivered twice is kept once. */
    message_id: string().notNull(),
    job: string().notNull(),
    message: json<{ job: string; progress_id?: number; ids?: number[] }>().notNull(),
    /** What was said the last time; nothing where the work ended without a word. */
    error: string(),
    attempts: int().notNull(),
    workflow_state: state('dead', 'sent_again').notNull().default('dead'),
    ...created(),
  },
  (letter) => [uniqueIndex('dead_letters_once').on(letter.message_id), index('dead_letters_by_age').on(letter.created_at)],
);
