// Discussion topics and announcements, their entries, and read state.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const discussion_topics = sqliteTable(
  'discussion_topics',
  {
    id: id(),
    context_type: state('Course', 'Group').notNull(),
    context_id: int().notNull(),
    title: string().notNull(),
    message: string(),
    user_id: int(),
    is_announcement: bool().notNull().default(false),
    discussion_type: state('side_comment', 'threaded', 'not_threaded', 'flat').notNull().default('side_comment'),
    /** Highest first; pinned topics have an order of their own, lowest first. */
    position: int().notNull().default(0),
    pinned: bool().notNull().default(false),
    locked: bool().notNull().default(false),
    posted_at: time(),
    last_reply_at: time(),
    delayed_post_at: time(),
    lock_at: time(),
    todo_date: time(),
    require_initial_post: bool().notNull().default(false),
    allow_rating: bool().notNull().default(false),
    only_graders_can_rate: bool().notNull().default(false),
    sort_by_rating: bool().notNull().default(false),
    podcast_enabled: bool().notNull().default(false),
    podcast_has_student_posts: bool().notNull().default(false),
    anonymous_state: state('full_anonymity', 'partial_anonymity'),
    is_anonymous_author: bool().notNull().default(false),
    assignment_id: int(),
    group_category_id: int(),
    root_topic_id: int(),
    attachment_id: int(),
    /** Section ids of a section-specific topic; null means all sections. */
    section_ids: json<number[]>(),
    sort_order: state('asc', 'desc').notNull().default('desc'),
    sort_order_locked: bool().notNull().default(false),
    expanded: bool().notNull().default(false),
    expanded_locked: bool().notNull().default(false),
    /** Number of active entries. Kept by a trigger. */
    entry_count: int().notNull().default(0),
    workflow_state: state('unpublished', 'active', 'post_delayed', 'deleted').notNull().default('unpublished'),
    ...created(),
  },
  (topic) => [
    // One index per sort order.
    index('discussion_topics_by_title').on(
      topic.context_type,
      topic.context_id,
      topic.is_announcement,
      sql`${topic.title} collate nocase`,
      topic.id,
    ),
    index('discussion_topics_of_root').on(topic.root_topic_id).where(sql`root_topic_id is not null`),
    index('discussion_topics_of_set').on(topic.group_category_id).where(sql`group_category_id is not null`),
    index('discussion_topics_of_author').on(topic.user_id),
    index('discussion_topics_of_assignment').on(topic.assignment_id),
    // Partial: topics with an assignment or file are few.
    index('discussion_topics_graded').on(topic.context_type, topic.context_id).where(sql`assignment_id is not null`),
    index('discussion_topics_with_files').on(topic.context_type, topic.context_id).where(sql`attachment_id is not null`),
    index('discussion_topics_of_attachment').on(topic.attachment_id).where(sql`attachment_id is not null`),
    index('discussion_topics_to_post').on(topic.delayed_post_at).where(sql`workflow_state = 'post_delayed'`),
  ],
);

export const discussion_entries = sqliteTable(
  'discussion_entries',
  {
    id: id(),
    discussion_topic_id: int().notNull(),
    user_id: int().notNull(),
    parent_id: int(),
    /** Its top-level entry, or itself. Null only while it is being created. */
    root_entry_id: int(),
    message: string(),
    editor_id: int(),
    attachment_id: int(),
    rating_count: int().notNull().default(0),
    rating_sum: int().notNull().default(0),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (entry) => [
    index('discussion_entries_in_topic').on(entry.discussion_topic_id, entry.parent_id, entry.id),
    index('discussion_entries_under').on(entry.root_entry_id, entry.id),
    index('discussion_entries_of_user').on(entry.discussion_topic_id, entry.user_id),
    index('discussion_entries_with_files').on(entry.discussion_topic_id).where(sql`attachment_id is not null`),
  ],
);

/** A user's read state and subscription of a topic. Without a row: unread, default subscription. */
export const discussion_topic_reads = sqliteTable(
  'discussion_topic_reads',
  {
    discussion_topic_id: int().notNull(),
    user_id: int().notNull(),
    read: bool().notNull().default(false),
    subscribed: bool(),
    /** Number of active entries the user has read. Kept by triggers. */
    read_count: int().notNull().default(0),
  },
  (read) => [primaryKey({ columns: [read.discussion_topic_id, read.user_id] })],
);

export const discussion_entry_reads = sqliteTable(
  'discussion_entry_reads',
  {
    discussion_entry_id: int().notNull(),
    discussion_topic_id: int().notNull(),
    user_id: int().notNull(),
    read: bool().notNull().default(true),
    forced: bool().notNull().default(false),
    rating: int(),
  },
  (read) => [
    primaryKey({ columns: [read.discussion_entry_id, read.user_id] }),
    index('discussion_entry_reads_in_topic').on(read.discussion_topic_id, read.user_id),
  ],
);

/** Cached entries of a topic, for the full view; a part covers two hundred entry numbers. */
export const discussion_view_parts = sqliteTable(
  'discussion_view_parts',
  {
    discussion_topic_id: int().notNull(),
    part: int().notNull(),
    people: json<number[]>().notNull(),
    editors: json<number[]>().notNull(),
    entries: json<object[]>().notNull(),
  },
  (part) => [primaryKey({ columns: [part.discussion_topic_id, part.part] })],
);

/** Entries that have changed since they were cached, or are not cached yet. Kept by triggers. */
export const discussion_view_changes = sqliteTable(
  'discussion_view_changes',
  { discussion_topic_id: int().notNull(), discussion_entry_id: int().notNull() },
  (change) => [primaryKey({ columns: [change.discussion_topic_id, change.discussion_entry_id] })],
);
