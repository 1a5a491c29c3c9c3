// What an assessor sends about each criterion.

import { bool, mapOf, maybe, number, object, optional, referenceTo, text } from '@carrel/shared/wire/fields';

const row = {
  points: optional(maybe(number)),
  rating_id: optional(maybe(referenceTo('rubric_part'))),
  description: optional(maybe(text)),
  comments: optional(maybe(text)),
};

/** By criterion, as grading takes it. */
export const ratedField = mapOf(object(row));
/** The same with comments to keep for later assessments. */
export const ratedAndSavedField = mapOf(object({ ...row, save_comment: optional(bool) }));
