// What clients see of an outcome that the questions of a bank assess. Carrel's own.

import { int, maybe, number, text } from '../wire/fields';
import { resource } from './resource';

export const BankAlignment = resource('BankAlignment', {
  learning_outcome_id: int,
  title: text,
  /** From 0 to 1: the share of the points that is mastery; null for that of the outcome. */
  mastery_score: maybe(number),
});
