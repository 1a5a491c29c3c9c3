// What clients see of a New Quiz (reference of the API: New Quizzes).

import { bool, int, json, listOf, maybe, number, object, optional, text, time } from '../wire/fields';
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
