// How a domain declares a kind of the feed, in `synced.ts` beside its table: with the same serializers and conditions as REST, so that both always
// agree. The writes that change the kind are declared in `change_sources.ts`, which the scripts that install triggers import without serializers.

import type { Kind } from '@carrel/shared/sync/protocol';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../contexts/course';
import type { GroupContext } from '../contexts/group';
import type { Call } from '../http/call';
import type { Listing } from '../http/listing';
import type { AnySerializer } from '../http/serializer';

export interface SyncedKind {
  readonly kind: Kind;
  readonly serializer: AnySerializer;
  /** Includes that the feed uses. */
  readonly include?: readonly string[];
  /** In a course whose students' work the caller grades; the same as elsewhere by default. */
  readonly graded?: { readonly serializer?: AnySerializer; readonly include: readonly string[] };
  /** SQL for the course of an item, or its group as a negative number; null for the caller's own. Absent where the scope of each change names it. */
  readonly home?: (item: string) => string;
  /** The rows visible to the caller in the course or group, or the caller's own. Undefined for kinds that do not exist there. */
  listing(call: Call): Listing | undefined;
}

export const homeByCourse = (table: string) => (item: string) => `(select course_id from ${table} where id = ${item})`;
export const homeByContext = (table: string) => (item: string) =>
  `(select case ${table}.context_type when 'Course' then ${table}.context_id when 'Group' then -${table}.context_id end from ${table} where id = ${item})`;

export const listedInCourse =
  (listing: (course: CourseContext, call: Call) => Listing) =>
  (call: Call): Listing | undefined =>
    call.course && listing(call.course, call);

export const listedInGroup =
  (listing: (group: GroupContext) => Listing) =>
  ({ group }: Call): Listing | undefined =>
    group && listing(group);

/** In courses and groups, but not among the caller's own items. */
export const listedInCourseOrGroup =
  (listing: (call: Call) => Listing) =>
  (call: Call): Listing | undefined =>
    call.group || call.course ? listing(call) : undefined;

/** A computed column: whether lists include the row. Rows that they omit are sent as withheld. */
export const isListed = (condition: SQL | undefined) => ({ is_listed: sql<number>`${condition ?? sql`1`}`.as('is_listed') });
