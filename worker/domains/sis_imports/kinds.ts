// Which rows are applied by whom.

import type { FileType } from './file_types';
import { abstractCourseRows } from './import_abstract_courses';
import { accountRows } from './import_accounts';
import { courseRows } from './import_courses';
import { enrollmentRows, gradePublishingRows } from './import_enrollments';
import { groupCategoryRows, tagSetRows } from './import_group_categories';
import { groupRows, tagRows } from './import_groups';
import { adminRows, observerRows } from './import_links';
import { groupMembershipRows, tagMembershipRows } from './import_memberships';
import { sectionRows } from './import_sections';
import { sisIdRows } from './import_sis_ids';
import { termRows } from './import_terms';
import { loginRows, userRows } from './import_users';
import { xlistRows } from './import_xlists';
import type { Kind } from './rules';

export const kinds: Readonly<Record<FileType, Kind>> = {
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
  group_category: groupCategoryRows,
  group: groupRows,
  group_membership: groupMembershipRows,
  differentiation_tag_set: tagSetRows,
  differentiation_tag: tagRows,
  differentiation_tag_membership: tagMembershipRows,
  grade_publishing_result: gradePublishingRows,
  user_observer: observerRows,
};
