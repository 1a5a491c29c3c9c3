// Page views: where their objects are in R2, the last access of each user, and queries. The views themselves are in R2 (`objects.ts`).

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state, string, time } from '../../database/columns';

/** Course, user, hour (since 1970), category, views, participations, and a line for each participation: its time in seconds and its path. */
export type TallyEntry = readonly [
  course: number,
  user: number,
  hour: number,
  category: string,
  views: number,
  participations: number,
  participated: string,
];

/** Views recorded before they were stored in R2. A chore moves them, and no request writes here (`move.ts`). */
export const page_views = sqliteTable('page_views', {
  id: id(),
  /** The request id, as returned in the response. */
  uuid: string().notNull(),
  user_id: int().notNull(),
  real_user_id: int(),
  /** The course, account or user of the request. */
  context_type: string(),
  context_id: int(),
  asset_type: string(),
  asset_id: int(),
  controller: string().notNull(),
  action: string().notNull(),
  participated: bool().notNull(),
  /** Came from a browser session. */
  user_request: bool().notNull(),
  http_method: string().notNull(),
  url: string().notNull(),
  user_agent: string(),
  remote_ip: string(),
  app_name: string(),
  /** In seconds. */
  render_time: number().notNull(),
  created_at: time().notNull(),
});

/** Sorted sets of page views, which are merged into larger ones (`compact.ts`). */
export const page_view_runs = sqliteTable(
  'page_view_runs',
  {
    id: id(),
    /** The index of its period in `levels`. */
    level: int().notNull(),
    /** The start of the period of its views, which is within one day; of level 0, its newest view. */
    period: time().notNull(),
    /** Only active runs are read. The objects of deleted ones are deleted later, because a request may still read them. */
    workflow_state: state('building', 'active', 'deleted').notNull(),
    /** The times of its oldest and its newest view. */
    from_time: time().notNull(),
    to_time: time().notNull(),
    /** The run into which it is being merged. */
    merged_into_run_id: int(),
    ...created(),
  },
  (run) => [
    index('page_view_runs_active').on(run.to_time).where(sql`workflow_state = 'active'`),
    index('page_view_runs_building').on(run.id).where(sql`workflow_state = 'building'`),
    index('page_view_runs_deleted').on(run.updated_at).where(sql`workflow_state = 'deleted'`),
    index('page_view_runs_merged').on(run.merged_into_run_id).where(sql`merged_into_run_id is not null`),
  ],
);

/** The objects of a run, each a part of its views in the order of users. */
export const page_view_objects = sqliteTable(
  'page_view_objects',
  {
    id: id(),
    run_id: int().notNull(),
    key: string().notNull(),
    /** The user of its first view. */
    from_user: int().notNull(),
    /** The position of its last view. */
    to_user: int().notNull(),
    to_time: time().notNull(),
    to_uuid: string().notNull(),
    /** Three numbers for each block: the user and the time, in seconds, of its first view, and where its bytes end. */
    blocks: json<readonly number[]>().notNull(),
  },
  (object) => [
    // In the order of views.
    index('page_view_objects_of_run').on(object.run_id, object.to_user, sql`${object.to_time} desc`, sql`${object.to_uuid} desc`),
  ],
);

/** What the last run has taken in: one row. It lets only one of two simultaneous runs commit, and names the batches that may not be deleted yet. */
export const page_view_intakes = sqliteTable('page_view_intakes', {
  id: int().primaryKey(),
  /** Grows with every run; null breaks a batch, so that no batch of views is taken in twice. */
  version: int().notNull(),
  keys: json<readonly string[]>().notNull(),
});

/** Counts of the views that a run has taken in (`tally.ts`), until a chore adds them to the counters. */
export const page_view_tallies = sqliteTable('page_view_tallies', {
  id: id(),
  entries: json<readonly TallyEntry[]>().notNull(),
  /** Number of entries. */
  size: int().notNull(),
});

/** When and from where each user was last here, for reports; at most six hours old (`take_in.ts`). */
export const user_accesses = sqliteTable('user_accesses', {
  user_id: int().primaryKey(),
  last_at: time().notNull(),
  last_ip: string(),
});

/** Requests for all page views of some users, answered with a file. */
export const page_view_queries = sqliteTable(
  'page_view_queries',
  {
    id: id(),
    uuid: string().notNull(),
    /** The requester. */
    user_id: int().notNull(),
    user_ids: json<readonly number[]>().notNull(),
    /** Requested for several users. */
    is_batch: bool().notNull(),
    start_at: time().notNull(),
    /** Exclusive. */
    end_at: time().notNull(),
    format: state('csv', 'jsonl').notNull(),
    workflow_state: state('queued', 'processing', 'finished', 'failed').notNull().default('queued'),
    /** Number of completed steps; null breaks a batch, so that no step is made twice. */
    step: int().notNull().default(0),
    /** How often the current step has failed. */
    crashes: int().notNull().default(0),
    /** The position in `user_ids`, and the last view of that user in the result. */
    nth_user: int().notNull().default(0),
    after_time: time(),
    after_uuid: string(),
    /** The objects that the result consists of, and their bytes. */
    pieces: json<readonly string[]>().notNull().default([]),
    size: int().notNull().default(0),
    ...created(),
  },
  (query) => [
    uniqueIndex('page_view_queries_by_uuid').on(query.uuid),
    index('page_view_queries_by_age').on(query.created_at),
    index('page_view_queries_of_requester').on(query.user_id).where(sql`workflow_state in ('queued', 'processing')`),
    index('page_view_queries_unfinished').on(query.updated_at).where(sql`workflow_state in ('queued', 'processing')`),
  ],
);
