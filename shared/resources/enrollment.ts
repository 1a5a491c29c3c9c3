// What clients see of an enrollment (reference of the API: Enrollments).

import { bool, int, json, maybe, number, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';
import { User } from './user';

const score = optional(maybe(number));
const grade = optional(maybe(text));

export const Grades = resource('Grades', {
  html_url: text,
  current_grade: grade,
  current_score: score,
  final_grade: grade,
  final_score: score,
  unposted_current_grade: grade,
  unposted_current_score: score,
  unposted_final_grade: grade,
  unposted_final_score: score,
  override_grade: grade,
  override_score: score,
  /** The status that a grader has given the final grade; for graders, where the course allows overrides. */
  custom_grade_status_id: optional(maybe(int)),
  current_points: score,
  unposted_current_points: score,
  grading_period_id: optional(maybe(int)),
});

const itself = {
  id: int,
  user_id: int,
  course_id: int,
  course_section_id: optional(int),
  root_account_id: int,
  type: oneOf(
    'StudentEnrollment',
    'TeacherEnrollment',
    'TaEnrollment',
    'DesignerEnrollment',
    'ObserverEnrollment',
    'StudentViewEnrollment',
  ),
  role: text,
  role_id: int,
  enrollment_state: oneOf('invited', 'creation_pending', 'active', 'rejected', 'completed', 'inactive', 'deleted'),
  associated_user_id: maybe(int),
  limit_privileges_to_course_section: bool,
  created_at: time,
  updated_at: time,
  start_at: maybe(time),
  end_at: maybe(time),
  /** For the enrolled user, and callers with `read_reports`. */
  last_activity_at: optional(maybe(time)),
  last_attended_at: optional(maybe(time)),
  total_activity_time: optional(int),
  /** For callers with `read_sis` or `manage_sis`. */
  sis_account_id: optional(maybe(text)),
  sis_course_id: optional(maybe(text)),
  course_integration_id: optional(maybe(text)),
  sis_section_id: optional(maybe(text)),
  section_integration_id: optional(maybe(text)),
  sis_user_id: optional(maybe(text)),
  sis_import_id: optional(maybe(int)),
  html_url: text,
  /** For students only. */
  grades: optional(Grades.field),
  /** For temporary enrollments: the user being replaced. */
  temporary_enrollment_source_user_id: optional(int),
  locked: optional(bool),
  can_be_removed: optional(bool),
  /** For the caller's own enrollment, when they may leave by themselves. */
  uuid: optional(text),
} as const;

export const Enrollment = resource('Enrollment', {
  ...itself,
  /** In lists. */
  user: optional(User.field),
  /** For observers, with `include[]=observed_users`. */
  observed_user: optional(maybe(json)),
});

export const Success = resource('Success', { success: bool });
export const TemporaryEnrollmentStatus = resource('TemporaryEnrollmentStatus', {
  is_provider: bool,
  is_recipient: bool,
  can_provide: bool,
});
