// Every course that the caller is in, and through which eyes they see it.

import { sql } from 'drizzle-orm';
import { type CourseContext, hidesTab } from '../../contexts/course';
import { type CourseRows, courseStatements, coursesOf } from '../../contexts/several';
import type { Viewer } from '../../contexts/viewer';
import type { Database } from '../../database/open';
import type { Call } from '../../http/call';
import type { Lens } from './cursor';

/** The statements that read the caller's courses, in the order that `readableCourses` takes their results. */
export const membershipStatements = (db: Database, me: Viewer) =>
  courseStatements(
    db,
    sql`select course_id from enrollments where user_id = ${me.id} and enrollment_state in ('active', 'invited', 'completed', 'inactive')`,
    me,
  );

/** The courses that the caller is in and can read, by id. */
export const readableCourses = (rows: CourseRows, { me, institution, now }: Call): ReadonlyMap<number, CourseContext> =>
  new Map(
    coursesOf(rows, me, institution, now)
      .filter((course) => course.canRead && course.mine.length > 0)
      .map((course) => [course.id, course]),
  );

/** Permissions by which resources show more or less. */
const telling = [
  'manage_assignments_edit',
  'manage_course_content_edit',
  'manage_files_add',
  'manage_grades',
  'manage_sis',
  'moderate_forum',
  'read_announcements',
  'read_forum',
  'read_sis',
  'view_all_grades',
];

/** Two equal lenses see the same of a course; what the caller's roles may do there is part of it. */
export const lensOf = (course: CourseContext): Lens =>
  [
    course.readsAsAdmin ? 'a' : course.participates ? 'p' : 'r',
    course.workflow_state[0],
    ['files', 'pages'].map((tab) => (hidesTab(course, tab) ? 'h' : 's')).join(''),
    telling.map((permission) => (course.can(permission) ? '1' : '0')).join(''),
    ...course.mine
      .map(
        (one) => `${one.type[0]}${one.type[1]}${one.role_id}.${one.course_section_id}.${one.observed_user_id}.${one.effective.slice(0, 9)}`,
      )
      .sort(),
  ].join('~');
