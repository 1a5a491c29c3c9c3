// Classic quizzes.

import { sql } from 'drizzle-orm';
import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, number, sameId, state, string, time } from '../../database/columns';

export const quizTypes = ['practice_quiz', 'assignment', 'graded_survey', 'survey'] as const;
export const resultHidings = ['always', 'until_after_last_attempt'] as const;
export const scoringPolicies = ['keep_highest', 'keep_latest', 'keep_average'] as const;

export const quizzes = sqliteTable(
  'quizzes',
  {
    id: id(),
    course_id: int().notNull(),
    title: string().notNull(),
    description: string(),
    quiz_type: state(...quizTypes)
      .notNull()
      .default('assignment'),
    /** The assignment of a graded quiz, which has the same title, description, dates, group and state; null for practice quizzes and surveys. */
    assignment_id: int(),
    /** Minutes. */
    time_limit: int(),
    shuffle_answers: bool().notNull().default(false),
    hide_results: state(...resultHidings),
    show_correct_answers: bool().notNull().default(true),
    show_correct_answers_last_attempt: bool().notNull().default(false),
    show_correct_answers_at: time(),
    hide_correct_answers_at: time(),
    one_time_results: bool().notNull().default(false),
    scoring_policy: state(...scoringPolicies)
      .notNull()
      .default('keep_highest'),
    /** -1 means unlimited. */
    allowed_attempts: int().notNull().default(1),
    one_question_at_a_time: bool().notNull().default(false),
    cant_go_back: bool().notNull().default(false),
    /** A secret of staff. */
    access_code: string(),
    /** Addresses, with bits or masks, separated by commas; a secret of staff. */
    ip_filter: string(),
    due_at: time(),
    unlock_at: time(),
    lock_at: time(),
    only_visible_to_overrides: bool().notNull().default(false),
    anonymous_submissions: bool().notNull().default(false),
    /** Computed from questions and groups, except for surveys, which may have points of their own. */
    points_possible: number().notNull().default(0),
    /** Number of questions that an attempt presents. */
    question_count: int().notNull().default(0),
    /** Increases with each change of the quiz and of its questions. */
    version_number: int().notNull().default(1),
    published_at: time(),
    workflow_state: state('unpublished', 'available', 'deleted').notNull().default('unpublished'),
    /** Sort keys of the list: those without a lock date last, then by title. */
    sort_lock: string().notNull().generatedAlwaysAs(sql`coalesce(lock_at, '9999')`),
    sort_title: string().notNull().generatedAlwaysAs(sql`lower(title)`),
    same_id: sameId(),
    ...created(),
  },
  (quiz) => [
    index('quizzes_in_course').on(quiz.course_id, quiz.sort_lock, quiz.sort_title, quiz.same_id).where(sql`workflow_state <> 'deleted'`),
    // Partial: ungraded quizzes with a due date, which the planner and to-do lists show.
    index('quizzes_ungraded_due')
      .on(quiz.course_id, quiz.due_at)
      .where(sql`assignment_id is null and workflow_state = 'available' and due_at is not null`),
    // Partial: only graded quizzes.
    index('quizzes_of_assignment').on(quiz.assignment_id).where(sql`assignment_id is not null`),
  ],
);
