// What clients send to ease New Quizzes for students: a list, in a body that is a JSON array.

import { bool, idField, int, listOf, maybe, object, optional, read, type Shape } from '@carrel/shared/wire/fields';
import { badParameter, problem } from '../../../http/problem';

const fields = {
  user_id: idField('user'),
  /** Minutes. */
  extra_time: optional(maybe(int)),
  extra_attempts: optional(maybe(int)),
  reduce_choices_enabled: optional(maybe(bool)),
  /** For all New Quizzes of the course: whether running attempts get the time, too. In one quiz they always do. */
  apply_to_in_progress_quiz_sessions: optional(maybe(bool)),
};
const wanted = { accommodations: listOf(object(fields)) };

export type AccommodationGiven = Shape<typeof fields>;

/** In one request. */
const mostAtOnce = 1000;

/** @throws Problem 400 for anything but a list of accommodations with users */
export function readAccommodations(array: readonly unknown[] | undefined): readonly AccommodationGiven[] {
  if (!array || array.length === 0) throw problem(400, 'expected an array of accommodations');
  if (array.length > mostAtOnce) throw problem(400, `at most ${mostAtOnce} accommodations are allowed`);
  const result = read(wanted, { accommodations: array });
  if (!result.ok) throw badParameter(result.refusal.parameter.replace(/^accommodations/, ''), result.refusal.message);
  return result.value.accommodations;
}

const limits = [
  ['extra_time', 10_080],
  ['extra_attempts', 1000],
] as const;

/** Why an accommodation is not made: the user is no student here, or a number is out of range. */
export function refusalOfAccommodation(given: AccommodationGiven, students: ReadonlySet<number>): string | undefined {
  if (!students.has(given.user_id)) return 'User is not a student of this course';
  const wrong = limits.find(([name, most]) => (given[name] ?? 0) < 0 || (given[name] ?? 0) > most);
  return wrong && `${wrong[0]} must be between 0 and ${wrong[1]}`;
}
