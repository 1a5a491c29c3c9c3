// Web sessions: what a browser's cookie stands for. Only the SHA-256 of the secret is kept.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, number, state, string, time } from '../../database/columns';

export const sessions = sqliteTable(
  'sessions',
  {
    id: id(),
    user_id: int().notNull(),
    /** The login that opened it: once that is suspended, deleted or given another password, the session ends. */
    login_id: int(),
    /** Who acts, where it was opened while masquerading. */
    real_user_id: int(),
    /** Lower-case hex SHA-256 of the secret in the cookie; of a ticket, while it waits to be redeemed. */
    session_hash: string().notNull(),
    /** A ticket opens nothing by itself: its address turns it into a session, once. */
    workflow_state: state('active', 'ticket').notNull().default('active'),
    /** Whether it outlives the browser's window. */
    is_remembered: bool().notNull().default(false),
    expires_at: time().notNull(),
    last_used_at: time(),
    /** From where, and with what, it was opened. */
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

/** How hard somebody is knocking: a bucket for each name that was tried, and for each address that tries. Forgotten once it has run dry. */
export const sign_in_brakes = sqliteTable(
  'sign_in_brakes',
  {
    key: string().primaryKey(),
    level: number().notNull(),
    /** Seconds since 1970. */
    at: int().notNull(),
  },
  (brake) => [index('sign_in_brakes_by_age').on(brake.at)],
);

/** Passwords that somebody has forgotten: what a letter brings them, one for a login. */
export const password_resets = sqliteTable(
  'password_resets',
  { id: id(), login_id: int().notNull(), code: string().notNull(), expires_at: time().notNull() },
  (reset) => [
    uniqueIndex('password_resets_once').on(reset.login_id),
    uniqueIndex('password_resets_by_code').on(reset.code),
    index('password_resets_by_expiry').on(reset.expires_at),
  ],
);
