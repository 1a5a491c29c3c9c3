// Assignment groups of a course.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, number, state, string } from '../../database/columns';

export type DropRules = { drop_lowest?: number; drop_highest?: number; never_drop?: number[] };

export const assignment_groups = sqliteTable(
  'assignment_groups',
  {
    id: id(),
    course_id: int().notNull(),
    name: string().notNull(),
    position: int().notNull(),
    group_weight: number().notNull().default(0),
    sis_source_id: string(),
    integration_data: json<Record<string, unknown>>().notNull().default({}),
    rules: json<DropRules>().notNull().default({}),
    workflow_state: state('available', 'deleted').notNull().default('available'),
    ...created(),
  },
  (group) => [index('assignment_groups_in_course').on(group.course_id, group.workflow_state, group.position, group.id)],
);
