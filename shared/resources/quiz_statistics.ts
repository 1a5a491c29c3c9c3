// What staff see of the attempts at a quiz together (reference of the API: Quiz statistics).

import { bool, int, listOf, mapOf, maybe, number, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

const answer = object({
  id: text,
  text,
  correct: bool,
  responses: int,
  /** Empty where students are anonymous. */
  user_names: listOf(text),
  user_ids: optional(listOf(int)),
  value: optional(listOf(number)),
  margin: optional(number),
  is_range: optional(bool),
});

const question = object({
  id: text,
  question_type: text,
  /** HTML. */
  question_text: text,
  position: int,
  responses: int,
  answers: optional(listOf(answer)),
  answer_sets: optional(listOf(object({ id: text, text, answers: listOf(answer) }))),
  answered: optional(int),
  correct: optional(int),
  partially_correct: optional(int),
  incorrect: optional(int),
  graded: optional(int),
  full_credit: optional(int),
  point_distribution: optional(listOf(object({ score: maybe(number), count: int }))),
  answered_student_count: optional(int),
  top_student_count: optional(int),
  middle_student_count: optional(int),
  bottom_student_count: optional(int),
  correct_student_count: optional(int),
  incorrect_student_count: optional(int),
  correct_student_ratio: optional(number),
  incorrect_student_ratio: optional(number),
  correct_top_student_count: optional(int),
  correct_middle_student_count: optional(int),
  correct_bottom_student_count: optional(int),
  variance: optional(number),
  stdev: optional(number),
  difficulty_index: optional(number),
  /** Null for fewer than 16 attempts. */
  alpha: optional(maybe(number)),
  point_biserials: optional(listOf(object({ answer_id: int, point_biserial: maybe(number), correct: bool, distractor: bool }))),
});

const statistics = object({
  id: text,
  quiz_id: int,
  url: text,
  html_url: text,
  multiple_attempts_exist: bool,
  includes_all_versions: bool,
  includes_sis_ids: bool,
  anonymous_survey: bool,
  generated_at: time,
  points_possible: maybe(number),
  speed_grader_url: maybe(text),
  quiz_submissions_zip_url: text,
  question_statistics: listOf(question),
  submission_statistics: object({
    /** Percent of the points, and how many attempts have it. */
    scores: mapOf(int),
    score_average: maybe(number),
    score_high: maybe(number),
    score_low: maybe(number),
    score_stdev: maybe(number),
    correct_count_average: maybe(number),
    incorrect_count_average: maybe(number),
    /** Seconds. */
    duration_average: maybe(number),
    /** Students. */
    unique_count: int,
  }),
  links: object({ quiz: text }),
});

export const QuizStatistics = resource('QuizStatistics', { quiz_statistics: listOf(statistics) });
