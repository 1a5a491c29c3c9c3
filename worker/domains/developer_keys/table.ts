// Developer keys: applications that may request access, and the accounts where they are enabled.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const developer_keys = sqliteTable(
  'developer_keys',
  {
    id: id(),
    account_id: int().notNull(),
    /** The creator. */
    user_id: int(),
    name: string(),
    email: string(),
    icon_url: string(),
    notes: string(),
    vendor_code: string(),
    redirect_uri: string(),
    redirect_uris: json<string[]>().notNull().default([]),
    /** A public client has no secret and uses PKCE. */
    client_type: state('confidential', 'public').notNull().default('confidential'),
    /** Lower-case hex SHA-256 of the secret, which is shown only once. */
    secret_hash: string().notNull(),
    auto_expire_tokens: bool().notNull().default(true),
    scopes: json<string[]>().notNull().default([]),
    require_scopes: bool().notNull().default(false),
    allow_includes: bool().notNull().default(false),
    /** Visible to sub-accounts, which may enable or disable it for themselves. */
    visible: bool().notNull().default(false),
    /** Registered by the application itself, and vouched for by no one. Deleted if it is not used. */
    is_self_registered: bool().notNull().default(false),
    test_cluster_only: bool().notNull().default(false),
    client_credentials_audience: state('internal', 'external'),
    public_jwk: json<Record<string, unknown>>(),
    public_jwk_url: string(),
    /** Number of valid tokens and the time of their last use. Kept by triggers. */
    access_token_count: int().notNull().default(0),
    last_used_at: time(),
    workflow_state: state('active', 'inactive', 'deleted').notNull().default('active'),
    ...created(),
  },
  (key) => [
    index('developer_keys_of_account').on(key.account_id, key.id),
    index('developer_keys_unused').on(key.created_at).where(sql`is_self_registered = 1 and access_token_count = 0`),
  ],
);

/** An account's setting for a key: `on`, `off`, or `allow`, which lets sub-accounts decide. */
export const developer_key_account_bindings = sqliteTable(
  'developer_key_account_bindings',
  {
    id: id(),
    developer_key_id: int().notNull(),
    account_id: int().notNull(),
    workflow_state: state('on', 'off', 'allow').notNull().default('off'),
    ...created(),
  },
  (binding) => [uniqueIndex('developer_key_account_bindings_once').on(binding.developer_key_id, binding.account_id)],
);
