// course_settings.xml of a Canvas package. Pure.

import { BadXml, boolAt, firstElement, readXml } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';
import { canvasNamespaces, readFields, type ValuesOf, writeFields } from './fields';

const fields = {
  title: 'text',
  course_code: 'text',
  start_at: 'time',
  conclude_at: 'time',
  is_public: 'bool',
  is_public_to_auth_users: 'bool',
  public_syllabus: 'bool',
  public_syllabus_to_auth: 'bool',
  indexed: 'bool',
  public_description: 'text',
  default_view: 'text',
  license: 'text',
  course_format: 'text',
  group_weighting_scheme: 'text',
  allow_student_wiki_edits: 'bool',
  allow_wiki_comments: 'bool',
  open_enrollment: 'bool',
  restrict_enrollments_to_course_dates: 'bool',
  locale: 'text',
  time_zone: 'text',
  grading_standard_enabled: 'bool',
  grading_standard_identifier_ref: 'text',
  image_identifier_ref: 'text',
  banner_image_identifier_ref: 'text',
  image_url: 'text',
  banner_image_url: 'text',
  tab_configuration: 'text',
} as const;

/** Settings that have elements of their own, and in courses are members of one object. */
export const courseFlags = {
  hide_final_grades: 'bool',
  hide_distribution_graphs: 'bool',
  allow_student_discussion_topics: 'bool',
  allow_student_discussion_editing: 'bool',
  allow_student_forum_attachments: 'bool',
  allow_student_organized_groups: 'bool',
  lock_all_announcements: 'bool',
  show_announcements_on_home_page: 'bool',
  home_page_announcement_limit: 'number',
  restrict_student_future_view: 'bool',
  restrict_student_past_view: 'bool',
  allow_final_grade_override: 'bool',
  allow_student_discussion_reporting: 'bool',
  allow_student_anonymous_discussion_topics: 'bool',
  filter_speed_grader_by_student_group: 'bool',
  hide_sections_on_course_users_page: 'bool',
  usage_rights_required: 'bool',
  restrict_quantitative_data: 'bool',
  syllabus_course_summary: 'bool',
  show_total_grade_as_points: 'bool',
  default_due_time: 'text',
  course_color: 'text',
} as const;

export interface PackagedCourse extends ValuesOf<typeof fields> {
  readonly identifier: string;
  readonly flags: ValuesOf<typeof courseFlags>;
  readonly post_manually?: boolean;
}

export const writeCourseSettings = ({ identifier, flags, post_manually, ...values }: PackagedCourse): string =>
  xmlDocument(
    xml(
      'course',
      { identifier, ...canvasNamespaces },
      writeFields(fields, values),
      writeFields(courseFlags, flags),
      post_manually === undefined ? undefined : xml('default_post_policy', {}, xml('post_manually', {}, post_manually)),
    ),
  );

/** @throws BadXml */
export function readCourseSettings(document: string): PackagedCourse {
  const root = readXml(document);
  if (root.name !== 'course') throw new BadXml('The document has no settings of a course.');
  const post_manually = boolAt(firstElement(root, 'default_post_policy'), 'post_manually');
  return {
    identifier: root.attributes.identifier ?? '',
    ...readFields(fields, root),
    flags: readFields(courseFlags, root),
    ...(post_manually === undefined ? {} : { post_manually }),
  };
}
