// Enrollment terms of the root account.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export type TermOverrides = Record<string, { start_at?: string | null; end_at?: string | null }>;

export const terms = sqliteTable(
  'terms',
  {
    id: id(),
    account_id: int().notNull(),
    name: string().notNull(),
    start_at: time(),
    end_at: time(),
    sis_term_id: string(),
    integration_id: string(),
    sis_import_id: int(),
    /** Fields changed by hand (`,name,short_name,`); an SIS import leaves them alone. Kept by triggers. */
    stuck_sis_fields: string(),
    is_default: bool().notNull().default(false),
    /** The set of grading periods; at most one. */
    grading_period_group_id: int(),
    /** Dates by enrollment type. */
    overrides: json<TermOverrides>().notNull().default({}),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (term) => [
    // `terms_in_account` is in migrations/0002_by_hand.sql.
    uniqueIndex('terms_by_sis_id').on(term.sis_term_id),
    index('terms_by_grading_period_group').on(term.grading_period_group_id).where(sql`grading_period_group_id is not null`),
    uniqueIndex('terms_by_integration_id').on(term.integration_id).where(sql`integration_id is not null`),
  ],
);
