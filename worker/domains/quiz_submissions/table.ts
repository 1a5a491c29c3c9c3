// Attempts at quizzes: one submission per student and quiz, its attempts, their answers and the log of events.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state, string, time } from '../../database/columns';

/** `untaken` means that the attempt is running; a teacher's preview stays a `preview` after it is complete. */
export const quizSubmissionStates = ['settings_only', 'untaken', 'pending_review', 'complete', 'preview'] as const;

/** The current state of a student in a quiz, which is that of the newest attempt, with extensions. */
export const quiz_submissions = sqliteTable(
  'quiz_submissions',
  {
    id: id(),
    /** For a New Quiz the negative id of its assignment, so that no classic quiz has the same. */
    quiz_id: int().notNull(),
    course_id: int().notNull(),
    user_id: int().notNull(),
    /** The newest attempt; 0 before the first. */
    attempt: int().notNull().default(0),
    extra_attempts: int(),
    /** Minutes. */
    extra_time: int(),
    manually_unlocked: bool(),
    started_at: time(),
    finished_at: time(),
    end_at: time(),
    score: number(),
    kept_score: number(),
    score_before_regrade: number(),
    fudge_points: number(),
    has_seen_results: bool(),
    quiz_version: int(),
    quiz_points_possible: number(),
    /** 64 hex digits, for all attempts; a secret of the student. */
    validation_token: string().notNull(),
    workflow_state: state(...quizSubmissionStates).notNull(),
    ...created(),
  },
  (submission) => [
    uniqueIndex('quiz_submissions_once').on(submission.quiz_id, submission.user_id),
    index('quiz_submissions_of_user').on(submission.user_id, submission.course_id),
    // Partial: only attempts that time ends.
    index('quiz_submissions_to_end').on(submission.end_at).where(sql`workflow_state = 'untaken' and end_at is not null`),
  ],
);

/** A question of an attempt, in the order in which it is presented. */
export interface PresentedQuestion {
  /** An item of a New Quiz has its negative id. */
  readonly id: number;
  /** Names the row of `quiz_question_versions`. */
  readonly version: number;
  readonly points: number;
  readonly quiz_group_id: number | null;
  /** The ids of its answers in the order of this attempt; absent when they are not shuffled. */
  readonly order?: readonly number[];
  /** The answer of a calculated question whose variables this attempt has; for a formula, the place of its solution. */
  readonly variant?: number;
  /** In New Quizzes: the item that presents it, which may draw it from a bank. */
  readonly item_id?: number;
  /** In New Quizzes: the ids of the choices in the order of this attempt, without one that is left out. */
  readonly shown?: readonly string[];
  /** In New Quizzes: the item with the text that it is about. */
  readonly stimulus_id?: number;
  /** In New Quizzes: a text without a question. */
  readonly is_stimulus?: true;
}

/** What an answer was worth. `defined`: scored by hand; `undefined`: still to be scored by hand. */
export interface QuestionResult {
  readonly question_id: number;
  readonly correct: boolean | 'partial' | 'undefined' | 'defined' | 'no_score';
  readonly points: number;
  /** Comment of a grader. */
  readonly comment?: string;
  /** Scored again after the key has changed. */
  readonly is_regraded?: true;
}

/** Attempts, of which at most the newest is running. */
export const quiz_attempts = sqliteTable(
  'quiz_attempts',
  {
    quiz_submission_id: int().notNull(),
    attempt: int().notNull(),
    presented: json<readonly PresentedQuestion[]>().notNull(),
    /** Null while it is running. */
    results: json<readonly QuestionResult[]>(),
    started_at: time().notNull(),
    finished_at: time(),
    end_at: time(),
    score: number(),
    score_before_regrade: number(),
    fudge_points: number(),
    quiz_version: int().notNull(),
    quiz_points_possible: number().notNull(),
    /** In New Quizzes that show one question at a time: the place of the last one that was shown. */
    reached: int().notNull().default(1),
    workflow_state: state('untaken', 'pending_review', 'complete', 'preview').notNull(),
    ...created(),
  },
  (attempt) => [primaryKey({ columns: [attempt.quiz_submission_id, attempt.attempt] })],
);

/** Saved answers and flags, one per question of an attempt. */
export const quiz_answers = sqliteTable(
  'quiz_answers',
  {
    quiz_submission_id: int().notNull(),
    attempt: int().notNull(),
    question_id: int().notNull(),
    /** In the form that clients send; null when it was cleared, or only flagged. */
    answer: json<unknown>(),
    flagged: bool().notNull().default(false),
    saved_at: time().notNull(),
  },
  (answer) => [primaryKey({ columns: [answer.quiz_submission_id, answer.attempt, answer.question_id] })],
);

/** The log of an attempt. */
export const quiz_submission_events = sqliteTable(
  'quiz_submission_events',
  {
    id: id(),
    quiz_submission_id: int().notNull(),
    attempt: int().notNull(),
    event_type: string().notNull(),
    event_data: json<unknown>(),
    created_at: time().notNull(),
  },
  (event) => [index('quiz_submission_events_of_attempt').on(event.quiz_submission_id, event.attempt, event.created_at, event.id)],
);
