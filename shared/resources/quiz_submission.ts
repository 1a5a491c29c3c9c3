// Attempts at quizzes and their answers (reference of the API: Quiz submissions).

import { bool, either, int, json, listOf, maybe, number, object, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';
import { User } from './user';

export const QuizSubmission = resource('QuizSubmission', {
  id: int,
  quiz_id: int,
  /** Null for the takers of anonymous surveys. */
  user_id: maybe(int),
  /** The submission of the assignment; null without one. */
  submission_id: maybe(int),
  quiz_version: maybe(int),
  quiz_points_possible: maybe(number),
  attempt: maybe(int),
  extra_attempts: maybe(int),
  /** Minutes. */
  extra_time: maybe(int),
  manually_unlocked: maybe(bool),
  started_at: maybe(time),
  finished_at: maybe(time),
  end_at: maybe(time),
  /** Seconds. */
  time_spent: maybe(int),
  score: maybe(number),
  kept_score: maybe(number),
  score_before_regrade: maybe(number),
  fudge_points: maybe(number),
  has_seen_results: maybe(bool),
  workflow_state: text,
  /** For the owner. */
  validation_token: optional(text),
  /** -1: unlimited. */
  attempts_left: int,
  questions_regraded_since_last_attempt: int,
  overdue_and_needs_submission: bool,
  html_url: text,
  /** Once the results are shown. */
  result_url: optional(text),
  /** Lists put these beside the quiz submissions. */
  user: optional(json),
  quiz: optional(json),
  submission: optional(json),
});

export const QuizSubmissionQuestion = resource('QuizSubmissionQuestion', {
  id: int,
  quiz_id: int,
  flagged: bool,
  /** Absent where questions are shown one at a time. */
  position: optional(int),
  quiz_group_id: optional(maybe(int)),
  assessment_question_id: optional(maybe(int)),
  question_name: optional(text),
  question_type: optional(text),
  /** HTML. */
  question_text: optional(text),
  answers: optional(
    listOf(object({ id: int, text: optional(text), html: optional(text), blank_id: optional(text), weight: optional(number) })),
  ),
  matches: optional(listOf(object({ match_id: int, text }))),
  answer: optional(json),
  correct: optional(either(oneOf('partial', 'undefined', 'defined', 'no_score'), bool)),
  points: optional(number),
  /** Of a grader. */
  comment: optional(text),
});

export const QuizSubmissionQuestions = resource('QuizSubmissionQuestions', {
  quiz_submission_questions: listOf(QuizSubmissionQuestion.field),
  quiz_questions: optional(json),
  meta: optional(object({ primaryCollection: text })),
});

/** Those of the questions that the student may read now. */
export const ShownQuestions = resource('ShownQuestions', {
  quiz_submission_questions: listOf(QuizSubmissionQuestion.field),
  /** The place of the last question that was shown, from 1. */
  reached: int,
  question_count: int,
});

export const QuizSubmissionTime = resource('QuizSubmissionTime', {
  end_at: maybe(time),
  /** Seconds; negative once the time is over. */
  time_left: maybe(int),
});

export const FormattedAnswer = resource('FormattedAnswer', { formatted_answer: either(number, text) });

export const QuizExtensions = resource('QuizExtensions', {
  quiz_extensions: listOf(
    object({
      quiz_id: int,
      user_id: int,
      extra_attempts: maybe(int),
      extra_time: maybe(int),
      manually_unlocked: maybe(bool),
      end_at: maybe(time),
    }),
  ),
});

export const QuizSubmissionEvent = resource('QuizSubmissionEvent', {
  id: text,
  event_type: text,
  event_data: json,
  created_at: time,
});

/** A student of a quiz. */
export const QuizTaker = resource('QuizTaker', {
  ...User.fields,
  quiz_submission_id: optional(maybe(int)),
  quiz_submission: optional(json),
});
