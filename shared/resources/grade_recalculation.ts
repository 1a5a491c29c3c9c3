// How far the stored scores of a course have been computed again after a change of weights, points, dates or rules.

import { int, oneOf, text } from '../wire/fields';
import { resource } from './resource';

export const GradeRecalculation = resource('GradeRecalculation', {
  context_type: text,
  context_id: int,
  tag: text,
  /** Percent. */
  completion: int,
  workflow_state: oneOf('queued', 'running', 'completed'),
  /** Students with stored scores. */
  students: int,
  /** Those whose stored scores are current; scores of the others are computed when they are read. */
  current: int,
});
