// Other responses of submission endpoints (reference of the API: Submissions).

import { bool, type Field, int, json, listOf, maybe, number, optional, text } from '../wire/fields';
import { resource } from './resource';
import { Submission } from './submission';
import { UserDisplay } from './user_display';

/** The submissions of one student, with `grouped`. */
export const GroupedSubmissions = resource('GroupedSubmissions', {
  user_id: int,
  section_id: maybe(int),
  submissions: listOf(Submission.field),
  sis_user_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  computed_current_score: optional(maybe(number)),
  computed_final_score: optional(maybe(number)),
  unposted_current_score: optional(maybe(number)),
  unposted_final_score: optional(maybe(number)),
});

export const SubmissionSummary = resource('SubmissionSummary', { graded: int, ungraded: int, not_submitted: int });

/** A gradeable student; in a course with their assignments. */
export const GradeableStudent = resource('GradeableStudent', {
  ...UserDisplay.fields,
  assignment_ids: optional(listOf(int)),
  in_moderation_set: optional(bool),
  selected_provisional_grade_id: optional(maybe(int)),
  provisional_grades: optional(listOf(json)),
});

/** Whether an item of a submission is read. */
export const ReadState = resource('ReadState', { read: bool });

const perhaps = (fields: Readonly<Record<string, Field>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]));

/** A submission, or with `grouped` those of one student. */
export const StudentsSubmission = resource('StudentsSubmission', { ...perhaps(Submission.fields), ...perhaps(GroupedSubmissions.fields) });
