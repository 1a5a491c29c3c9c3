// What clients see of moderated grading (reference of the API: Moderated Grading).

import { bool, int, maybe, optional, text } from '../wire/fields';
import { resource } from './resource';
import { User } from './user';

export const ProvisionalStatus = resource('ProvisionalStatus', { needs_provisional_grade: bool });

/** The selected grade of a student. */
export const ModerationSelection = resource('ModerationSelection', {
  assignment_id: int,
  /** Absent where the student is anonymous to the caller. */
  student_id: optional(int),
  anonymous_id: optional(text),
  selected_provisional_grade_id: maybe(int),
});

/** A student in the moderation set; an anonymous one has only the anonymous id. */
export const ModeratedStudent = resource('ModeratedStudent', {
  ...Object.fromEntries(Object.entries(User.fields).map(([name, field]) => [name, optional(field)])),
  anonymous_id: optional(text),
});

export const PublishedGrades = resource('PublishedGrades', { message: text });
