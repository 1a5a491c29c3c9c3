// Group categories (group sets) of a course or account.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, folded, id, int, state, string, time } from '../../database/columns';

const categoryRoles = ['communities', 'student_organized', 'imported'] as const;

export const group_categories = sqliteTable(
  'group_categories',
  {
    id: id(),
    context_type: state('Course', 'Account').notNull(),
    context_id: int().notNull(),
    name: folded().notNull(),
    role: state(...categoryRoles),
    self_signup: state('enabled', 'restricted'),
    self_signup_end_at: time(),
    group_limit: int(),
    auto_leader: state('first', 'random'),
    non_collaborative: bool().notNull().default(false),
    sis_group_category_id: string(),
    sis_import_id: int(),
    workflow_state: state('available', 'deleted').notNull().default('available'),
    ...created(),
  },
  (category) => [
    uniqueIndex('group_categories_by_name')
      .on(category.context_type, category.context_id, category.name)
      .where(sql`workflow_state = 'available'`),
    uniqueIndex('group_categories_by_role')
      .on(category.context_type, category.context_id, category.role)
      .where(sql`workflow_state = 'available' and role is not null`),
    uniqueIndex('group_categories_by_sis_id').on(category.sis_group_category_id).where(sql`sis_group_category_id is not null`),
    index('group_categories_in_context').on(
      category.context_type,
      category.context_id,
      category.workflow_state,
      category.name,
      category.id,
    ),
  ],
);
