// Planner notes, and planner overrides of items.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, sameId, state, string, time } from '../../database/columns';

export const planner_notes = sqliteTable(
  'planner_notes',
  {
    id: id(),
    user_id: int().notNull(),
    course_id: int(),
    title: string().notNull(),
    details: string(),
    todo_date: time().notNull(),
    linked_object_type: string(),
    linked_object_id: int(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    same_id: sameId(),
    ...created(),
  },
  (note) => [
    index('planner_notes_of_user').on(note.user_id, note.workflow_state, note.todo_date, note.same_id),
    uniqueIndex('planner_notes_once_linked')
      .on(note.user_id, note.linked_object_type, note.linked_object_id)
      .where(sql`workflow_state = 'active' and linked_object_id is not null`),
  ],
);

export const plannableTypes = [
  'announcement',
  'assignment',
  'discussion_topic',
  'quiz',
  'wiki_page',
  'planner_note',
  'calendar_event',
  'assessment_request',
  'sub_assignment',
] as const;

export const planner_overrides = sqliteTable(
  'planner_overrides',
  {
    id: id(),
    user_id: int().notNull(),
    plannable_type: state(...plannableTypes).notNull(),
    plannable_id: int().notNull(),
    marked_complete: bool().notNull().default(false),
    dismissed: bool().notNull().default(false),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (override) => [
    uniqueIndex('planner_overrides_once').on(override.user_id, override.plannable_type, override.plannable_id),
    index('planner_overrides_of_plannable').on(override.plannable_type, override.plannable_id),
    index('planner_overrides_of_user').on(override.user_id, override.workflow_state, override.id),
  ],
);

/** To-do items that a user ignored: permanently, or until they change. */
export const ignored_todos = sqliteTable(
  'ignored_todos',
  {
    id: id(),
    user_id: int().notNull(),
    asset_string: string().notNull(),
    purpose: string().notNull(),
    permanent: bool().notNull(),
    ...created(),
  },
  (ignored) => [uniqueIndex('ignored_todos_once').on(ignored.user_id, ignored.asset_string, ignored.purpose)],
);

/** Activity stream items that a user hid. `*` hides all up to that time. */
export const hidden_stream_items = sqliteTable(
  'hidden_stream_items',
  { user_id: int().notNull(), stream_id: string().notNull(), hidden_at: time().notNull() },
  (hidden) => [uniqueIndex('hidden_stream_items_once').on(hidden.user_id, hidden.stream_id)],
);
