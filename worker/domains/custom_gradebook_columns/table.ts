// Columns that teachers add to a gradebook, and the text of each student in them.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, state, string } from '../../database/columns';

export const custom_gradebook_columns = sqliteTable(
  'custom_gradebook_columns',
  {
    id: id(),
    course_id: int().notNull(),
    title: string().notNull(),
    position: int().notNull(),
    hidden: bool().notNull().default(false),
    teacher_notes: bool().notNull().default(false),
    read_only: bool().notNull().default(false),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (column) => [
    index('custom_gradebook_columns_in_course').on(column.course_id, column.workflow_state, column.position, column.id),
    uniqueIndex('custom_gradebook_columns_one_for_notes').on(column.course_id).where(sql`teacher_notes = 1 and workflow_state = 'active'`),
  ],
);

export const custom_gradebook_data = sqliteTable(
  'custom_gradebook_data',
  { id: id(), column_id: int().notNull(), user_id: int().notNull(), content: string().notNull() },
  (datum) => [uniqueIndex('custom_gradebook_data_once').on(datum.column_id, datum.user_id)],
);
