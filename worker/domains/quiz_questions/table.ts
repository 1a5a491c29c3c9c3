// Questions of quizzes and of question banks, and their versions that attempts refer to.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, number, state, string, time } from '../../database/columns';

/** An answer with its key. Which members it has depends on the type of the question. */
export interface StoredAnswer {
  /** Unique within the question. */
  readonly id: number;
  /** 100 when correct, otherwise 0. */
  readonly weight: number;
  readonly text?: string;
  readonly html?: string;
  readonly comments?: string;
  readonly comments_html?: string;
  readonly blank_id?: string;
  readonly left?: string;
  readonly left_html?: string;
  readonly right?: string;
  readonly match_id?: number;
  readonly numerical_answer_type?: 'exact_answer' | 'range_answer' | 'precision_answer';
  readonly exact?: number;
  /** A number, or a percentage such as `5%`. */
  readonly margin?: number | string;
  readonly start?: number;
  readonly end?: number;
  readonly approximate?: number;
  /** Significant digits. */
  readonly precision?: number;
  /** The result of a combination of variables. */
  readonly answer?: number;
  /** One combination of variables; the values have as many decimals as the variable. */
  readonly variables?: readonly { readonly name: string; readonly value: string }[];
}

export interface QuestionData {
  readonly answers: readonly StoredAnswer[];
  readonly correct_comments?: string;
  readonly incorrect_comments?: string;
  readonly neutral_comments?: string;
  readonly correct_comments_html?: string;
  readonly incorrect_comments_html?: string;
  readonly neutral_comments_html?: string;
  /** Of missing-word questions. */
  readonly text_after_answers?: string;
  /** Of matching questions: every right text and distractor. */
  readonly matches?: readonly { readonly match_id: number; readonly text: string }[];
  /** Distractors, one per line. */
  readonly matching_answer_incorrect_matches?: string;
  /** Of calculated questions. */
  readonly variables?: readonly { readonly name: string; readonly min: number; readonly max: number; readonly scale: number }[];
  readonly formulas?: readonly { readonly formula: string }[];
  /** A number, or a percentage such as `5%`. */
  readonly answer_tolerance?: number | string;
  readonly formula_decimal_places?: number;
  /** Of imported questions with several answers: the points that each wrong choice costs. */
  readonly incorrect_dock?: number;
  /** The question of a New Quiz as its editor has sent it; instead of answers. */
  readonly item?: Readonly<Record<string, unknown>>;
}

export const regradeOptions = ['full_credit', 'current_and_previous_correct', 'current_correct_only'] as const;

export interface QuestionRegrade {
  readonly option: (typeof regradeOptions)[number];
  /** The version with the new key. */
  readonly version: number;
}

/** One id space, so that the questions of an attempt have unique ids, whether they were drawn from the quiz or from a bank. */
export const quiz_questions = sqliteTable(
  'quiz_questions',
  {
    id: id(),
    course_id: int(),
    /** Null for a question of a bank. */
    quiz_id: int(),
    /** Null for a question of a quiz. */
    question_bank_id: int(),
    quiz_group_id: int(),
    /** The question of a bank that it is a copy of. */
    assessment_question_id: int(),
    /** In its group, or among the root entries of its quiz or bank. */
    position: int().notNull(),
    /** The position of its group, or its own outside of groups. */
    root_position: int().notNull().default(0),
    question_name: string().notNull(),
    question_type: string().notNull(),
    question_text: string().notNull(),
    points_possible: number().notNull().default(0),
    /** Answers with their keys, comments and what else the type has; a secret of staff. */
    data: json<QuestionData>().notNull(),
    /** Increases with each change of its content; names the row of `quiz_question_versions`. */
    version: int().notNull().default(1),
    /** How attempts with earlier versions are scored since its key has changed. */
    regrade: json<QuestionRegrade>(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (question) => [
    index('quiz_questions_in_quiz')
      .on(question.quiz_id, question.root_position, question.quiz_group_id, question.position, question.id)
      .where(sql`workflow_state = 'active' and quiz_id is not null`),
    index('quiz_questions_in_group')
      .on(question.quiz_group_id, question.position, question.id)
      .where(sql`workflow_state = 'active' and quiz_group_id is not null`),
    index('quiz_questions_in_bank')
      .on(question.question_bank_id, question.position, question.id)
      .where(sql`workflow_state = 'active' and question_bank_id is not null`),
  ],
);

/** What a presented question is, by the version that its attempt names. */
export interface PresentedContent {
  readonly question_name: string;
  readonly question_type: string;
  readonly question_text: string;
  readonly data: QuestionData;
}

/** A question as some attempt got it; an item of a New Quiz has its negative id, so that ids are unique. Never updated, so that edits do not change attempts; written by the first attempt that presents a version. */
export const quiz_question_versions = sqliteTable(
  'quiz_question_versions',
  {
    question_id: int().notNull(),
    version: int().notNull(),
    /** With the keys; a secret of staff. */
    content: json<PresentedContent>().notNull(),
    created_at: time().notNull(),
  },
  (version) => [primaryKey({ columns: [version.question_id, version.version] })],
);
