// Links that give a user an account role.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, state } from '../../database/columns';

export const admins = sqliteTable(
  'admins',
  {
    id: id(),
    account_id: int().notNull(),
    user_id: int().notNull(),
    role_id: int().notNull(),
    sis_import_id: int(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (admin) => [
    uniqueIndex('admins_once').on(admin.account_id, admin.user_id, admin.role_id),
    index('admins_in_account').on(admin.account_id, admin.id),
    index('admins_of_user').on(admin.user_id),
  ],
);
