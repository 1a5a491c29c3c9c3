// What clients see of the use of a rubric in a course, an account or an assignment (reference of the API: Rubrics).

import { bool, int, json, maybe, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const RubricAssociation = resource('RubricAssociation', {
  id: int,
  rubric_id: int,
  association_id: int,
  association_type: text,
  use_for_grading: bool,
  purpose: text,
  /** Comments saved for later assessments, by criterion; only for users who grade. */
  summary_data: maybe(json),
  title: maybe(text),
  url: optional(maybe(text)),
  context_id: int,
  context_type: text,
  /** The course, which clients need to change the association. */
  course_id: optional(int),
  hide_score_total: bool,
  hide_points: bool,
  hide_outcome_results: bool,
  bookmarked: bool,
  created_at: time,
  updated_at: time,
});
