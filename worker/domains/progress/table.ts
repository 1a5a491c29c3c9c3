// Progress of background work.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, number, state, string } from '../../database/columns';

export const progress = sqliteTable(
  'progress',
  {
    id: id(),
    context_type: string().notNull(),
    context_id: int().notNull(),
    user_id: int(),
    tag: string().notNull(),
    completion: number(),
    message: string(),
    results: json<unknown>(),
    /** The input of the job; never shown. */
    arguments: json<object>(),
    workflow_state: state('queued', 'running', 'completed', 'failed').notNull().default('queued'),
    ...created(),
  },
  (one) => [
    index('progress_of_context').on(one.context_type, one.context_id),
    index('progress_in_state').on(one.workflow_state, one.id),
    index('progress_by_age').on(one.created_at),
  ],
);
