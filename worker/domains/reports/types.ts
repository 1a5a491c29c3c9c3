// Available reports, as in the reference. Two of them (alignments of submissions, external tools) have no rows.

import { courseStorage, developerKeys, publicCourses, recentlyDeleted, unpublished, unusedCourses } from './course_parts';
import { externalTools } from './empty_parts';
import { gradeExport, gradeExportByPeriod } from './grade_parts';
import { outcomeExport, outcomeMap, outcomeResults } from './outcome_parts';
import type { ReportFile } from './part';
import { eportfolioReport, lastEnrollmentActivity, lastUserAccess, noSubmissions, userAccessTokens, zeroActivity } from './people_parts';
import { sisParts } from './sis_parts';
import type { ReportRequest } from './table';

export interface Parameter {
  readonly required: boolean;
  readonly description: string;
}

export interface ReportType {
  readonly title: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** One part becomes a CSV file, several a zip archive. */
  parts(wanted: ReportRequest): readonly ReportFile[];
}

const may = (description: string): Parameter => ({ required: false, description });
const must = (description: string): Parameter => ({ required: true, description });

const term = { enrollment_term_id: may('The term of the courses, by its id or `sis_term_id:…`; all terms unless given.') };
const course = { course_id: may('The one course to report on, by its id or `sis_course_id:…`.') };
const deleted = { include_deleted: may('Include deleted items.') };

const partFlags = Object.fromEntries(Object.keys(sisParts).map((name) => [name, may(`Include ${name.replaceAll('_', ' ')}.`)]));
const flags = {
  ...partFlags,
  created_by_sis: may('Only items created by an SIS import.'),
  ...deleted,
  ...term,
};

const table = (
  title: string,
  description: string,
  parameters: ReportType['parameters'],
  part: (wish: ReportRequest) => ReportFile,
): ReportType => ({
  title,
  description,
  parameters,
  parts: (wish) => [part(wish)],
});

const sis = (isExport: boolean) => (wish: ReportRequest) =>
  Object.entries(sisParts).flatMap(([name, part]) => (wish.parts.includes(name) ? [part(wish, isExport)] : []));

export const reportTypes: Readonly<Record<string, ReportType>> = {
  sis_export_csv: {
    title: 'SIS Export',
    description: 'Files in the SIS import format, with all items that have SIS ids. Importing them unchanged changes nothing.',
    parameters: flags,
    parts: sis(true),
  },
  provisioning_csv: {
    title: 'Provisioning',
    description: 'The same files with the ids of this service, including items without SIS ids.',
    parameters: {
      ...flags,
      enrollment_filter: may('Enrollment types, separated by commas: StudentEnrollment, TeacherEnrollment, …'),
      enrollment_states: may('Enrollment states, separated by commas: active, invited, completed, inactive, …'),
    },
    parts: sis(false),
  },
  grade_export_csv: table('Grade Export', 'Grades of students in their courses.', { ...term, ...deleted }, gradeExport),
  mgp_grade_export_csv: table(
    'MGP Grade Export',
    'Grades of students in the courses of a term, by grading period and as a whole.',
    { enrollment_term_id: must('The term of the courses, by its id or `sis_term_id:…`.'), ...deleted },
    gradeExportByPeriod,
  ),
  outcome_export_csv: table(
    'Outcome Export',
    'The outcomes of the account and their groups, in the format of an import of outcomes.',
    {},
    outcomeExport,
  ),
  outcome_results_csv: table(
    'Outcome Results',
    'What students have reached in outcomes, with one row for each result.',
    { ...term, ...course, ...deleted, order: may('Sort order of the rows: users, courses or outcomes.') },
    outcomeResults,
  ),
  student_assignment_outcome_map_csv: table(
    'Student Competency',
    'Students with the assignments that assess outcomes by a rubric, and their submissions.',
    { ...term, ...course },
    outcomeMap,
  ),
  last_user_access_csv: table(
    'Last User Access',
    'When people were last here, and from where.',
    { ...term, ...course, ...deleted },
    lastUserAccess,
  ),
  last_enrollment_activity_csv: table(
    'Last Enrollment Activity',
    'The last activity of users in their courses.',
    { ...term, ...course },
    lastEnrollmentActivity,
  ),
  zero_activity_csv: table(
    'Zero Activity',
    'Students without any activity in their courses.',
    { ...term, ...course, start_at: may('No activity since this date.') },
    zeroActivity,
  ),
  students_with_no_submissions_csv: table(
    'Students with no submissions',
    'Students without submissions in a course within a date range.',
    {
      start_at: must('Start of the range.'),
      end_at: must('End of the range, at most two weeks later.'),
      ...term,
      ...course,
      enrollment_state: may('Enrollment states, separated by commas;  `active` unless given, `all` for active and completed.'),
    },
    noSubmissions,
  ),
  recently_deleted_courses_csv: table('Recently Deleted Courses', 'Courses deleted in the last thirty days.', term, recentlyDeleted),
  unpublished_courses_csv: table('Unpublished Courses', 'Unpublished courses.', term, unpublished),
  public_courses_csv: table('Public Courses', 'Public courses.', term, publicCourses),
  course_storage_csv: table('Course Storage', 'Storage used by the files of each course.', term, courseStorage),
  unused_courses_csv: table('Unused Courses', 'Courses without assignments, discussions, files, modules or pages.', term, unusedCourses),
  user_access_tokens_csv: table('User Access Tokens', 'Access tokens of users.', { ...deleted, ...term }, userAccessTokens),
  eportfolio_report_csv: table('ePortfolio Report', 'ePortfolios of users.', { ...deleted, ...term }, eportfolioReport),
  lti_report_csv: table(
    'LTI Report',
    'External tools of the account and its courses. External tools are not supported yet.',
    { ...deleted, ...term },
    externalTools,
  ),
  developer_key_report_csv: table('Developer Key Report', 'Applications that may request access.', deleted, developerKeys),
};
