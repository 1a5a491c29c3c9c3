// The importer of each file type.

import type { FileType } from './files/file_types';
import type { RowKind } from './row_rules';
import { abstractCourseRows } from './rows/abstract_courses';
import { accountRows } from './rows/accounts';
import { adminRows, observerRows } from './rows/admins_and_observers';
import { sisIdRows } from './rows/changed_sis_ids';
import { courseRows } from './rows/courses';
import { xlistRows } from './rows/cross_listings';
import { enrollmentRows, gradePublishingRows } from './rows/enrollments';
import { groupCategoryRows, tagSetRows } from './rows/group_categories';
import { groupMembershipRows, tagMembershipRows } from './rows/group_memberships';
import { groupRows, tagRows } from './rows/groups';
import { sectionRows } from './rows/sections';
import { termRows } from './rows/terms';
import { loginRows, userRows } from './rows/users/users';

export const rowKinds: Readonly<Record<FileType, RowKind>> = {
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
