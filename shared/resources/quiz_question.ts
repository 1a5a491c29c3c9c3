// A question as staff see it, with its key; students see the questions of their attempts with few of these fields (reference of the API: Quiz questions).

import { either, int, json, listOf, maybe, number, object, optional, text } from '../wire/fields';
import { resource } from './resource';

const storedAnswer = object({
  id: int,
  /** 100 when correct, otherwise 0; for staff. */
  weight: optional(number),
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
  points_possible: optional(number),
  correct_comments: optional(text),
  incorrect_comments: optional(text),
  neutral_comments: optional(text),
  correct_comments_html: optional(text),
  incorrect_comments_html: optional(text),
  neutral_comments_html: optional(text),
  text_after_answers: optional(text),
  answers: optional(listOf(storedAnswer)),
  /** Of calculated questions. */
  variables: optional(maybe(listOf(object({ name: text, min: number, max: number, scale: int })))),
  formulas: optional(maybe(listOf(object({ formula: text })))),
  answer_tolerance: optional(maybe(either(number, text))),
  formula_decimal_places: optional(maybe(int)),
  /** Of matching questions. */
  matches: optional(maybe(listOf(object({ match_id: int, text })))),
  matching_answer_incorrect_matches: optional(maybe(text)),
  regrade_option: optional(maybe(text)),
  assessment_question: optional(json),
});
