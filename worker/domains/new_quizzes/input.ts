// What clients send for a New Quiz, and the assignment made from it.

import { bool, endTime, idField, maybe, number, object, oneOf, optional, type Shape, text, time } from '@carrel/shared/wire/fields';
import { withoutHost } from '../../html/addresses';
import { invalid } from '../../http/problem';
import type { AssignmentGiven } from '../assignments/input';
import { settingsFields } from './settings';

const gradingTypes = ['points', 'pass_fail', 'percent', 'letter_grade', 'gpa_scale'] as const;

const fields = {
  title: optional(maybe(text)),
  instructions: optional(maybe(text)),
  assignment_group_id: optional(maybe(idField('assignment_group'))),
  points_possible: optional(maybe(number)),
  due_at: optional(maybe(endTime)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(endTime)),
  grading_type: optional(maybe(oneOf(...gradingTypes))),
  published: optional(bool),
  quiz_settings: optional(object(settingsFields)),
};

export const newQuizParams = { quiz: optional(object(fields)) };
export type NewQuizGiven = Shape<typeof fields>;

const untitled = 'Untitled Quiz';

/** @throws Problem 400 for a title over 255 characters */
function titleOf(given: string | null): string {
  const title = given?.trim() || untitled;
  if (title.length > 255) throw invalid('title', 'too_long', 'is too long (maximum is 255 characters)');
  return title;
}

interface Before {
  readonly points_possible: number | null;
}

/**
 * The assignment of a New Quiz as an assignment request would send it; absent fields stay unchanged.
 * @param before none for a new one
 * @throws Problem 400 by field for a title that is too long, and points that are not positive
 */
export function assignmentOfNewQuiz(given: NewQuizGiven, before: Before | undefined, origin: string): AssignmentGiven {
  const {
    title,
    instructions,
    points_possible: points,
    quiz_settings: _settings,
    assignment_group_id: group,
    grading_type,
    ...dates
  } = given;
  if (points != null && points <= 0 && points !== before?.points_possible)
    throw invalid('points_possible', 'invalid', 'must be greater than 0');
  return {
    ...dates,
    ...((title !== undefined || !before) && { name: titleOf(title ?? null) }),
    ...(instructions !== undefined && { description: instructions && withoutHost(instructions, origin) }),
    ...(points != null && { points_possible: points }),
    ...(group != null && { assignment_group_id: group }),
    ...(grading_type != null && { grading_type }),
    ...(!before && { submission_types: ['external_tool'] }),
  };
}
