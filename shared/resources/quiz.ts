// What clients see of a classic quiz, of its dates and of its address filters (reference of the API: Quizzes).

import { bool, int, listOf, maybe, number, object, optional, text, time } from '../wire/fields';
import { lockFieldShapes } from './lock_fields';
import { resource } from './resource';

const quizDate = object({
  id: optional(int),
  base: optional(bool),
  title: optional(text),
  due_at: maybe(time),
  unlock_at: maybe(time),
  lock_at: maybe(time),
  set_type: optional(text),
  set_id: optional(maybe(int)),
});

const quizRights = object({
  read: bool,
  submit: bool,
  create: bool,
  manage: bool,
  update: bool,
  delete: bool,
  preview: bool,
  grade: bool,
  read_statistics: bool,
  review_grades: bool,
  view_answer_audits: bool,
});

export const Quiz = resource('Quiz', {
  id: int,
  course_id: int,
  title: text,
  html_url: text,
  mobile_url: text,
  preview_url: optional(text),
  /** HTML; null while the caller may not see it. */
  description: maybe(text),
  quiz_type: text,
  /** Null for practice quizzes and surveys. */
  assignment_id: maybe(int),
  assignment_group_id: maybe(int),
  /** Minutes. */
  time_limit: maybe(int),
  timer_autosubmit_disabled: bool,
  shuffle_answers: bool,
  hide_results: maybe(text),
  show_correct_answers: bool,
  show_correct_answers_last_attempt: bool,
  show_correct_answers_at: maybe(time),
  hide_correct_answers_at: maybe(time),
  one_time_results: bool,
  scoring_policy: text,
  /** -1: unlimited. */
  allowed_attempts: int,
  one_question_at_a_time: bool,
  cant_go_back: bool,
  question_count: int,
  points_possible: number,
  /** Staff only. */
  access_code: optional(maybe(text)),
  has_access_code: bool,
  /** Null for students. */
  ip_filter: maybe(text),
  /** As they apply to the caller. */
  due_at: maybe(time),
  lock_at: maybe(time),
  unlock_at: maybe(time),
  all_dates: optional(listOf(quizDate)),
  all_dates_count: optional(int),
  published: bool,
  unpublishable: optional(bool),
  can_unpublish: optional(bool),
  can_update: bool,
  ...lockFieldShapes,
  require_lockdown_browser: bool,
  require_lockdown_browser_for_results: bool,
  require_lockdown_browser_monitor: bool,
  lockdown_browser_monitor_data: maybe(text),
  speed_grader_url: optional(maybe(text)),
  permissions: quizRights,
  quiz_reports_url: text,
  quiz_statistics_url: text,
  message_students_url: optional(text),
  quiz_submission_versions_html_url: text,
  section_count: optional(int),
  only_visible_to_overrides: optional(bool),
  version_number: int,
  /** In responses with one quiz. */
  question_types: optional(listOf(text)),
  post_to_sis: maybe(bool),
  anonymous_submissions: optional(bool),
  migration_id: maybe(text),
  in_paced_course: bool,
  important_dates: bool,
  hide_in_gradebook: bool,
});

/** The dates of a quiz that apply to the caller; staff see all. */
export const QuizOverrideDates = resource('QuizAssignmentOverrideSet', {
  quiz_id: int,
  due_dates: listOf(quizDate),
  all_dates: optional(listOf(quizDate)),
});

export const QuizIpFilters = resource('QuizIpFilters', {
  quiz_ip_filters: listOf(object({ name: text, account: text, filter: text })),
});
