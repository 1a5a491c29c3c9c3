// Access tokens. Only the SHA-256 of the secret is kept.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const tokens = sqliteTable(
  'tokens',
  {
    id: id(),
    user_id: int().notNull(),
    /** Who acts, where a token was made while masquerading. */
    real_user_id: int(),
    developer_key_id: int(),
    /** Lower-case hex SHA-256 of the whole secret. */
    token_hash: string().notNull(),
    token_hint: string().notNull(),
    purpose: string(),
    scopes: json<string[]>().notNull().default([]),
    remember_access: bool().notNull().default(false),
    expires_at: time(),
    last_used_at: time(),
    workflow_state: state('active', 'pending', 'deleted').notNull().default('active'),
    ...created(),
  },
  (token) => [uniqueIndex('tokens_by_hash').on(token.token_hash), index('tokens_of_user').on(token.user_id, token.id)],
);
