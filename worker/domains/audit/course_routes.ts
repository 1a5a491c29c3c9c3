// What has become of courses: every endpoint, in the order of the API reference.

import { optional, text, time } from '@carrel/shared/wire/fields';
import { and, eq, gte, lte, type SQL } from 'drizzle-orm';
import { adminMay, chainOf } from '../../contexts/institution';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import type { Reply } from '../../http/reply';
import { compoundOf, courseEvent, linkedCourseEvent } from './course_json';
import { course_events as events } from './table';

const params = { start_time: optional(time), end_time: optional(time), format: optional(text) };

/** Newest first; a bare list, or the compound object for those who ask for it. */
function told(
  { params, origin, request }: Pick<Call, 'origin' | 'request'> & { params: { start_time?: string; end_time?: string; format?: string } },
  whose: SQL | undefined,
): Reply {
  const isCompound = params.format === 'compound' || (request.headers.get('accept')?.includes('application/vnd.api+json') ?? false);
  const listing = rows(events, {
    where: and(
      whose,
      params.start_time ? gte(events.created_at, params.start_time) : undefined,
      params.end_time ? lte(events.created_at, params.end_time) : undefined,
    ),
    order: descending(events.created_at, events.id),
  });
  return { kind: 'list', listing, ...(isCompound && { of: linkedCourseEvent, wrap: compoundOf(origin) }) };
}

export const courseAuditRoutes = [
  get(
    '/audit/course/accounts/:account_id',
    { can: 'view_course_changes', params, returns: [courseEvent], summary: 'List changes to the courses of an account' },
    // The root account answers for the whole institution.
    (call) => told(call, call.account.parent_account_id === null ? undefined : eq(events.account_id, call.account.id)),
  ),

  get(
    '/audit/course/courses/:course_id',
    {
      can: ({ course, me, institution }) =>
        course !== undefined && adminMay('view_course_changes', me, chainOf(course.account_id, institution), institution),
      deletedToo: true,
      params,
      returns: [courseEvent],
      summary: 'List changes to a course',
    },
    (call) => told(call, eq(events.course_id, call.course.id)),
  ),
];
