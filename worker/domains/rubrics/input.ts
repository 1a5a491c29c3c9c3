// What clients send to write a rubric, and the columns to store (reference 03 §13.3). Pure.

import { bool, idField, listOf, maybe, number, object, oneOf, optional, referenceTo, type Shape, text } from '@carrel/shared/wire/fields';
import { badParameter } from '../../http/problem';
import { associationField } from './associations/input';
import { type CriterionGiven, criteriaFrom, pointsPossible } from './criteria';
import type { rubrics } from './table';

const rating = object({
  id: optional(referenceTo('rubric_part')),
  description: optional(text),
  long_description: optional(text),
  points: optional(number),
});
const criterion = object({
  id: optional(referenceTo('rubric_part')),
  description: optional(text),
  long_description: optional(text),
  points: optional(number),
  criterion_use_range: optional(bool),
  learning_outcome_id: optional(maybe(idField('learning_outcome'))),
  mastery_points: optional(maybe(number)),
  ignore_for_scoring: optional(bool),
  ratings: optional(listOf(rating)),
});
const fields = {
  title: optional(text),
  free_form_criterion_comments: optional(bool),
  hide_score_total: optional(bool),
  hide_points: optional(bool),
  rating_order: optional(oneOf('descending', 'ascending')),
  skip_updating_points_possible: optional(bool),
  criteria: optional(listOf(criterion)),
};

export const rubricParams = {
  rubric: optional(object(fields)),
  rubric_association: optional(associationField),
  rubric_association_id: optional(idField('rubric_association')),
  skip_updating_points_possible: optional(bool),
};
export type RubricGiven = Shape<typeof fields>;

/** The same with criteria of another source, such as a file. */
type RubricWritten = Omit<RubricGiven, 'criteria'> & { readonly criteria?: readonly CriterionGiven[] };

const longestTitle = 255;
/** D1 stores at most two megabytes in a row. */
export const longestCriteria = 500_000;

/** @throws Problem 400 for values that cannot be stored */
export function checkRubric({ title, criteria = [] }: RubricGiven): void {
  if (title !== undefined && title.length > longestTitle) throw badParameter('rubric[title]', `is longer than ${longestTitle} characters`);
  if (JSON.stringify(criteria).length > longestCriteria) throw badParameter('rubric[criteria]', 'is too long');
  const points = criteria.flatMap((one) => [one.points ?? 0, ...(one.ratings ?? []).map((rating) => rating.points ?? 0)]);
  if (points.some((one) => one < 0)) throw badParameter('rubric[criteria]', 'has negative points');
}

/** @param newId makes an id that is unique in the rubric */
export function rubricValues(given: RubricWritten, newId: () => string): Partial<typeof rubrics.$inferInsert> {
  const criteria = given.criteria && criteriaFrom(given.criteria, newId);
  return {
    ...(criteria && { criteria, points_possible: pointsPossible(criteria) }),
    free_form_criterion_comments: given.free_form_criterion_comments,
    hide_score_total: given.hide_score_total,
    hide_points: given.hide_points,
    rating_order: given.rating_order,
  };
}

/** Ids of the parts of one rubric: `<rubric id>_<random>`. */
export const newPartId = (rubric: number | string) => (): string => `${rubric}_${crypto.randomUUID().slice(0, 13).replace('-', '')}`;
