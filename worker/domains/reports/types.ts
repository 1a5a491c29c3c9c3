// Available reports, as in the reference. Reports about features that Carrel does not have (outcomes, external tools) have no rows.

import { courseStorage, developerKeys, publicCourses, recentlyDeleted, unpublished, unusedCourses } from './course_parts';
import { externalTools, outcomeExport, outcomeMap, outcomeResults } from './empty_parts';
import { gradeExport } from './grade_parts';
import type { Part } from './part';
import { eportfolioReport, lastEnrollmentActivity, lastUserAccess, noSubmissions, userAccessTokens, zeroActivity } from './people_parts';
import { sisParts } from './sis_parts';
import type { Wish } from './table';

export interface Parameter {
  readonly required: boolean;
  readonly description: string;
}

export interface ReportType {
  readonly title: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** One part becomes a CSV file, several a zip archive. */
  parts(wish: Wish): readonly Part[];
}

const may = (description: string): Parameter => ({ required: false, description });
const must = (description: string): Parameter => ({ required: true, description });

const term = { enrollment_term_id: may('The term of the courses, by its id or `sis_term_id:…`; all terms unless given.') };
const course = { course_id: may('The one course to report on, by its id or `sis_course_id:…`.') };
const deleted = { include_deleted: may('Tell what has been deleted, too.') };

const partFlags = Object.fromEntries(Object.keys(sisParts).map((name) => [name, may(`Tell ${name.replaceAll('_', ' ')}.`)]));
const flags = {
  ...partFlags,
  created_by_sis: may('Only what an SIS import has made.'),
  ...deleted,
  ...term,
};

const table = (title: string, description: string, parameters: ReportType['parameters'], part: (wish: Wish) => Part): ReportType => ({
  title,
  description,
  parameters,
  parts: (wish) => [part(wish)],
});

const sis = (isExport: boolean) => (wish: Wish) =>
  Object.entries(sisParts).flatMap(([name, part]) => (wish.parts.includes(name) ? [part(wish, isExport)] : []));

export const reportTypes: Readonly<Record<string, ReportType>> = {
  sis_export_csv: {
    title: 'SIS Export',
    description: 'Files that an SIS import reads: everything that has SIS ids. What is imported unchanged changes nothing.',
    parameters: flags,
    parts: sis(true),
  },
  provisioning_csv: {
    title: 'Provisioning',
    description: 'The same files with the ids of this service, and with what has no SIS ids.',
    parameters: {
      ...flags,
      enrollment_filter: may('Types of enrollments, separated by commas: StudentEnrollment, TeacherEnrollment, …'),
      enrollment_states: may('States of enrollments, separated by commas: active, invited, completed, inactive, …'),
    },
    parts: sis(false),
  },
  grade_export_csv: table('Grade Export', 'What students have reached in their courses.', { ...term, ...deleted }, gradeExport),
  mgp_grade_export_csv: table(
    'MGP Grade Export',
    'What students have reached in the courses of a term. Grading periods cannot be made here yet: it tells the whole term.',
    { enrollment_term_id: must('The term of the courses, by its id or `sis_term_id:…`.'), ...deleted },
    (wish) => ({ ...gradeExport(wish), name: 'mgp_grade_export' }),
  ),
  outcome_export_csv: table(
    'Outcome Export',
    'The outcomes of the account, as an import of outcomes reads them. None can be made here yet.',
    {},
    outcomeExport,
  ),
  outcome_results_csv: table(
    'Outcome Results',
    'Which outcomes students have reached. None can be made here yet.',
    { ...term, ...deleted, order: may('What the rows are ordered by: users, courses or outcomes.') },
    outcomeResults,
  ),
  student_assignment_outcome_map_csv: table(
    'Student Competency',
    'Which outcomes the work of students is aligned with. None can be made here yet.',
    term,
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
    'When people were last in their courses.',
    { ...term, ...course },
    lastEnrollmentActivity,
  ),
  zero_activity_csv: table(
    'Zero Activity',
    'Students who have not been in their courses.',
    { ...term, ...course, start_at: may('Not since then.') },
    zeroActivity,
  ),
  students_with_no_submissions_csv: table(
    'Students with no submissions',
    'Students who have handed in nothing in a course within some days.',
    {
      start_at: must('The first moment.'),
      end_at: must('The last moment, at most two weeks later.'),
      ...term,
      ...course,
      enrollment_state: may('States of enrollments, separated by commas; `active` unless given, `all` for active and completed.'),
    },
    noSubmissions,
  ),
  recently_deleted_courses_csv: table('Recently Deleted Courses', 'Courses deleted in the last thirty days.', term, recentlyDeleted),
  unpublished_courses_csv: table('Unpublished Courses', 'Courses that students cannot see yet.', term, unpublished),
  public_courses_csv: table('Public Courses', 'Courses that anybody may read.', term, publicCourses),
  course_storage_csv: table('Course Storage', 'How much room the files of each course take.', term, courseStorage),
  unused_courses_csv: table('Unused Courses', 'Courses without assignments, discussions, files, modules or pages.', term, unusedCourses),
  user_access_tokens_csv: table('User Access Tokens', 'Who has given access to whom.', { ...deleted, ...term }, userAccessTokens),
  eportfolio_report_csv: table('ePortfolio Report', 'What people have collected of their work.', { ...deleted, ...term }, eportfolioReport),
  lti_report_csv: table(
    'LTI Report',
    'The external tools of the account and of its courses. None can be added here yet.',
    { ...deleted, ...term },
    externalTools,
  ),
  developer_key_report_csv: table('Developer Key Report', 'The applications that may ask people for access.', deleted, developerKeys),
};
