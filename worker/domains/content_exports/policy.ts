// Which exports a viewer may see.

import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { thePlace } from '../files/place';
import { content_exports } from './table';

type Around = Pick<Call, 'me' | 'course' | 'group' | 'user'>;

/** Packages contain unpublished content, and questions with their keys. */
export const readsPackages = (course: CourseContext | undefined): boolean =>
  course?.readsAsAdmin === true && course.can('manage_assignments_edit');

/** Users see their own exports of files, and packages as long as they could make one. */
export function visibleExports(call: Around): SQL {
  const { context_type, context_id } = thePlace(call);
  const own = and(eq(content_exports.user_id, call.me.id), eq(content_exports.export_type, 'zip'));
  const packages = readsPackages(call.course) ? inArray(content_exports.export_type, ['common_cartridge', 'qti']) : undefined;
  return and(
    eq(content_exports.context_type, context_type),
    eq(content_exports.context_id, context_id),
    packages ? or(own, packages) : own,
  ) as SQL;
}

/** Deleted 30 days after the request. */
export const hasExpired = (created_at: string, now: string): boolean => Date.parse(created_at) < Date.parse(now) - 30 * 86_400_000;

/** Exports whose files are too old. Kept literal, so that SQLite matches the partial index. */
export const isToExpire = (limit: string): SQL => sql`is_expired = 0 and created_at < ${limit}`;
