// Learning outcomes, their groups and links, what is aligned with them, and the results of students.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state, string, time } from '../../database/columns';

export interface OutcomeRating {
  readonly description: string;
  readonly points: number;
}

/** Outcomes and groups of the whole institution have the context `Global` with the id 0. */
export const outcomeContexts = ['Global', 'Account', 'Course'] as const;

export const learning_outcomes = sqliteTable(
  'learning_outcomes',
  {
    id: id(),
    context_type: state(...outcomeContexts).notNull(),
    context_id: int().notNull(),
    title: string().notNull(),
    display_name: string(),
    description: string(),
    friendly_description: string(),
    vendor_guid: string(),
    calculation_method: state('decaying_average', 'standard_decaying_average', 'n_mastery', 'highest', 'latest', 'average')
      .notNull()
      .default('decaying_average'),
    calculation_int: int(),
    mastery_points: number().notNull(),
    points_possible: number().notNull(),
    /** By points, the highest first. */
    ratings: json<readonly OutcomeRating[]>().notNull(),
    workflow_state: state('active', 'archived', 'retired', 'deleted').notNull().default('active'),
    ...created(),
  },
  (outcome) => [
    index('learning_outcomes_in_context').on(outcome.context_type, outcome.context_id, outcome.id),
    index('learning_outcomes_by_guid')
      .on(outcome.vendor_guid, outcome.context_type, outcome.context_id)
      .where(sql`vendor_guid is not null`),
  ],
);

export const learning_outcome_groups = sqliteTable(
  'learning_outcome_groups',
  {
    id: id(),
    context_type: state(...outcomeContexts).notNull(),
    context_id: int().notNull(),
    /** Null for the root group of the context. */
    parent_outcome_group_id: int(),
    title: string().notNull(),
    description: string(),
    vendor_guid: string(),
    /** The import that created it. */
    outcome_import_id: int(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (group) => [
    index('outcome_groups_in_context').on(group.context_type, group.context_id, group.id).where(sql`workflow_state = 'active'`),
    index('outcome_groups_in_group')
      .on(group.parent_outcome_group_id, group.title, group.id)
      .where(sql`workflow_state = 'active' and parent_outcome_group_id is not null`),
    uniqueIndex('outcome_group_roots').on(group.context_type, group.context_id).where(sql`parent_outcome_group_id is null`),
    index('outcome_groups_by_guid').on(group.vendor_guid, group.context_type, group.context_id).where(sql`vendor_guid is not null`),
    index('outcome_groups_of_import').on(group.outcome_import_id, group.id).where(sql`outcome_import_id is not null`),
  ],
);

/** What is wrong with a row of an imported file; the first row is that of the names. */
export type OutcomeImportError = readonly [row: number, message: string];

export const outcome_imports = sqliteTable(
  'outcome_imports',
  {
    id: id(),
    context_type: state('Account', 'Course').notNull(),
    context_id: int().notNull(),
    user_id: int().notNull(),
    /** The group below which to import; null for the root group. */
    learning_outcome_group_id: int(),
    /** The content of the file, until it is imported. */
    csv: string(),
    /** Rows that are imported. */
    rows_done: int().notNull().default(0),
    progress: int().notNull().default(0),
    /** The first of them, by row. */
    errors: json<readonly OutcomeImportError[]>().notNull().default([]),
    workflow_state: state('created', 'importing', 'succeeded', 'failed').notNull().default('created'),
    ended_at: time(),
    ...created(),
  },
  (one) => [
    index('outcome_imports_in_context').on(one.context_type, one.context_id, one.id),
    index('outcome_imports_unfinished').on(one.updated_at).where(sql`workflow_state in ('created', 'importing')`),
  ],
);

export const learning_outcome_links = sqliteTable(
  'learning_outcome_links',
  {
    id: id(),
    learning_outcome_group_id: int().notNull(),
    learning_outcome_id: int().notNull(),
    /** The context of the group. */
    context_type: state(...outcomeContexts).notNull(),
    context_id: int().notNull(),
    /** That of the outcome, to sort the links of a group. */
    title: string().notNull(),
    ...created(),
  },
  (link) => [
    uniqueIndex('outcome_links_once').on(link.learning_outcome_group_id, link.learning_outcome_id),
    index('outcome_links_in_group').on(link.learning_outcome_group_id, link.title, link.id),
    index('outcome_links_in_context').on(link.context_type, link.context_id, link.id),
    index('outcome_links_of_outcome').on(link.learning_outcome_id, link.context_type, link.context_id),
  ],
);

/** What assesses an outcome: the criteria of a rubric (kept by triggers), the questions of a bank, or a live assessment. */
export const outcome_alignments = sqliteTable(
  'outcome_alignments',
  {
    learning_outcome_id: int().notNull(),
    content_type: state('Rubric', 'AssessmentQuestionBank', 'LiveAssessment').notNull(),
    content_id: int().notNull(),
    /** From 0 to 1: the share of the points that is mastery; null for that of the outcome. Criteria of rubrics have their own points. */
    mastery_score: number(),
  },
  (alignment) => [
    primaryKey({ columns: [alignment.learning_outcome_id, alignment.content_type, alignment.content_id] }),
    index('outcome_alignments_of_content').on(alignment.content_type, alignment.content_id),
  ],
);

/** One for each student, outcome, assessed object and alignment; a later assessment replaces it. Kept by triggers. */
export const outcome_results = sqliteTable(
  'outcome_results',
  {
    id: id(),
    course_id: int().notNull(),
    user_id: int().notNull(),
    learning_outcome_id: int().notNull(),
    association_type: state('Assignment', 'Quiz', 'LiveAssessment').notNull(),
    association_id: int().notNull(),
    /** The aligned bank, of whose questions a quiz had some; otherwise 0. */
    question_bank_id: int().notNull().default(0),
    title: string().notNull(),
    /** Null when an assessment was cleared. */
    score: number(),
    possible: number(),
    mastery: bool(),
    /** From 0 to 1, of the points of the outcome. */
    percent: number(),
    hide_points: bool().notNull().default(false),
    hidden: bool().notNull().default(false),
    /** The time of the submission, otherwise of the assessment. */
    submitted_or_assessed_at: time().notNull(),
    ...created(),
  },
  (result) => [
    uniqueIndex('outcome_results_once').on(
      result.learning_outcome_id,
      result.user_id,
      result.association_type,
      result.association_id,
      result.question_bank_id,
    ),
    index('outcome_results_of_user').on(result.course_id, result.user_id, result.id),
    index('outcome_results_of_user_anywhere').on(result.user_id),
  ],
);

/** The order in which a user sees the outcomes of a course. */
export const outcome_positions = sqliteTable(
  'outcome_positions',
  {
    course_id: int().notNull(),
    user_id: int().notNull(),
    learning_outcome_id: int().notNull(),
    position: int().notNull(),
  },
  (place) => [primaryKey({ columns: [place.user_id, place.course_id, place.learning_outcome_id] })],
);

export interface ProficiencyRating {
  readonly description: string;
  readonly points: number;
  readonly mastery: boolean;
  /** Six hex digits. */
  readonly color: string;
}

export const outcome_proficiencies = sqliteTable(
  'outcome_proficiencies',
  {
    id: id(),
    context_type: state('Account', 'Course').notNull(),
    context_id: int().notNull(),
    ratings: json<readonly ProficiencyRating[]>().notNull(),
    ...created(),
  },
  (scale) => [uniqueIndex('outcome_proficiencies_once').on(scale.context_type, scale.context_id)],
);
