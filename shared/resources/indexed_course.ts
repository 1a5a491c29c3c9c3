// A course in the public index: its columns, except those that grant access.

import { bool, int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

/** For a course in the public index. */
export const CourseColumns = resource('CourseColumns', {
  id: int,
  name: text,
  account_id: int,
  root_account_id: int,
  enrollment_term_id: int,
  course_code: maybe(text),
  workflow_state: text,
  start_at: maybe(time),
  conclude_at: maybe(time),
  is_public: bool,
  is_public_to_auth_users: bool,
  public_syllabus: bool,
  public_description: maybe(text),
  syllabus_body: maybe(text),
  allow_student_wiki_edits: bool,
  allow_wiki_comments: bool,
  apply_assignment_group_weights: bool,
  open_enrollment: bool,
  self_enrollment: bool,
  indexed: bool,
  default_view: text,
  course_format: maybe(text),
  license: text,
  locale: maybe(text),
  time_zone: maybe(text),
  grading_standard_id: maybe(int),
  /** In bytes. */
  storage_quota: maybe(int),
  created_at: time,
  updated_at: time,
});

export const IndexedCourse = resource('IndexedCourse', { course: CourseColumns.field });
