// Modules, their items, and students' progress.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state, string, time } from '../../database/columns';

export const modules = sqliteTable(
  'modules',
  {
    id: id(),
    course_id: int().notNull(),
    name: string().notNull(),
    position: int().notNull(),
    unlock_at: time(),
    require_sequential_progress: bool().notNull().default(false),
    requirement_count: int(),
    publish_final_grade: bool().notNull().default(false),
    prerequisite_module_ids: json<number[]>().notNull().default([]),
    workflow_state: state('active', 'unpublished', 'deleted').notNull().default('unpublished'),
    ...created(),
  },
  // Includes deleted modules: a partial index on `<> 'deleted'` would not serve queries for `= 'active'`.
  (module) => [index('modules_in_course').on(module.course_id, module.position, module.id)],
);

export const itemTypes = ['File', 'Page', 'Discussion', 'Assignment', 'Quiz', 'SubHeader', 'ExternalUrl', 'ExternalTool'] as const;
export const requirementTypes = ['must_view', 'must_submit', 'must_contribute', 'must_mark_done', 'min_score', 'min_percentage'] as const;

export const module_items = sqliteTable(
  'module_items',
  {
    id: id(),
    course_id: int().notNull(),
    module_id: int().notNull(),
    position: int().notNull(),
    title: string().notNull(),
    indent: int().notNull().default(0),
    type: state(...itemTypes).notNull(),
    /** Id of the page, assignment, topic or file; null for headings and links. */
    content_id: int(),
    external_url: string(),
    new_tab: bool().notNull().default(false),
    iframe: json<{ width?: number; height?: number }>(),
    requirement_type: state(...requirementTypes),
    min_score: number(),
    min_percentage: number(),
    /** For headings and links only; content has its own published state. */
    published: bool().notNull().default(false),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (item) => [
    index('module_items_in_module').on(item.module_id, item.workflow_state, item.position, item.id),
    index('module_items_with_requirement')
      .on(item.module_id, item.position)
      .where(sql`requirement_type is not null and workflow_state = 'active'`),
    index('module_items_of_content').on(item.type, item.content_id),
    index('module_items_in_course').on(item.course_id, item.workflow_state),
  ],
);

/** Students' actions on items with requirements; progress in submissions and scores is derived. */
export const module_marks = sqliteTable(
  'module_marks',
  {
    item_id: int().notNull(),
    user_id: int().notNull(),
    course_id: int().notNull(),
    mark: state('read', 'contributed', 'done').notNull(),
    /** Evaluated as valid; before that it counts unless the module is locked. */
    accepted: bool().notNull().default(false),
    created_at: time().notNull(),
  },
  (mark) => [primaryKey({ columns: [mark.user_id, mark.item_id, mark.mark] })],
);

export interface MetRequirement {
  readonly id: number;
  readonly type: string;
}

export const module_progressions = sqliteTable(
  'module_progressions',
  {
    module_id: int().notNull(),
    user_id: int().notNull(),
    course_id: int().notNull(),
    state: state('locked', 'unlocked', 'started', 'completed').notNull().default('locked'),
    requirements_met: json<MetRequirement[]>().notNull().default([]),
    completed_at: time(),
    current_position: int(),
    updated_at: time().notNull(),
  },
  (progression) => [
    primaryKey({ columns: [progression.module_id, progression.user_id] }),
    index('module_progressions_of_user').on(progression.user_id, progression.course_id),
  ],
);

/** Module overrides: a module with overrides is visible only to those named in them. */
export const module_overrides = sqliteTable(
  'module_overrides',
  {
    id: id(),
    course_id: int().notNull(),
    module_id: int().notNull(),
    title: string(),
    course_section_id: int(),
    student_ids: json<number[]>().notNull().default([]),
    ...created(),
  },
  (override) => [index('module_overrides_of_module').on(override.module_id), index('module_overrides_in_course').on(override.course_id)],
);
