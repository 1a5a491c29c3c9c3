// Whether a change to an assignment is allowed, given its submissions and grades (reference 03 §1.1, §1.4).

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { found, invalid, unauthorized } from '../../http/problem';
import { isAssignmentClosed } from '../../rules/grading_periods';
import { moderatesGrading, moderationOf } from '../../rules/moderated_grading';
import { refuseClosedFields } from './closed_periods';
import type { AssignmentGiven } from './input';
import { changesModeration } from './moderation_input';
import type { OverrideGiven } from './overrides/input';
import { overridePreconditionFor } from './overrides/precondition';
import type { AssignmentRow } from './plain_fields';
import { visibleAmong } from './policy';
import { assignments } from './table';

export interface History {
  readonly has_submissions: boolean;
  readonly has_grades: boolean;
  /** A due date is in a closed grading period. */
  readonly is_closed: boolean;
}

const happened = (condition: SQL) =>
  sql<number>`exists (select 1 from submissions where submissions.assignment_id = assignments.id and submissions.workflow_state <> 'deleted' and ${condition})`;

type Asking = Pick<Call, 'db' | 'me' | 'user' | 'path' | 'institution' | 'now'>;

/** What `historyOf` reads. @param where a condition on `assignments` */
export const selectHistory = ({ db, now }: Pick<Call, 'db' | 'now'>, course: CourseContext, where: SQL | undefined) =>
  db.build
    .select({
      has_submissions: happened(sql`submission_type is not null`).as('has_submissions'),
      has_grades: happened(sql`graded_at is not null`).as('has_grades'),
      is_closed: isAssignmentClosed(shared('course', course.id), now).as('is_closed'),
    })
    .from(assignments)
    .where(where);

/** @throws Problem 404 */
export function historyOf([row]: readonly { readonly [K in keyof History]: unknown }[]): History {
  const { has_submissions, has_grades, is_closed } = found(row);
  return { has_submissions: has_submissions === 1, has_grades: has_grades === 1, is_closed: is_closed === 1 };
}

/**
 * Reads the assignment, the state of its submissions, and what its overrides need, in one round trip.
 * @param id a select of the assignment id
 * @param given the assignment that is sent
 * @throws Problem 404
 */
export async function readBefore(
  call: Asking,
  course: CourseContext,
  id: SQL,
  overrides: readonly OverrideGiven[],
  given: AssignmentGiven = {},
) {
  const { statements, ground } = overridePreconditionFor(call, course, id, overrides, given, changesModeration(given));
  const [histories, ...read] = await call.db.perform([selectHistory(call, course, visibleAmong(course, call, id)), ...statements]);
  const history = historyOf(histories);
  return { before: found(read[0][0]) as AssignmentRow, history, ground: ground(read) };
}

/** @throws Problem 400 when students have already submitted or for fields that a closed grading period keeps, 401 for callers who may not change the grading */
export function checkAssignmentChange(
  given: AssignmentGiven,
  before: AssignmentRow,
  { has_submissions, has_grades, is_closed }: History,
  { course, me }: { readonly course: CourseContext; readonly me: { readonly id: number } },
): void {
  if (is_closed && !course.isAdmin) refuseClosedFields(given, before);
  const moderation = moderationOf(before.options);
  if (moderation.moderated_grading && !moderatesGrading(me, course, moderation)) throw unauthorized();
  if (has_grades && given.moderated_grading !== undefined && given.moderated_grading !== moderation.moderated_grading)
    throw invalid('moderated_grading', 'invalid', 'cannot change once submissions are graded');
  // Switching it off would reveal who has which grade; it is revealed by posting the grades of all students.
  const wasAnonymous = before.options.anonymous_grading === true;
  const isRevealed = wasAnonymous && !before.anonymize_students;
  if (has_grades && !isRevealed && !course.isAdmin && (given.anonymous_grading ?? wasAnonymous) !== wasAnonymous)
    throw invalid('anonymous_grading', 'invalid', 'cannot change once submissions are graded');
  if (given.published === false && before.workflow_state === 'published' && has_submissions)
    throw invalid('published', 'invalid', "Can't unpublish if there are student submissions");
  if (given.group_category_id !== undefined && given.group_category_id !== before.group_category_id && has_submissions)
    throw invalid('group_category_id', 'invalid', 'The group set cannot change once students have submitted');
  const changes = (name: 'points_possible' | 'grading_type' | 'grading_standard_id') =>
    given[name] !== undefined && given[name] !== before[name];
  const changesGrades = changes('points_possible') || changes('grading_type') || changes('grading_standard_id');
  if (has_grades && changesGrades && !course.can('manage_grades')) throw unauthorized();
}

type Dates = Pick<AssignmentRow, 'due_at' | 'unlock_at' | 'lock_at' | 'group_category_id'>;

/** The dates and group set of an assignment after the change; fields that are not sent stay. */
export function datesAfter(given: { readonly [K in keyof Dates]?: Dates[K] }, before: Dates): Dates {
  const after = <T>(sent: T | undefined, stored: T) => (sent === undefined ? stored : sent);
  return {
    due_at: after(given.due_at, before.due_at),
    unlock_at: after(given.unlock_at, before.unlock_at),
    lock_at: after(given.lock_at, before.lock_at),
    group_category_id: after(given.group_category_id, before.group_category_id),
  };
}
