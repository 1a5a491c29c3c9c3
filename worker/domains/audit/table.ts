// Who has come in and gone out.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { id, int, state, string, time } from '../../database/columns';

export const authentication_events = sqliteTable(
  'authentication_events',
  {
    id: id(),
    uuid: string().notNull(),
    event_type: state('login', 'logout').notNull(),
    login_id: int().notNull(),
    account_id: int().notNull(),
    user_id: int().notNull(),
    /** Who acts, where a session was opened while masquerading. */
    real_user_id: int(),
    address: string(),
    user_agent: string(),
    created_at: time().notNull(),
  },
  (event) => [
    index('authentication_events_of_login').on(event.login_id, event.created_at, event.id),
    index('authentication_events_by_place').on(event.login_id, event.address),
    index('authentication_events_of_account').on(event.account_id, event.created_at, event.id),
    index('authentication_events_of_user').on(event.user_id, event.created_at, event.id),
  ],
);

/** What was changed in another's name, by whom. Who only looked stands in the page views. */
export const masquerades = sqliteTable(
  'masquerades',
  {
    id: id(),
    real_user_id: int().notNull(),
    user_id: int().notNull(),
    /** Method and pattern of the endpoint. */
    action: string().notNull(),
    /** The address, without its query. */
    path: string().notNull(),
    /** As in the log and in `X-Request-Context-Id`. */
    request_id: string().notNull(),
    created_at: time().notNull(),
  },
  (one) => [index('masquerades_of_user').on(one.user_id, one.id), index('masquerades_by_real_user').on(one.real_user_id, one.id)],
);
