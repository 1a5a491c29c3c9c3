// Rubrics, and imports of rubrics.

import { sql } from 'drizzle-orm';
import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state, string } from '../../database/columns';

export interface Rating {
  readonly id: string;
  readonly description: string;
  readonly long_description: string;
  readonly points: number;
}

export interface Criterion {
  readonly id: string;
  readonly description: string;
  readonly long_description: string;
  readonly points: number;
  readonly criterion_use_range: boolean;
  /** By points, the highest first. */
  readonly ratings: readonly Rating[];
  readonly learning_outcome_id?: number | null;
  readonly mastery_points?: number | null;
  readonly ignore_for_scoring?: boolean;
}

export const rubrics = sqliteTable(
  'rubrics',
  {
    id: id(),
    context_type: state('Course', 'Account').notNull(),
    context_id: int().notNull(),
    user_id: int().notNull(),
    title: string().notNull(),
    criteria: json<readonly Criterion[]>().notNull().default([]),
    points_possible: number().notNull().default(0),
    free_form_criterion_comments: bool().notNull().default(false),
    hide_score_total: bool(),
    hide_points: bool().notNull().default(false),
    rating_order: state('descending', 'ascending').notNull().default('descending'),
    /** The import that created it. */
    rubric_import_id: int(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (rubric) => [
    // For a title that is not used in the context yet, and for the rubrics of a course copy.
    index('rubrics_by_title').on(rubric.context_type, rubric.context_id, rubric.title).where(sql`workflow_state = 'active'`),
    index('rubrics_of_import').on(rubric.rubric_import_id, rubric.id).where(sql`rubric_import_id is not null`),
  ],
);

export interface ImportError {
  readonly message: string;
  readonly row?: number;
}

export const rubricImportStates = ['created', 'importing', 'succeeded', 'succeeded_with_errors', 'failed'] as const;

export const rubric_imports = sqliteTable(
  'rubric_imports',
  {
    id: id(),
    context_type: state('Course', 'Account').notNull(),
    context_id: int().notNull(),
    user_id: int().notNull(),
    filename: string().notNull(),
    size: int().notNull(),
    /** The content of the file, until it is imported. */
    csv: string(),
    progress: int().notNull().default(0),
    error_count: int().notNull().default(0),
    error_data: json<readonly ImportError[]>().notNull().default([]),
    workflow_state: state(...rubricImportStates)
      .notNull()
      .default('created'),
    ...created(),
  },
  (one) => [
    index('rubric_imports_in_context').on(one.context_type, one.context_id, one.id),
    index('rubric_imports_unfinished').on(one.updated_at).where(sql`workflow_state in ('created', 'importing')`),
  ],
);
