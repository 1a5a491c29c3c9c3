// What may not change in a closed grading period, except by account admins (reference 03 §1.1, §1.2, §3, §10).

import { lookUp } from '@carrel/shared/wire/look_up';
import type { CourseContext } from '../../contexts/course';
import { Problem, refused } from '../../http/problem';
import { isInClosedPeriod } from '../../rules/grading_periods';
import type { AssignmentGiven } from './input';
import type { OverrideRow } from './overrides/json';
import type { Judgement } from './overrides/judgement';
import type { AssignmentRow } from './plain_fields';

type Here = Pick<CourseContext, 'grading' | 'isAdmin'>;

/** Whether a date is closed for the caller. */
export const isClosedFor = ({ grading, isAdmin }: Here, due_at: string | null, now: string): boolean =>
  !isAdmin && isInClosedPeriod(grading.periods, due_at, now);

/** @throws Problem 403 where one of the dates is in a closed period */
export function refuseClosedDates(course: Here, dates: readonly (string | null)[], now: string): void {
  if (dates.some((due_at) => isClosedFor(course, due_at, now))) throw refused(403, 'The due date is in a closed grading period.');
}

/** The dates that a change moves: before and after it, unless they are equal. */
export const movedDates = (before: string | null, after: string | null | undefined): (string | null)[] =>
  after === undefined || after === before ? [] : [before, after];

/** The dates that a change of an override moves. Without a due date of its own, it has that of the assignment. */
export function datesMovedBy(change: Exclude<Judgement, { kind: 'refused' }>): (string | null)[] {
  const { due_at, due_at_overridden } = change.values;
  const now = due_at_overridden ? [due_at] : [];
  if (change.kind === 'create') return now;
  const { row } = change;
  const before = datesOfOverride(row);
  return String(before) === String(now) && before.length === now.length ? [] : [...before, ...now];
}

export const datesOfOverride = ({ due_at, due_at_overridden }: Pick<OverrideRow, 'due_at' | 'due_at_overridden'>): (string | null)[] =>
  due_at_overridden ? [due_at] : [];

/** Fields that may change in a closed period, and those whose dates are checked by themselves. */
const free = new Set<string>([
  'description',
  'submission_types',
  'peer_reviews',
  'automatic_peer_reviews',
  'anonymous_peer_reviews',
  'intra_group_peer_reviews',
  'peer_review_count',
  'peer_reviews_assign_at',
  'allowed_extensions',
  'due_at',
  'only_visible_to_overrides',
  'assignment_overrides',
  'post_to_sis',
  'graders_anonymous_to_graders',
  'grader_comments_visible_to_graders',
  'grader_names_visible_to_final_grader',
]);

/** How the sent fields are stored, where the names differ. */
const storedOf = (before: AssignmentRow, name: string): unknown =>
  name === 'published'
    ? before.workflow_state === 'published'
    : (lookUp<unknown>(before, name) ?? lookUp<unknown>(before.options, name) ?? null);

/** @throws Problem 400 by field, for changes to an assignment in a closed period */
export function refuseClosedFields(given: AssignmentGiven, before: AssignmentRow): void {
  const changed = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || free.has(name) || JSON.stringify(value) === JSON.stringify(storedOf(before, name)) ? [] : [name],
  );
  if (changed.length === 0) return;
  const message = 'cannot be changed because this assignment is due in a closed grading period';
  throw new Problem(400, { errors: Object.fromEntries(changed.map((name) => [name, [{ attribute: name, type: 'invalid', message }]])) });
}
