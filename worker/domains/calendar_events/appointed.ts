// What the calendar of a course holds of its appointments: slots that the caller manages or may reserve, and what they have reserved.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { codesHeldBy } from '../appointment_groups/participants';
import { manages, reserves } from '../appointment_groups/policy';

const inCourses = (courses: SQL): SQL => sql`appointment_groups g join appointment_group_contexts x on x.appointment_group_id = g.id
  where x.course_id in (${courses}) and g.workflow_state <> 'deleted'`;

/** A select of the codes of slots. It grows with the appointment groups of a course, of which there are some, and not with their slots. */
export const slotCodes = (courses: SQL, call: Pick<Call, 'me'>): SQL =>
  sql`select 'appointment_group_' || g.id as code from ${inCourses(courses)} and (${manages(sql.raw('g.id'), call)} or ${reserves(sql.raw('g.id'), call)})`;

/**
 * A select of the ids of a person's reservations.
 * @param codes whose events are told anyway
 */
export const reservationIds = (courses: SQL, user_id: number, codes: readonly string[]): SQL => sql`
  select r.id from ${codesHeldBy(user_id)} held cross join calendar_events r on r.context_code = held.code and r.parent_event_id is not null and r.workflow_state <> 'deleted'
  where held.code not in (select value from json_each(${JSON.stringify(codes)})) and exists (
    select 1 from calendar_events s join ${inCourses(courses)} and s.context_code = 'appointment_group_' || g.id and s.id = r.parent_event_id)`;
