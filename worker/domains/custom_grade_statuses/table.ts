// Statuses of submissions that the institution defines beside late, missing, extended and excused.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string } from '../../database/columns';

export const custom_grade_statuses = sqliteTable(
  'custom_grade_statuses',
  {
    id: id(),
    /** The root account. */
    account_id: int().notNull(),
    name: string().notNull(),
    /** `#rrggbb`. */
    color: string().notNull(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (status) => [index('custom_grade_statuses_in_account').on(status.account_id, status.workflow_state, status.id)],
);
