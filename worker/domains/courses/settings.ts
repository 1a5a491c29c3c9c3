// Course settings: defaults, and how stored, inherited and column values combine into the object that clients see.

import { CourseSettings } from '@carrel/shared/resources/course_settings';
import { settingIn } from '../../contexts/account_settings';
import type { CourseRow } from '../../contexts/course';
import type { AccountRow } from '../../contexts/institution';
import { serializer } from '../../http/serializer';
import { type Pictures, pictureColumns, picturesOf } from './pictures';
import { courses } from './table';

/** Defaults in the key order of reference 02 §1.7. */
export const settingDefaults = {
  allow_final_grade_override: false,
  allow_student_discussion_topics: true,
  allow_student_forum_attachments: true,
  allow_student_discussion_editing: true,
  allow_student_discussion_reporting: true,
  allow_student_anonymous_discussion_topics: false,
  filter_speed_grader_by_student_group: false,
  grading_standard_enabled: false,
  grading_standard_id: null,
  grade_passback_setting: null,
  allow_student_organized_groups: true,
  hide_final_grades: false,
  hide_distribution_graphs: false,
  hide_sections_on_course_users_page: false,
  lock_all_announcements: false,
  usage_rights_required: false,
  restrict_student_past_view: false,
  restrict_student_future_view: false,
  restrict_quantitative_data: false,
  show_announcements_on_home_page: false,
  home_page_announcement_limit: null,
  syllabus_course_summary: true,
  homeroom_course: false,
  image_url: null,
  image_id: null,
  image: null,
  banner_image_url: null,
  banner_image_id: null,
  banner_image: null,
  course_color: null,
  friendly_name: null,
  default_due_time: '23:59:59',
  conditional_release: false,
} as const;

type Setting = keyof typeof settingDefaults;
type Settings = { [K in Setting]: (typeof settingDefaults)[K] extends boolean ? boolean : string | number | null };

const inherited = [
  'lock_all_announcements',
  'usage_rights_required',
  'restrict_student_past_view',
  'restrict_student_future_view',
] as const;

/**
 * Every setting of a course.
 * @param accounts the course's account chain, root first
 */
export function settingsOf(course: CourseRow, accounts: readonly AccountRow[], pictures: Pictures = {}): Settings {
  const fromAbove = Object.fromEntries(inherited.map((name) => [name, settingIn(course, accounts, name)]));
  const stored = Object.fromEntries(Object.entries(course.settings).filter(([name]) => Object.hasOwn(settingDefaults, name)));
  const settings = { ...settingDefaults, ...stored, ...fromAbove };
  return {
    ...settings,
    grading_standard_id: course.grading_standard_id,
    grading_standard_enabled: course.grading_standard_id !== null,
    friendly_name: course.friendly_name,
    image: pictures.image ?? settings.image_url,
    banner_image: pictures.banner_image ?? settings.banner_image_url,
  } as Settings;
}

/** The settings object of a course. */
export const courseSettings = serializer({
  resource: CourseSettings,
  table: courses,
  columns: () => pictureColumns,
  json: (row: CourseRow, { course, institution, origin }) =>
    settingsOf(
      row,
      (course?.chain ?? []).flatMap((id) => institution.accounts.get(id) ?? []),
      picturesOf(row, origin),
    ),
});
