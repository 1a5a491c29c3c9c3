// OAuth2 tables: authorization codes, service tokens, used assertions. Secrets are stored as SHA-256 only.

import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, id, int, json, string, time } from '../../database/columns';

/** Valid for ten minutes and one use. */
export const authorization_codes = sqliteTable(
  'authorization_codes',
  {
    id: id(),
    code_hash: string().notNull(),
    developer_key_id: int().notNull(),
    user_id: int().notNull(),
    /** The real user, when consent was given while masquerading. */
    real_user_id: int(),
    redirect_uri: string().notNull(),
    scopes: json<string[]>().notNull().default([]),
    purpose: string(),
    remember_access: bool().notNull().default(false),
    code_challenge: string(),
    code_challenge_method: string(),
    /** The token created for it: of two concurrent exchanges, only the one that writes this first succeeds. */
    token_hash: string(),
    expires_at: time().notNull(),
    created_at: time().notNull(),
  },
  (code) => [uniqueIndex('authorization_codes_by_hash').on(code.code_hash), index('authorization_codes_by_age').on(code.expires_at)],
);

/** Tokens of applications without a user (client credentials), valid for services between platforms and not for this API. */
export const service_tokens = sqliteTable(
  'service_tokens',
  {
    id: id(),
    developer_key_id: int().notNull(),
    token_hash: string().notNull(),
    scopes: json<string[]>().notNull().default([]),
    expires_at: time().notNull(),
    created_at: time().notNull(),
  },
  (token) => [uniqueIndex('service_tokens_by_hash').on(token.token_hash), index('service_tokens_by_age').on(token.expires_at)],
);

/** The `jti` of every used assertion until it expires: each is valid once. */
export const used_assertions = sqliteTable(
  'used_assertions',
  { developer_key_id: int().notNull(), jti_hash: string().notNull(), expires_at: time().notNull() },
  (used) => [primaryKey({ columns: [used.developer_key_id, used.jti_hash] }), index('used_assertions_by_age').on(used.expires_at)],
);
