// Which rows are applied by whom. Groups and tags join with their tables.

import type { FileType } from './file_types';
import { abstractCourseRows } from './import_abstract_courses';
import { accountRows } from './import_accounts';
import { courseRows } from './import_courses';
import { enrollmentRows, gradePublishingRows } from './import_enrollments';
import { adminRows, observerRows } from './import_links';
import { sectionRows } from './import_sections';
import { sisIdRows } from './import_sis_ids';
import { termRows } from './import_terms';
import { loginRows, userRows } from './import_users';
import { xlistRows } from './import_xlists';
import type { Kind } from './rules';

export const kinds: Readonly<Partial<Record<FileType, Kind>>> = {
  change_sis_id: sisIdRows,
  account: accountRows,
  term: termRows,
  abstract_course: abstractCourseRows,
  course: courseRows,
  section: sectionRows,
  xlist: xlistRows,
  user: userRows,
  login: loginRows,
  enrollment: enrollmentRows,
  admin: adminRows,
  grade_publishing_result: gradePublishingRows,
  user_observer: observerRows,
};
