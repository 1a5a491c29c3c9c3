// What clients see of the assessment of a submission by a rubric (reference of the API: Rubrics).

import { bool, int, listOf, maybe, number, object, optional, text } from '../wire/fields';
import { resource } from './resource';
import { RubricAssociation } from './rubric_association';

const row = object({
  /** The rating. */
  id: maybe(text),
  criterion_id: text,
  points: optional(maybe(number)),
  learning_outcome_id: optional(maybe(int)),
  description: maybe(text),
  comments: maybe(text),
  comments_enabled: bool,
  above_threshold: optional(bool),
});

export const RubricAssessment = resource('RubricAssessment', {
  id: int,
  rubric_id: int,
  rubric_association_id: int,
  /** Absent where the student is anonymous to the caller; then the ids of the submission are anonymous too. */
  user_id: optional(int),
  anonymous_id: optional(text),
  score: maybe(number),
  artifact_type: text,
  artifact_id: int,
  artifact_attempt: maybe(int),
  assessment_type: text,
  assessor_id: maybe(int),
  assessor_name: maybe(text),
  /** With `style=full`, and in responses to writes. */
  data: optional(listOf(row)),
  /** With `style=comments_only`. */
  comments: optional(listOf(text)),
  ratings: optional(listOf(row)),
  rubric_association: optional(RubricAssociation.field),
});
