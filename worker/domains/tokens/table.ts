// Access tokens. Only the SHA-256 of the secret is stored.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const tokens = sqliteTable(
  'tokens',
  {
    id: id(),
    user_id: int().notNull(),
    /** The real user, when created while masquerading. */
    real_user_id: int(),
    /** The application it was issued to; null for a manual token. */
    developer_key_id: int(),
    /** The authorization code it was issued for; reuse of the code revokes the token. */
    authorization_code_id: int(),
    /** Lower-case hex SHA-256 of the whole secret. */
    token_hash: string().notNull(),
    token_hint: string().notNull(),
    /** Likewise for the refresh token. */
    refresh_token_hash: string(),
    /** Of the previous refresh token, when they rotate: its reuse means that it was stolen. */
    spent_refresh_hash: string(),
    purpose: string(),
    scopes: json<string[]>().notNull().default([]),
    remember_access: bool().notNull().default(false),
    expires_at: time(),
    last_used_at: time(),
    workflow_state: state('active', 'pending', 'deleted').notNull().default('active'),
    ...created(),
  },
  (token) => [
    uniqueIndex('tokens_by_hash').on(token.token_hash),
    uniqueIndex('tokens_by_refresh_hash').on(token.refresh_token_hash).where(sql`refresh_token_hash is not null`),
    index('tokens_by_spent_refresh_hash').on(token.spent_refresh_hash).where(sql`spent_refresh_hash is not null`),
    index('tokens_of_user').on(token.user_id, token.id),
    index('tokens_of_real_user').on(token.real_user_id).where(sql`real_user_id is not null`),
    index('tokens_of_key').on(token.developer_key_id, token.user_id).where(sql`developer_key_id is not null`),
    index('tokens_of_code').on(token.authorization_code_id).where(sql`authorization_code_id is not null`),
  ],
);
