// What clients send for a question. Answers have several names for the same members (reference 04 §3.4).

import { either, idField, int, listOf, maybe, number, object, oneOf, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { regradeOptions } from '../table';

const word = optional(maybe(text));
const amount = optional(maybe(number));

const answerFields = {
  /** Unique within the question only. */
  id: optional(maybe(idField('quiz_question_part'))),
  text: word,
  answer_text: word,
  html: word,
  answer_html: word,
  comments: word,
  answer_comment: word,
  answer_comments: word,
  comments_html: word,
  answer_comment_html: word,
  answer_comments_html: word,
  weight: amount,
  answer_weight: amount,
  blank_id: word,
  left: word,
  answer_match_left: word,
  left_html: word,
  answer_match_left_html: word,
  right: word,
  answer_match_right: word,
  match_id: optional(maybe(idField('quiz_question_part'))),
  numerical_answer_type: word,
  exact: amount,
  answer_exact: amount,
  margin: word,
  answer_error_margin: word,
  start: amount,
  answer_range_start: amount,
  end: amount,
  answer_range_end: amount,
  approximate: amount,
  answer_approximate: amount,
  precision: amount,
  answer_precision: amount,
  answer: word,
  variables: optional(listOf(object({ name: text, value: text }))),
};

export const questionFields = {
  question_name: word,
  question_text: word,
  question_type: word,
  quiz_group_id: optional(maybe(idField('quiz_group'))),
  position: optional(int),
  points_possible: amount,
  correct_comments: word,
  incorrect_comments: word,
  neutral_comments: word,
  correct_comments_html: word,
  incorrect_comments_html: word,
  neutral_comments_html: word,
  text_after_answers: word,
  answers: optional(listOf(object(answerFields))),
  matching_answer_incorrect_matches: word,
  variables: optional(listOf(object({ name: text, min: number, max: number, scale: optional(int) }))),
  formulas: optional(listOf(either(object({ formula: text }), text))),
  answer_tolerance: word,
  formula_decimal_places: optional(maybe(int)),
  /** On updates: how the attempts that were completed with the old key are scored again. */
  regrade_option: optional(oneOf(...regradeOptions, 'no_regrade', 'disabled')),
};

export type QuestionGiven = Shape<typeof questionFields>;
export type AnswerGiven = NonNullable<QuestionGiven['answers']>[number];
