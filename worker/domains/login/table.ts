// Web sessions, identified by a cookie. Only the SHA-256 of the secret is stored.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, number, state, string, time } from '../../database/columns';

export const sessions = sqliteTable(
  'sessions',
  {
    id: id(),
    user_id: int().notNull(),
    /** The login that opened it: the session ends when the login is suspended or deleted, or its password changes. */
    login_id: int(),
    /** The real user, while masquerading. */
    real_user_id: int(),
    /** Lower-case hex SHA-256 of the secret in the cookie; of the ticket, until it is redeemed. */
    session_hash: string().notNull(),
    /** A ticket is no session yet: its URL turns it into one, once. */
    workflow_state: state('active', 'ticket').notNull().default('active'),
    /** Whether it outlives the browser session. */
    is_remembered: bool().notNull().default(false),
    expires_at: time().notNull(),
    last_used_at: time(),
    /** Client address and user agent at opening. */
    address: string(),
    user_agent: string(),
    ...created(),
  },
  (session) => [
    uniqueIndex('sessions_by_hash').on(session.session_hash),
    index('sessions_of_user').on(session.user_id),
    index('sessions_of_login').on(session.login_id),
    index('sessions_of_real_user').on(session.real_user_id).where(sql`real_user_id is not null`),
    index('sessions_by_expiry').on(session.expires_at),
  ],
);

/** Login throttling: a bucket per login name and per address. Deleted when empty. */
export const login_throttles = sqliteTable(
  'login_throttles',
  {
    key: string().primaryKey(),
    level: number().notNull(),
    /** Unix time in seconds. */
    at: int().notNull(),
  },
  (limit) => [index('login_throttles_by_age').on(limit.at)],
);

/** Pending password resets, one per login. */
export const password_resets = sqliteTable(
  'password_resets',
  { id: id(), login_id: int().notNull(), code: string().notNull(), expires_at: time().notNull() },
  (reset) => [
    uniqueIndex('password_resets_once').on(reset.login_id),
    uniqueIndex('password_resets_by_code').on(reset.code),
    index('password_resets_by_expiry').on(reset.expires_at),
  ],
);
