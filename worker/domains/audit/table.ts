// Audit log tables: sign-ins and sign-outs, course changes, masquerading.

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
    /** The real user, when the session was opened while masquerading. */
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

/** Course changes. Written by triggers (triggers/course_events.ts), so that no write path can omit them. */
export const course_events = sqliteTable(
  'course_events',
  {
    id: id(),
    course_id: int().notNull(),
    /** The course's account at that time. */
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

/** Holds one row while a batch makes a user's changes, and is empty otherwise. */
export const acting = sqliteTable('acting', { id: id(), user_id: int().notNull(), source: state('manual', 'api').notNull() });

/** Changes made while masquerading, with the real user. Reads are in the page views. */
export const masquerades = sqliteTable('masquerades', {
  id: id(),
  real_user_id: int().notNull(),
  user_id: int().notNull(),
  /** HTTP method and route pattern of the endpoint. */
  action: string().notNull(),
  /** The URL path without query. */
  path: string().notNull(),
  /** As in the log and in `X-Request-Context-Id`. */
  request_id: string().notNull(),
  created_at: time().notNull(),
});
