// Which contexts and calendars a user may read, as SQL: for lists across courses.

import { type SQL, sql } from 'drizzle-orm';
import { enrollmentsWithState, isShutOut } from '../../contexts/effective_enrollments';
import { isActiveOrPastStaff, isActiveStaff, isStaff } from '../../contexts/predicates';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { unauthenticated, unauthorized } from '../../http/problem';
import { associatedAccounts } from '../accounts/associated';
import { administered, asAdmin, idList } from './administered';
import { managesAppointmentGroup, reserves } from './appointment_groups/policy';

type Asking = Pick<Call, 'me' | 'user' | 'db' | 'now'>;

export const idsIn = (codes: readonly string[], kind: string): number[] =>
  codes.flatMap((code) => {
    const [, type, id] = /^([a-z_]+)_(\d{1,15})$/.exec(code) ?? [];
    return type === kind ? [Number(id)] : [];
  });

/** Ids of the accounts whose calendars are visible to a user who is not their administrator. */
export const visibleCalendars = (user_id: number): SQL =>
  sql`select id from accounts where calendar_visible and workflow_state = 'active' and id in (${associatedAccounts(user_id)})`;

/** A select of the candidate courses that the caller may read: the rules of contexts/course.ts in SQL. */
export const readableCourses = (candidates: SQL, call: Pick<Call, 'me' | 'now'>): SQL => sql`
  select e.course_id from (${enrollmentsWithState(sql`e.user_id = ${shared('user', call.me.id)} and e.course_id in (${candidates})`, call.now)}) e
    where (${isStaff('e')} and e.course_state <> 'deleted' and e.effective not in ('inactive', 'deleted', 'rejected'))
      or (e.course_state in ('available', 'completed') and e.effective not in ('inactive', 'creation_pending', 'deleted', 'rejected') and not ${isShutOut})
  union select c.id from courses c where c.id in (${candidates}) and c.workflow_state = 'available' and (c.is_public or (c.is_public_to_auth_users and ${call.me.isKnown ? 1 : 0}))
  union select c.id from courses c where c.id in (${candidates}) and c.workflow_state <> 'deleted' and ${asAdmin(sql.raw('c.id'), call)}`;

/** A select of the candidate groups that the caller is a member of, or whose course or account they teach or administer. */
export const readableGroups = (candidates: SQL, call: Pick<Call, 'me' | 'now'>): SQL => sql`
  select g.id from groups g where g.id in (${candidates}) and g.workflow_state = 'available' and (
    (exists (select 1 from group_memberships m where m.group_id = g.id and m.user_id = ${shared('user', call.me.id)} and m.workflow_state = 'accepted')
      and (g.context_type = 'Account' or g.context_id in (${readableCourses(sql`select context_id from groups where context_type = 'Course' and id in (${candidates})`, call)})))
    or (g.context_type = 'Course' and ${asAdmin(sql.raw('g.context_id'), call)})
    or (g.context_type = 'Course' and exists (select 1 from enrollments e where e.course_id = g.context_id and e.user_id = ${shared('user', call.me.id)} and ${isActiveStaff('e')})))`;

/** Reads the codes that the caller may not read. */
export function unreadable(codes: readonly string[], call: Asking) {
  const people = [
    ...(call.me.isKnown ? [call.me.id] : []),
    ...(call.user && (call.user.isObservedByMe || call.user.isAdmin) ? [call.user.id] : []),
  ];
  const allowed = sql`
    select 'course_' || course_id as code from (${readableCourses(idList(idsIn(codes, 'course')), call)})
    union all select 'course_section_' || s.id from sections s where s.id in (${idList(idsIn(codes, 'course_section'))})
      and s.course_id in (${readableCourses(sql`select course_id from sections where id in (${idList(idsIn(codes, 'course_section'))})`, call)})
    union all select 'user_' || id from (select value as id from json_each(${JSON.stringify(people)}) union select student_id from observers where observer_id = ${shared('user', call.me.id)})
    union all select 'group_' || id from (${readableGroups(idList(idsIn(codes, 'group')), call)})
    union all select 'account_' || value from json_each(${JSON.stringify(idsIn(codes, 'account'))}) where value in (${administered(call)}) or value in (${visibleCalendars(call.me.id)})`;
  return call.db.build.all<{ code: string }>(
    sql`select asked.value as code from json_each(${JSON.stringify(codes)}) asked where asked.value not in (select code from (${allowed}))
      and not exists (select 1 from appointment_groups g where asked.value = 'appointment_group_' || g.id and g.id in (${idList(idsIn(codes, 'appointment_group'))}) and g.workflow_state <> 'deleted'
        and (${managesAppointmentGroup(sql.raw('g.id'), call)} or ${reserves(sql.raw('g.id'), call)}))`,
  );
}

/** @throws Problem 401 when the caller may not read one of the contexts */
export const refuseUnreadable =
  ({ me }: Pick<Call, 'me'>) =>
  (closed: readonly unknown[]): void => {
    if (closed.length) throw me.isKnown ? unauthorized() : unauthenticated();
  };

/**
 * A select of the context codes whose events a user sees in these contexts: the contexts themselves and, for courses, the user's sections (all
 * sections for staff and administrators).
 * @param courses a select of the course ids among the contexts
 */
export const calendarCodes = (codes: readonly string[], courses: SQL, user_id: number, call: Pick<Call, 'me'>): SQL => sql`
  select value as code from json_each(${JSON.stringify(codes)})
  union select 'course_' || id from courses where id in (${courses})
  union select 'course_section_' || e.course_section_id from enrollments e
    where e.user_id = ${user_id} and e.course_id in (${courses}) and e.enrollment_state in ('active', 'completed', 'invited')
  union select 'course_section_' || s.id from sections s where s.workflow_state = 'active' and s.course_id in (${courses}) and (
    exists (select 1 from enrollments e where e.user_id = ${shared('user', call.me.id)} and e.course_id = s.course_id and ${isActiveOrPastStaff('e')} and not e.limit_privileges_to_course_section)
    or ${asAdmin(sql.raw('s.course_id'), call)})`;

/** A select of the courses among the codes. */
export const coursesByCode = (codes: readonly string[]): SQL => idList(idsIn(codes, 'course'));

/** Whether a section is one of the caller's, or in a course that they teach. */
export const isOwnSection = (section: SQL, { me }: Pick<Call, 'me'>): SQL =>
  sql`exists (select 1 from enrollments e where e.user_id = ${shared('user', me.id)} and e.course_id = ${section}.course_id and e.enrollment_state = 'active'
    and (e.course_section_id = ${section}.id or (${isStaff('e')} and not e.limit_privileges_to_course_section)))`;

/** Whether the caller sees a section event: for their own sections, and in courses that they teach or administer. */
export const isOwnPart = (event: SQL, call: Pick<Call, 'me'>): SQL => {
  const course = sql`cast(substr(${event}.effective_context_code, 8) as integer)`;
  // In `from`, where D1 does not count expression depth.
  return sql`(exists (select 1 from (select 1 from enrollments e where e.user_id = ${shared('user', call.me.id)} and e.course_id = ${course} and e.enrollment_state in ('active', 'completed', 'invited')
      and ('course_section_' || e.course_section_id = ${event}.context_code or (${isStaff('e')} and not e.limit_privileges_to_course_section))))
    or ${asAdmin(course, call)})`;
};
