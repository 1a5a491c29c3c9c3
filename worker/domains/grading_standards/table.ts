// Grading standards (grading schemes) of courses and accounts: grade names with their lower bounds.

import { sql } from 'drizzle-orm';
import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state, string, time } from '../../database/columns';

export interface SchemeEntry {
  readonly name: string;
  /** The lower bound as a fraction of the points possible. */
  readonly value: number;
}

export const grading_standards = sqliteTable(
  'grading_standards',
  {
    id: id(),
    context_type: state('Course', 'Account').notNull(),
    context_id: int().notNull(),
    /** `course_12`: the key of lists that include the parent accounts. */
    context_code: string().notNull().generatedAlwaysAs(sql`lower(context_type) || '_' || context_id`),
    title: string().notNull(),
    /** In descending order. */
    entries: json<SchemeEntry[]>().notNull(),
    points_based: bool().notNull().default(false),
    scaling_factor: number().notNull().default(1),
    /** When a submission was first graded with it. From then on only the title changes. */
    used_at: time(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (standard) => [index('grading_standards_in_context').on(standard.context_code, standard.id).where(sql`workflow_state = 'active'`)],
);
