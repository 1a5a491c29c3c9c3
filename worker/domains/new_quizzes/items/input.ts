// What clients send for an item of a New Quiz.

import { idField, int, json, maybe, number, object, oneOf, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { calculatorTypes } from '../table';

const html = optional(maybe(text));

const entryFields = {
  /** Of the bank that an item of the type Bank draws from. */
  id: optional(maybe(idField('question_bank'))),
  /** The question of a bank that an item of the type BankEntry presents. */
  bank_entry_id: optional(maybe(idField('quiz_question'))),
  title: optional(maybe(text)),
  item_body: html,
  calculator_type: optional(maybe(oneOf(...calculatorTypes))),
  feedback: optional(maybe(object({ neutral: html, correct: html, incorrect: html }))),
  interaction_type_slug: optional(text),
  interaction_data: optional(json),
  properties: optional(json),
  scoring_data: optional(json),
  answer_feedback: optional(json),
  scoring_algorithm: optional(text),
  body: html,
  instructions: html,
  source_url: optional(maybe(text)),
  orientation: optional(maybe(oneOf('top', 'left'))),
};

const itemFields = {
  entry_type: optional(text),
  /** From 1. */
  position: optional(maybe(int)),
  points_possible: optional(maybe(number)),
  /** With `sample_num` for a bank. */
  properties: optional(json),
  stimulus_quiz_entry_id: optional(maybe(idField('new_quiz_item'))),
  entry: optional(object(entryFields)),
};

export const itemParams = { item: optional(object(itemFields)) };
export type NewQuizItemGiven = Shape<typeof itemFields>;
export type EntryGiven = Shape<typeof entryFields>;
