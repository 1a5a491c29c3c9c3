// What staff see of a question, with its key (reference of the API: Quiz questions).

import { either, int, json, listOf, maybe, number, object, optional, text } from '../wire/fields';
import { resource } from './resource';

const storedAnswer = object({
  id: int,
  /** 100 when correct, otherwise 0. */
  weight: number,
  text: optional(text),
  html: optional(text),
  comments: optional(text),
  comments_html: optional(text),
  blank_id: optional(text),
  left: optional(text),
  left_html: optional(text),
  right: optional(text),
  match_id: optional(int),
  numerical_answer_type: optional(text),
  exact: optional(number),
  margin: optional(either(number, text)),
  start: optional(number),
  end: optional(number),
  approximate: optional(number),
  precision: optional(number),
  answer: optional(number),
  variables: optional(listOf(object({ name: text, value: text }))),
});

export const QuizQuestion = resource('QuizQuestion', {
  id: int,
  quiz_id: int,
  quiz_group_id: maybe(int),
  assessment_question_id: maybe(int),
  position: maybe(int),
  question_name: text,
  question_type: text,
  /** HTML. */
  question_text: text,
  points_possible: number,
  correct_comments: text,
  incorrect_comments: text,
  neutral_comments: text,
  correct_comments_html: text,
  incorrect_comments_html: text,
  neutral_comments_html: text,
  text_after_answers: optional(text),
  answers: listOf(storedAnswer),
  /** Of calculated questions. */
  variables: maybe(listOf(object({ name: text, min: number, max: number, scale: int }))),
  formulas: maybe(listOf(object({ formula: text }))),
  answer_tolerance: maybe(either(number, text)),
  formula_decimal_places: maybe(int),
  /** Of matching questions. */
  matches: maybe(listOf(object({ match_id: int, text }))),
  matching_answer_incorrect_matches: maybe(text),
  regrade_option: maybe(text),
  assessment_question: optional(json),
});
