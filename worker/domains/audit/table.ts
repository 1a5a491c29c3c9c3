// Who has come in and gone out, and what has become of courses.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { id, int, json, sameId, state, string, time } from '../../database/columns';

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
    same_id: sameId(),
  },
  (event) => [
    index('authentication_events_of_login').on(event.login_id, event.created_at, event.same_id),
    index('authentication_events_by_place').on(event.login_id, event.address),
    index('authentication_events_of_account').on(event.account_id, event.created_at, event.same_id),
    index('authentication_events_of_user').on(event.user_id, event.created_at, event.same_id),
  ],
);

const eventSources = ['manual', 'api', 'sis', 'system'] as const;

/** What has become of courses. Written by triggers (triggers/course_events.ts), which no write path can forget. */
export const course_events = sqliteTable(
  'course_events',
  {
    id: id(),
    course_id: int().notNull(),
    /** Where the course stood then. */
    account_id: int().notNull(),
    event_type: string().notNull(),
    event_source: state(...eventSources).notNull(),
    event_data: json<Record<string, unknown>>().notNull(),
    user_id: int(),
    sis_import_id: int(),
    created_at: time().notNull(),
    same_id: sameId(),
  },
  (event) => [
    index('course_events_of_course').on(event.course_id, event.created_at, event.same_id),
    index('course_events_of_account').on(event.account_id, event.created_at, event.same_id),
    index('course_events_by_time').on(event.created_at, event.id),
  ],
);

/** Holds a row while a batch makes somebody's changes, and never outside of it. */
export const acting = sqliteTable('acting', { id: id(), user_id: int().notNull(), source: state('manual', 'api').notNull() });

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
