// The course audit log: every endpoint, in the order of the API reference.

import { adminMay, chainOf } from '../../contexts/institution';
import { get } from '../../http/endpoint';
import { courseEvent, courseEventCompound, courseEventOf, linkedCourseEvent } from './course_json';
import { auditParams, eventsJson } from './log';
import { course_events as events } from './table';

const result = eventsJson<'account_id' | 'course_id'>({
  events,
  plain: courseEventOf,
  linked: linkedCourseEvent,
  compoundOf: courseEventCompound,
});

export const courseAuditRoutes = [
  get(
    '/audit/course/accounts/:account_id',
    {
      can: 'view_course_changes',
      params: auditParams,
      returns: [courseEvent],
      bookmarked: true,
      summary: 'List course changes in an account',
    },
    // The root account returns the events of the whole institution.
    (call) => result(call, call.account.parent_account_id === null ? undefined : { column: 'account_id', value: call.account.id }),
  ),

  get(
    '/audit/course/courses/:course_id',
    {
      can: ({ course, me, institution }) =>
        course !== undefined && adminMay('view_course_changes', me, chainOf(course.account_id, institution), institution),
      deletedToo: true,
      params: auditParams,
      returns: [courseEvent],
      bookmarked: true,
      summary: 'List changes of a course',
    },
    (call) => result(call, { column: 'course_id', value: call.course.id }),
  ),
];
