// What clients see of a rubric (reference of the API: Rubrics).

import { bool, int, listOf, maybe, number, object, optional, text } from '../wire/fields';
import { resource } from './resource';
import { RubricAssessment } from './rubric_assessment';
import { RubricAssociation } from './rubric_association';

const rating = object({
  id: text,
  criterion_id: text,
  description: text,
  long_description: text,
  points: number,
});

const criterion = object({
  id: text,
  description: text,
  long_description: text,
  points: number,
  criterion_use_range: bool,
  ratings: listOf(rating),
  learning_outcome_id: optional(maybe(int)),
  mastery_points: optional(maybe(number)),
  ignore_for_scoring: optional(bool),
});

export const RubricResource = resource('Rubric', {
  id: int,
  title: text,
  context_id: int,
  context_type: text,
  points_possible: number,
  reusable: bool,
  public: bool,
  read_only: bool,
  free_form_criterion_comments: bool,
  hide_score_total: maybe(bool),
  hide_points: bool,
  rating_order: text,
  button_display: text,
  workflow_state: text,
  data: listOf(criterion),
  /** The same list, in responses to writes and with `style=full`. */
  criteria: optional(listOf(criterion)),
  associations: optional(listOf(RubricAssociation.field)),
  assessments: optional(listOf(RubricAssessment.field)),
});

/** The use of a rubric in responses to writes, with what has been assessed by it. */
export const WrittenAssociation = resource('WrittenAssociation', {
  ...RubricAssociation.fields,
  /** Reviews that peers have been asked for. */
  assessment_requests: listOf(object({ id: int, assessor_id: int, asset_id: int, asset_type: text, user_id: int, workflow_state: text })),
  rubric_assessments: listOf(RubricAssessment.field),
  permissions: object({ manage: bool, preview: bool, assess: bool, update: bool, delete: bool }),
  skip_updating_points_possible: bool,
});

/** The response to creating or updating a rubric. */
export const WrittenRubric = resource('WrittenRubric', {
  rubric: optional(RubricResource.field),
  rubric_association: optional(WrittenAssociation.field),
  /** In place of both, for an association that cannot exist: Canvas answers it with 200. */
  error: optional(bool),
  messages: optional(listOf(text)),
});

/** The response to creating or updating an association: its fields, and both as Canvas nests them. */
export const WrittenRubricAssociation = resource('WrittenRubricAssociation', {
  ...WrittenAssociation.fields,
  rubric: RubricResource.field,
  rubric_association: WrittenAssociation.field,
});

/** A course in which a rubric is used, and the assignments that use it. */
export const RubricLocation = resource('RubricLocation', {
  id: int,
  name: text,
  'concluded?': bool,
  assignments: listOf(object({ id: int, title: text })),
});
