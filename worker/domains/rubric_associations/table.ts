// Where rubrics are used: in a course or account whose users may choose them, and for the assessment of assignments.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string } from '../../database/columns';

export const purposes = ['grading', 'bookmark'] as const;

export const rubric_associations = sqliteTable(
  'rubric_associations',
  {
    id: id(),
    rubric_id: int().notNull(),
    association_type: state('Assignment', 'Course', 'Account').notNull(),
    association_id: int().notNull(),
    /** The course of an assignment, otherwise the same as the association. */
    context_type: state('Course', 'Account').notNull(),
    context_id: int().notNull(),
    title: string(),
    url: string(),
    purpose: state(...purposes)
      .notNull()
      .default('grading'),
    use_for_grading: bool().notNull().default(false),
    hide_score_total: bool().notNull().default(false),
    hide_points: bool().notNull().default(false),
    hide_outcome_results: bool().notNull().default(false),
    bookmarked: bool().notNull().default(true),
    /** `saved_comments`: lists of comments by criterion. */
    summary_data: json<{ readonly saved_comments?: Readonly<Record<string, readonly string[]>> }>(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (association) => [
    index('rubric_associations_in_context')
      .on(association.context_type, association.context_id, association.rubric_id, association.id)
      .where(sql`workflow_state = 'active'`),
    index('rubric_associations_of_rubric')
      .on(association.rubric_id, association.context_id, association.id)
      .where(sql`workflow_state = 'active'`),
    uniqueIndex('rubric_associations_for_grading')
      .on(association.association_id)
      .where(sql`association_type = 'Assignment' and purpose = 'grading' and workflow_state = 'active'`),
    uniqueIndex('rubric_associations_bookmarked_once')
      .on(association.association_type, association.association_id, association.rubric_id)
      .where(sql`purpose = 'bookmark' and workflow_state = 'active'`),
  ],
);

/** Literal, so that SQLite matches the partial index. */
export const forGrading = (alias = 'rubric_associations') =>
  sql.raw(`${alias}.association_type = 'Assignment' and ${alias}.purpose = 'grading' and ${alias}.workflow_state = 'active'`);
