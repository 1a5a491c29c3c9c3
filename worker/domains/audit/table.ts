// Audit log tables: sign-ins and sign-outs, course changes, masquerading, and their archive.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, id, int, json, sameId, state, string, time } from '../../database/columns';

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
    index('authentication_events_by_time').on(event.created_at, event.id),
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
export const acting = sqliteTable('acting', {
  id: id(),
  user_id: int().notNull(),
  source: state('manual', 'api').notNull(),
  /** Whether the grader has graded without seeing names; null where the settings of the assignment tell. */
  graded_anonymously: bool(),
});

/** Changes made while masquerading, with the real user. Reads are in the page views. */
export const masquerades = sqliteTable(
  'masquerades',
  {
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
  },
  (one) => [index('masquerades_by_time').on(one.created_at, one.id)],
);

/** An object in R2 with rows of an audit log that are no longer in its table (archive.ts): gzip, one row as JSON a line, oldest first. */
export const archived_logs = sqliteTable(
  'archived_logs',
  {
    id: id(),
    /** The table of the rows. */
    log: string().notNull(),
    /** The column that the rows are grouped by; `time` for all rows in order of time. */
    grouped_by: string().notNull(),
    /** The rows of one group of values of that column; 0 for all rows. */
    bucket: int().notNull(),
    first_at: time().notNull(),
    first_id: int().notNull(),
    last_at: time().notNull(),
    last_id: int().notNull(),
    rows: int().notNull(),
    bytes: int().notNull(),
    key: string().notNull(),
  },
  (object) => [uniqueIndex('archived_logs_in_order').on(object.log, object.grouped_by, object.bucket, object.last_at, object.last_id)],
);

/** How far the archive of a log has come: one row per log. */
export const log_archives = sqliteTable('log_archives', {
  log: string().primaryKey(),
  /** Rows up to this one are in the archive, and no longer in the table. */
  through_at: time().notNull().default(''),
  through_id: int().notNull().default(0),
  /** While a pass is going on: it archives the rows before this time. */
  cut: time(),
  /** The copies that the pass has made: the number of columns that are done, the next bucket, and the last row of it. */
  copy: int().notNull().default(0),
  bucket: int().notNull().default(0),
  after_at: time().notNull().default(''),
  after_id: int().notNull().default(0),
});
