// The response to duplicating an assignment (reference of the API: Assignments).

import { bool, type Field, int, maybe, number, object, optional, text, time } from '../wire/fields';
import { Assignment } from './assignment';
import { resource } from './resource';

/** What Canvas' page of quizzes shows of an assignment: the form of a quiz, under the id of the assignment. */
export const AssignmentAsQuiz = resource('AssignmentAsQuiz', {
  id: int,
  course_id: int,
  assignment_id: int,
  assignment_group_id: int,
  title: text,
  /** HTML. */
  description: maybe(text),
  /** `quizzes.next`, as for New Quizzes. */
  quiz_type: text,
  html_url: text,
  mobile_url: text,
  points_possible: maybe(number),
  allowed_attempts: int,
  due_at: maybe(time),
  unlock_at: maybe(time),
  lock_at: maybe(time),
  workflow_state: text,
  published: bool,
  unpublishable: bool,
  can_unpublish: bool,
  can_update: bool,
  can_duplicate: bool,
  locked_for_user: bool,
  only_visible_to_overrides: bool,
  post_to_sis: bool,
  important_dates: bool,
  require_lockdown_browser: bool,
  original_course_id: maybe(int),
  original_assignment_id: maybe(int),
  original_assignment_name: maybe(text),
  permissions: object({ read: bool, create: bool, manage: bool, update: bool, delete: bool }),
});

const perhaps = (fields: Readonly<Record<string, Field>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]));

/** The duplicate as an Assignment, or with `result_type=Quiz` in the form of a quiz, with `new_positions` in both. */
export const DuplicatedAssignment = resource('DuplicatedAssignment', {
  ...perhaps(AssignmentAsQuiz.fields),
  ...perhaps(Assignment.fields),
});
