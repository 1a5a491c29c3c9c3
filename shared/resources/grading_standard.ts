// What clients see of a grading standard (reference of the API: Grading standards).

import { bool, int, listOf, number, object, oneOf, text } from '../wire/fields';
import { resource } from './resource';

export const GradingStandard = resource('GradingStandard', {
  id: int,
  title: text,
  context_type: oneOf('Course', 'Account'),
  context_id: int,
  points_based: bool,
  scaling_factor: number,
  /** From the highest to the lowest; `value` is the lower bound as a fraction. */
  grading_scheme: listOf(object({ name: text, value: number })),
});
