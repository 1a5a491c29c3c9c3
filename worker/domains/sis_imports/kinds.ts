// Which rows are applied by whom. Groups and tags join with their tables.

import type { FileType } from './file_types';
import { courseRows } from './import_courses';
import { enrollmentRows, gradePublishingRows } from './import_enrollments';
import { adminRows, observerRows } from './import_links';
import { abstractCourseRows, accountRows, termRows } from './import_places';
import { sectionRows, xlistRows } from './import_sections';
import { sisIdRows } from './import_sis_ids';
import { loginRows, userRows } from './import_users';
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
