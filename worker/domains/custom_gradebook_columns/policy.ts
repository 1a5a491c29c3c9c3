// Which columns exist, and whose data in them the caller may see.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isEnrolledStudent } from '../../contexts/predicates';
import { inSectionLimit } from '../../contexts/section_limit';
import { custom_gradebook_columns as columns } from './table';

export const presentColumns = (course: CourseContext, withHidden = true): SQL =>
  and(eq(columns.course_id, course.id), eq(columns.workflow_state, 'active'), withHidden ? undefined : eq(columns.hidden, false)) as SQL;

export const onlyColumn = (course: CourseContext, id: number, withHidden = true): SQL =>
  and(presentColumns(course, withHidden), eq(columns.id, id)) as SQL;

/** Whether a user is a student of the course whom the caller may grade. The unary plus makes SQLite search by the user, not through the course. */
export const isStudentInReach = (course: CourseContext, user: SQL): SQL =>
  sql`exists (select 1 from enrollments r where r.user_id = ${user} and +r.course_id = ${course.id} and ${isEnrolledStudent('+r')}${inSectionLimit(course, 'r')})`;
