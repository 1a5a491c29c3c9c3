// What clients see of a New Quiz (reference of the API: New Quizzes).

import { bool, either, int, json, listOf, maybe, number, object, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const NewQuiz = resource('NewQuiz', {
  /** That of its assignment. */
  id: text,
  title: text,
  /** HTML; null while the caller may not see it. */
  instructions: maybe(text),
  assignment_group_id: text,
  points_possible: maybe(number),
  /** As they apply to the caller. */
  due_at: maybe(time),
  lock_at: maybe(time),
  unlock_at: maybe(time),
  published: bool,
  grading_type: text,
  quiz_settings: object({
    calculator_type: text,
    filter_ip_address: bool,
    /** Ranges of addresses under `ips`; empty for students. */
    filters: object({ ips: optional(listOf(listOf(text))) }),
    one_at_a_time_type: text,
    allow_backtracking: bool,
    shuffle_answers: bool,
    shuffle_questions: bool,
    require_student_access_code: bool,
    /** For editors only. */
    student_access_code: optional(maybe(text)),
    has_time_limit: bool,
    session_time_limit_in_seconds: int,
    multiple_attempts: maybe(
      object({
        multiple_attempts_enabled: bool,
        attempt_limit: bool,
        /** Null: unlimited. */
        max_attempts: maybe(int),
        score_to_keep: text,
        cooling_period: bool,
        cooling_period_seconds: maybe(int),
      }),
    ),
    result_view_settings: maybe(
      object({
        result_view_restricted: bool,
        display_points_awarded: bool,
        display_points_possible: bool,
        display_items: bool,
        display_item_response: bool,
        display_item_response_correctness: bool,
        display_item_correct_answer: bool,
        display_item_feedback: bool,
      }),
    ),
  }),
});

export const NewQuizItem = resource('NewQuizItem', {
  id: text,
  /** From 1. */
  position: int,
  points_possible: number,
  /** `Item`, `Stimulus` or `Bank`. */
  entry_type: text,
  entry_editable: bool,
  /** The stimulus that it belongs to. */
  stimulus_quiz_entry_id: maybe(text),
  status: text,
  /** With `sample_num` for a bank. */
  properties: json,
  /** The question with its key, the stimulus, or the bank. */
  entry: json,
});

export const NewQuizMediaAddress = resource('NewQuizMediaAddress', { url: text });

export const NewQuizAccommodationResult = resource('NewQuizAccommodationResult', {
  message: text,
  successful: listOf(object({ user_id: int })),
  failed: listOf(object({ user_id: int, error: text })),
});

/** Minutes, and attempts. */
export const NewQuizAccommodation = resource('NewQuizAccommodation', {
  user_id: int,
  extra_time: int,
  extra_attempts: int,
  reduce_choices_enabled: bool,
});
export const NewQuizAccommodationShown = resource('NewQuizAccommodationShown', { accommodation: NewQuizAccommodation.field });

/** An attempt at a New Quiz. */
export const NewQuizSession = resource('NewQuizSession', {
  id: text,
  /** That of its assignment. */
  quiz_id: text,
  user_id: int,
  /** The submission of the assignment. */
  submission_id: int,
  attempt: int,
  /** `untaken` while it is running, then `pending_review` or `complete`; `preview` for those of editors. */
  workflow_state: text,
  started_at: maybe(time),
  finished_at: maybe(time),
  end_at: maybe(time),
  /** Seconds until the end of a running attempt; null without an end. */
  time_left: maybe(int),
  /** Seconds. */
  time_spent: maybe(int),
  /** In points of the questions; null while it is running, and where it is hidden from the student. */
  score: maybe(number),
  /** The score that counts of all attempts. */
  kept_score: maybe(number),
  fudge_points: maybe(number),
  points_possible: maybe(number),
  /** -1: unlimited. */
  attempts_left: int,
  extra_attempts: int,
  /** Minutes. */
  extra_time: int,
  item_count: int,
  /** The place of the last question that was shown, where questions are shown one at a time. */
  position: int,
  /** For the owner; needed to answer and complete. */
  validation_token: optional(text),
});

/** A question of an attempt at a New Quiz. */
export const NewQuizSessionItem = resource('NewQuizSessionItem', {
  /** From 1, in the order of the attempt; names the question in requests. */
  position: int,
  /** `Item`, or `BankEntry` for a question of a bank. */
  entry_type: text,
  points_possible: optional(number),
  /** HTML. */
  item_body: text,
  interaction_type_slug: text,
  /** What the student interacts with, in the order of the attempt. */
  interaction_data: json,
  calculator_type: text,
  /** The text that the question is about. */
  stimulus: maybe(object({ title: text, body: text, instructions: text, source_url: maybe(text), orientation: text })),
  flagged: bool,
  /** What was saved; absent where the results hide it. */
  response: optional(json),
  correct: optional(either(oneOf('partial', 'undefined', 'defined', 'no_score'), bool)),
  points: optional(number),
  /** Of a grader. */
  comment: optional(text),
  /** Where the results show it. */
  correct_response: optional(json),
  feedback: optional(listOf(text)),
});

export const NewQuizSessionItems = resource('NewQuizSessionItems', { items: listOf(NewQuizSessionItem.field) });
