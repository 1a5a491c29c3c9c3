// Anonymous grading: to whom the students of an assignment are anonymous, and in which order lists show them (reference 03 §8.2).

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../contexts/course';
import { anonymousKey } from '../crypto/anonymous_id';

/** Account admins always see names. */
export const seesNames = (course: Pick<CourseContext, 'isAdmin'>): boolean => course.isAdmin;

/** Whether the students of an assignment are anonymous to the caller. */
export const isAnonymised = (
  { anonymize_students }: { readonly anonymize_students: boolean },
  course: Pick<CourseContext, 'isAdmin'>,
): boolean => anonymize_students && !seesNames(course);

/** The same in SQL. @param assignment alias in the statement */
export const isAnonymisedSql = (assignment: string, course: Pick<CourseContext, 'isAdmin'>): SQL =>
  seesNames(course) ? sql`0` : sql.raw(`${assignment}.anonymize_students`);

/**
 * A sort key for the students of an anonymous assignment, because their ids and names would reveal who is who. It differs by assignment, so that the
 * order in one does not reveal that in another. It has no index: a list of an anonymous assignment sorts the students of the course.
 * @param user the id of the student
 */
export function anonymousOrder(secret: string, assignment_id: number, user: SQL): SQL<number> {
  const [shift, factor] = anonymousKey({ secret, assignment_id }).map((one) => sql`cast(${one} as integer)`);
  return sql<number>`((${user} + ${shift}) * (${user} + ${shift}) % 2147483647 * ${factor} % 2147483647)`;
}

/** Without the id of the student, which is in the addresses of their own files and in the text of an attempt at a quiz. */
export const withoutUserIds = (html: string | null): string | null =>
  html === null ? null : html.replace(/\/users\/\d+\/(?=files\/)/g, '/').replace(/^user: \d+, (?=quiz: \d+, )/, '');
