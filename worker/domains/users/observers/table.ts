// Pairing codes, by which students let users observe them. The links are in users/table.ts.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string, time } from '../../../database/columns';

export const observer_pairing_codes = sqliteTable(
  'observer_pairing_codes',
  {
    id: id(),
    /** The student to be observed. */
    user_id: int().notNull(),
    code: string().notNull(),
    expires_at: time().notNull(),
    /** The observer who used it. */
    observer_id: int(),
    workflow_state: state('active', 'used').notNull().default('active'),
    ...created(),
  },
  (code) => [
    uniqueIndex('observer_pairing_codes_once').on(code.code),
    index('observer_pairing_codes_by_expiry').on(code.expires_at),
    index('observer_pairing_codes_of_user').on(code.user_id),
  ],
);
