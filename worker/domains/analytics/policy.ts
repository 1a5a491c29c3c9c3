// Who sees the analytics of which students.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isInSectionLimit } from '../../contexts/section_limit';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';

/** Staff and administrators with the permission; students whose role has it see only themselves. */
const watchesAll = (course: CourseContext): boolean => course.readsAsAdmin && course.can('view_analytics');

/** The path's student, their observers, and staff with the permission. */
export const maySeeStudent = ({ course, me, user }: Call): boolean =>
  me.isKnown && course?.canRead === true && user !== undefined && (user.isMe || course.observedIds.includes(user.id) || watchesAll(course));

type Seeing = Pick<Call, 'me'>;

/**
 * The students of the course whom the caller sees; undefined for all.
 * @param user a student's id as SQL
 */
export const studentsSeen = (course: CourseContext, { me }: Seeing, user: SQL): SQL | undefined =>
  watchesAll(course) ? isInSectionLimit(course, user) : among(user, [me.id, ...course.observedIds]);

/** A row if the path's user is a student of the course whom the caller sees. */
export const thatStudent = (course: CourseContext, user_id: number, call: Seeing): SQL => {
  const seen = studentsSeen(course, call, sql.raw('s.user_id'));
  return sql`select s.user_id from course_students s where s.course_id = ${course.id} and s.user_id = ${user_id} and s.is_student = 1${seen ? sql` and ${seen}` : sql``}`;
};
