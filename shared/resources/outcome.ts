// What clients see of learning outcomes, their groups and links (reference of the API: Outcomes, Outcome Groups).

import { bool, int, listOf, maybe, number, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

const rating = object({
  description: text,
  points: number,
  color: optional(text),
  mastery: optional(bool),
  percent: optional(number),
});

export const Outcome = resource('Outcome', {
  id: int,
  /** Null for outcomes of the whole institution. */
  context_id: maybe(int),
  context_type: maybe(text),
  title: text,
  display_name: maybe(text),
  vendor_guid: maybe(text),
  url: text,
  can_edit: bool,
  has_updateable_rubrics: optional(bool),
  friendly_description: maybe(text),
  /** From here on in the full form. */
  description: optional(maybe(text)),
  calculation_method: optional(text),
  calculation_int: optional(int),
  points_possible: optional(number),
  mastery_points: optional(number),
  ratings: optional(listOf(rating)),
  assessed: optional(bool),
  /** Of rollups: `assignment_7`. */
  alignments: optional(listOf(text)),
});

const group = {
  id: int,
  title: text,
  vendor_guid: maybe(text),
  url: text,
  subgroups_url: text,
  outcomes_url: text,
  can_edit: bool,
};

export const OutcomeGroup = resource('OutcomeGroup', {
  ...group,
  /** From here on in the full form. */
  import_url: optional(text),
  /** Absent for the root. */
  parent_outcome_group: optional(object(group)),
  context_id: optional(maybe(int)),
  context_type: optional(maybe(text)),
  description: optional(maybe(text)),
});

export const OutcomeLink = resource('OutcomeLink', {
  context_id: maybe(int),
  context_type: maybe(text),
  url: text,
  outcome_group: OutcomeGroup.field,
  outcome: Outcome.field,
  /** Absent after the link was deleted. */
  can_unlink: optional(bool),
  assessed: optional(bool),
});

export const OutcomeResult = resource('OutcomeResult', {
  id: int,
  /** Null when the assessment was cleared. */
  score: maybe(number),
  mastery: maybe(bool),
  possible: maybe(number),
  /** From 0 to 1. */
  percent: maybe(number),
  hide_points: bool,
  hidden: bool,
  submitted_or_assessed_at: time,
  links: object({ user: text, learning_outcome: text, alignment: text, assignment: maybe(text) }),
});

export const OutcomeAlignment = resource('OutcomeAlignment', {
  learning_outcome_id: int,
  title: text,
  /** Null for an ungraded quiz. */
  assignment_id: maybe(int),
  assessment_id: int,
  submission_types: text,
  url: text,
});

export const OutcomeProficiency = resource('OutcomeProficiency', {
  ratings: listOf(object({ description: text, points: number, mastery: bool, color: text })),
});
