// New Quizzes, their items, and what eases them for single students.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state } from '../../database/columns';

export const calculatorTypes = ['none', 'basic', 'scientific'] as const;
export const presentations = ['none', 'question'] as const;
export const scoresToKeep = ['average', 'first', 'highest', 'latest'] as const;

export interface MultipleAttempts {
  readonly multiple_attempts_enabled: boolean;
  readonly attempt_limit: boolean;
  /** Null: unlimited. */
  readonly max_attempts: number | null;
  readonly score_to_keep: (typeof scoresToKeep)[number];
  readonly cooling_period: boolean;
  readonly cooling_period_seconds: number | null;
}

export interface ResultView {
  readonly result_view_restricted: boolean;
  readonly display_points_awarded: boolean;
  readonly display_points_possible: boolean;
  readonly display_items: boolean;
  readonly display_item_response: boolean;
  readonly display_item_response_correctness: boolean;
  readonly display_item_correct_answer: boolean;
  readonly display_item_feedback: boolean;
}

export type AddressRange = readonly [from: string, to: string];

export interface NewQuizSettings {
  readonly calculator_type: (typeof calculatorTypes)[number];
  readonly filter_ip_address: boolean;
  readonly filters: { readonly ips?: readonly AddressRange[] };
  readonly one_at_a_time_type: (typeof presentations)[number];
  readonly allow_backtracking: boolean;
  readonly shuffle_answers: boolean;
  readonly shuffle_questions: boolean;
  readonly require_student_access_code: boolean;
  readonly student_access_code: string | null;
  readonly has_time_limit: boolean;
  readonly session_time_limit_in_seconds: number;
  /** Null: one attempt. */
  readonly multiple_attempts: MultipleAttempts | null;
  /** Null: everything is shown. */
  readonly result_view_settings: ResultView | null;
}

export const new_quizzes = sqliteTable(
  'new_quizzes',
  {
    /** That of its assignment, which has title, text, points, dates and state. */
    id: int().primaryKey(),
    course_id: int().notNull(),
    /** With the access code and address filter, which are secrets of staff. */
    quiz_settings: json<NewQuizSettings>().notNull(),
    ...created(),
  },
  (quiz) => [index('new_quizzes_in_course').on(quiz.course_id, quiz.id)],
);

export const entryTypes = ['Item', 'Stimulus', 'Bank', 'BankEntry'] as const;
export type NewQuizEntryType = (typeof entryTypes)[number];

export const new_quiz_items = sqliteTable(
  'new_quiz_items',
  {
    id: id(),
    new_quiz_id: int().notNull(),
    /** From 1, without gaps. */
    position: int().notNull(),
    points_possible: number().notNull().default(0),
    entry_type: state(...entryTypes).notNull(),
    /** The question with its key, a secret of staff, or the text of a stimulus. */
    entry: json<Readonly<Record<string, unknown>>>().notNull(),
    properties: json<Readonly<Record<string, unknown>>>().notNull().default({}),
    /** The bank that it draws from. */
    question_bank_id: int(),
    /** The question of a bank that it presents. */
    bank_question_id: int(),
    /** The stimulus that it belongs to. */
    stimulus_quiz_entry_id: int(),
    /** Increases with each change of its content; names the row of `quiz_question_versions`. */
    version: int().notNull().default(1),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (item) => [
    index('new_quiz_items_in_quiz').on(item.new_quiz_id, item.position, item.id).where(sql`workflow_state = 'active'`),
    // Partial: only items below a stimulus.
    index('new_quiz_items_of_stimulus').on(item.stimulus_quiz_entry_id).where(sql`stimulus_quiz_entry_id is not null`),
  ],
);

export const new_quiz_accommodations = sqliteTable(
  'new_quiz_accommodations',
  {
    id: id(),
    course_id: int().notNull(),
    /** 0 for all New Quizzes of the course. */
    new_quiz_id: int().notNull().default(0),
    user_id: int().notNull(),
    /** Minutes. */
    extra_time: int().notNull().default(0),
    extra_attempts: int().notNull().default(0),
    /** One wrong option of a choice with four or more is left out. */
    reduce_choices_enabled: bool().notNull().default(false),
    ...created(),
  },
  (one) => [
    uniqueIndex('new_quiz_accommodations_once').on(one.course_id, one.user_id, one.new_quiz_id),
    index('new_quiz_accommodations_of_user').on(one.user_id),
  ],
);
