// What clients see of a question group (reference of the API: Quiz question groups).

import { int, maybe, number, text } from '../wire/fields';
import { resource } from './resource';

export const QuizGroup = resource('QuizGroup', {
  id: int,
  quiz_id: int,
  name: text,
  pick_count: int,
  /** Points of each question. */
  question_points: number,
  assessment_question_bank_id: maybe(int),
  position: int,
});
