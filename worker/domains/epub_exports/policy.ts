// Which books a viewer may start and see.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { flagsWithSay, placeBy } from '../features/place';

/** Staff, and students who take part. */
export const startsBooks = (course: CourseContext | undefined): boolean => course?.readsAsAdmin === true || course?.participates === true;

type Around = Pick<Call, 'me' | 'course' | 'account' | 'institution' | 'user' | 'db'>;

/** The switch of a course, from the flags that were read. */
export const hasBooks = (call: Around, flags: Parameters<typeof placeBy>[1]): boolean =>
  placeBy(call, flags).features.some(({ name, standing }) => name === 'epub_export' && standing.isEnabled);

export const flagsOfBooks = (call: Around) => flagsWithSay(call);

/** A book that was not finished by then has failed. */
export const stuckBefore = (now: string): number => Date.parse(now) - 2 * 3_600_000;

/** The newest book that the user has started of each course. Kept literal, so that SQLite matches the partial index. @param courses a select of ids */
export const newestBooks = (user_id: number, courses: SQL): SQL =>
  sql`select max(b.id) from content_exports b where b.export_type = 'epub' and b.user_id = ${user_id} and b.context_id in (${courses}) group by b.context_id`;

/** The book of that id, if it is one of the course that the caller may see. The books of others may have what is for other sections. */
export const namedBook = ({ me, course, id }: Pick<Call, 'me' | 'course' | 'id'>): SQL =>
  sql`select b.id from content_exports b where b.id = ${id ?? 0} and b.export_type = 'epub' and b.context_id = ${course?.id ?? 0}
    ${course?.readsAsAdmin && course.sectionLimit === null ? sql`` : sql`and b.user_id = ${me.id}`}`;
