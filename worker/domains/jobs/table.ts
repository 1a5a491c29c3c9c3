// Dead-letter table: jobs that failed as often as the queue retries; kept until retried or deleted.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string, time } from '../../database/columns';

/** The scheduled chores, each with its last run. */
export const chores = sqliteTable(
  'chores',
  {
    id: id(),
    name: string().notNull(),
    every_minutes: int().notNull(),
    last_run_at: time().notNull(),
    duration_ms: int().notNull(),
    next_run_at: time().notNull(),
    /** The last error there was, and the run that failed with it. */
    last_error: string(),
    failed_at: time(),
    /** How many runs in succession the last tick has led to. */
    steps: int().notNull().default(1),
    /** What the last run has cost, and what it may cost. */
    statements: int().notNull().default(0),
    rows_read: int().notNull().default(0),
    rows_written: int().notNull().default(0),
    budget_statements: int().notNull().default(0),
    budget_rows: int().notNull().default(0),
    budget_ms: int().notNull().default(0),
    /** Rows or items that the last run has left, as far as it counted them. */
    left_behind: int().notNull().default(0),
    /** The run that is going on, and when another may take its place. */
    lease: string(),
    leased_until: time(),
  },
  (chore) => [uniqueIndex('chores_by_name').on(chore.name)],
);

export const dead_letters = sqliteTable(
  'dead_letters',
  {
    id: id(),
    /** The queue's message id: a message delivered twice is stored once. */
    message_id: string().notNull(),
    job: string().notNull(),
    message: json<{ job: string; progress_id?: number; ids?: number[]; chore?: string }>().notNull(),
    /** The last error; null when the work ended without one. */
    error: string(),
    attempts: int().notNull(),
    workflow_state: state('dead', 'sent_again').notNull().default('dead'),
    ...created(),
  },
  (message) => [uniqueIndex('dead_letters_once').on(message.message_id), index('dead_letters_by_age').on(message.created_at)],
);
