// What clients send about the use of a rubric, and the values to store (reference 03 §13.3). Pure.

import { bool, idField, maybe, object, optional, type Shape, text, word } from '@carrel/shared/wire/fields';
import { purposes, type rubric_associations } from '../../rubric_associations/table';

const fields = {
  id: optional(idField('rubric_association')),
  rubric_id: optional(idField('rubric')),
  association_id: optional(idField('content')),
  association_type: optional(word),
  title: optional(maybe(text)),
  url: optional(maybe(text)),
  use_for_grading: optional(bool),
  hide_score_total: optional(bool),
  hide_points: optional(bool),
  hide_outcome_results: optional(bool),
  purpose: optional(word),
  bookmarked: optional(bool),
};
export const associationField = object(fields);
export type AssociationGiven = Shape<typeof fields>;

const types = ['Assignment', 'Course', 'Account'] as const;
export type AssociationType = (typeof types)[number];

/** Why an association is invalid; empty when it is valid. */
export function refusalsOfAssociation({ association_type, purpose }: AssociationGiven): string[] {
  return [
    ...(association_type === undefined || (types as readonly string[]).includes(association_type)
      ? []
      : [`association_type is not one of ${types.join(', ')}`]),
    ...(purpose === undefined || (purposes as readonly string[]).includes(purpose) ? [] : [`purpose is not one of ${purposes.join(', ')}`]),
  ];
}

export interface AssociationTarget {
  readonly type: AssociationType;
  readonly id: number;
}

/** What the rubric is to be used for; the course itself when nothing is named. */
export const targetOf = (given: AssociationGiven | undefined, course_id: number): AssociationTarget =>
  given?.association_id === undefined
    ? { type: 'Course', id: course_id }
    : { type: (given.association_type ?? 'Assignment') as AssociationType, id: given.association_id };

type Stored = typeof rubric_associations.$inferInsert;
type Purpose = (typeof purposes)[number];

/** The sent values; absent ones stay undefined. Without points there is no score to grade with or to hide. */
export function associationValues(given: AssociationGiven): Partial<Stored> {
  const { title, url, use_for_grading, hide_score_total, hide_points, hide_outcome_results, bookmarked } = given;
  return {
    title,
    url,
    purpose: given.purpose as Purpose | undefined,
    hide_points,
    hide_outcome_results,
    bookmarked,
    use_for_grading: hide_points ? false : use_for_grading,
    hide_score_total: hide_points ? false : hide_score_total,
  };
}
