// Accounts, the tree that an institution is made of. The one without a parent is the root.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string } from '../../database/columns';

export const accounts = sqliteTable(
  'accounts',
  {
    id: id(),
    name: string().notNull(),
    parent_account_id: int(),
    /** Null for the root itself. */
    root_account_id: int(),
    uuid: string().notNull(),
    sis_account_id: string(),
    integration_id: string(),
    sis_import_id: int(),
    /** What people have changed by hand, `,name,short_name,`; an SIS import leaves it alone. Kept by triggers. */
    stuck_sis_fields: string(),
    default_time_zone: string().notNull().default('Etc/UTC'),
    default_storage_quota_mb: int(),
    default_user_storage_quota_mb: int(),
    default_group_storage_quota_mb: int(),
    settings: json<Record<string, unknown>>().notNull().default({}),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (account) => [
    index('accounts_in_account').on(account.parent_account_id, account.id),
    index('accounts_by_name').on(account.parent_account_id, sql`${account.name} collate nocase`, account.id),
    uniqueIndex('accounts_by_sis_id').on(account.sis_account_id),
  ],
);
