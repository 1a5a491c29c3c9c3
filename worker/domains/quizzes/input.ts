// What clients send for a quiz, and the columns made from it.

import { sanitise } from '@carrel/shared/html/sanitise';
import { bool, endTime, idField, int, maybe, number, object, optional, type Shape, text, time } from '@carrel/shared/wire/fields';
import { withoutHost } from '../../html/addresses';
import { invalid } from '../../http/problem';
import { untilEndOfDay } from '../assignments/dates/midnight';
import { disorder } from '../assignments/overrides/judgement';
import { isSurvey, type QuizSettings } from './settings';
import type { quizzes } from './table';

export const quizFields = {
  title: optional(maybe(text)),
  description: optional(maybe(text)),
  quiz_type: optional(text),
  assignment_group_id: optional(maybe(idField('assignment_group'))),
  time_limit: optional(maybe(int)),
  shuffle_answers: optional(bool),
  hide_results: optional(maybe(text)),
  show_correct_answers: optional(bool),
  show_correct_answers_last_attempt: optional(bool),
  show_correct_answers_at: optional(maybe(time)),
  hide_correct_answers_at: optional(maybe(endTime)),
  one_time_results: optional(bool),
  allowed_attempts: optional(int),
  scoring_policy: optional(text),
  one_question_at_a_time: optional(bool),
  cant_go_back: optional(bool),
  access_code: optional(maybe(text)),
  ip_filter: optional(maybe(text)),
  due_at: optional(maybe(endTime)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(endTime)),
  published: optional(bool),
  points_possible: optional(maybe(number)),
  anonymous_submissions: optional(bool),
  only_visible_to_overrides: optional(bool),
  notify_of_update: optional(bool),
};

export type QuizGiven = Shape<typeof quizFields>;
type Row = typeof quizzes.$inferSelect;

const unnamed = 'Unnamed Quiz';

/** @throws Problem 400 for a title over 255 characters */
function titleOf(given: string | null | undefined, before: string | undefined): string {
  if (given === undefined) return before ?? unnamed;
  const title = given?.trim() || unnamed;
  if (title.length > 255) throw invalid('title', 'too_long', 'is too long (maximum is 255 characters)');
  return title;
}

function pointsAfter({ points_possible }: QuizGiven, { quiz_type }: Pick<QuizSettings, 'quiz_type'>, before: number): number {
  if (points_possible === undefined || !isSurvey(quiz_type)) return before;
  const points = points_possible ?? 0;
  if (points < 0 || points > 999_999_999) throw invalid('points_possible', 'invalid', 'must be between 0 and 999999999');
  return points;
}

/**
 * Title, text, dates and points after a write.
 * @param zone the time zone that defines midnight
 * @throws Problem 400 by field
 */
export function contentAfter(
  given: QuizGiven,
  settings: Pick<QuizSettings, 'quiz_type'>,
  before: Row | undefined,
  { zone, origin }: { readonly zone: string; readonly origin: string },
) {
  const lock_at = given.lock_at === undefined ? (before?.lock_at ?? null) : untilEndOfDay(given.lock_at, zone);
  const unlock_at = given.unlock_at === undefined ? (before?.unlock_at ?? null) : given.unlock_at;
  const sentDue = given.due_at === undefined && !before ? lock_at : given.due_at;
  const due_at = sentDue === undefined ? (before?.due_at ?? null) : untilEndOfDay(sentDue, zone);
  const wrong = disorder({ due_at, unlock_at, lock_at });
  if (wrong) throw invalid(wrong.field, 'invalid', wrong.message);
  const { description } = given;
  return {
    title: titleOf(given.title, before?.title),
    description: description === undefined ? (before?.description ?? null) : description && sanitise(withoutHost(description, origin)),
    due_at,
    unlock_at,
    lock_at,
    only_visible_to_overrides: given.only_visible_to_overrides ?? before?.only_visible_to_overrides ?? false,
    points_possible: pointsAfter(given, settings, before?.points_possible ?? 0),
  };
}

export type QuizContent = ReturnType<typeof contentAfter>;

export const quizParams = { quiz: optional(object(quizFields)) };
