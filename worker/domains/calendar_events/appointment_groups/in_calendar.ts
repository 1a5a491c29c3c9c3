// Appointments in a course calendar: slots that the caller manages or may reserve, and the caller's reservations.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import { codesHeldBy } from './participants';
import { managesAppointmentGroup, reserves } from './policy';

/**
 * A select of slot codes. Its cost depends on the open appointment groups of a course, not on their slots.
 * @param from exclude slots before this time; '' includes all
 */
export const slotCodes = (courses: SQL, from: string, call: Pick<Call, 'me'>): SQL =>
  sql`select 'appointment_group_' || here.appointment_group_id as code from appointment_group_contexts here
    where here.course_id in (${courses}) and here.ends_at >= ${from} and here.ends_at > ''
      and (${managesAppointmentGroup(sql.raw('here.appointment_group_id'), call)} or ${reserves(sql.raw('here.appointment_group_id'), call)})`;

/**
 * A select of the ids of a user's reservations.
 * @param codes contexts whose events are listed anyway
 */
export const reservationIds = (courses: SQL, user_id: number, codes: readonly string[]): SQL => sql`
  select r.id from ${codesHeldBy(user_id)} held cross join calendar_events r on r.context_code = held.code and r.parent_event_id is not null and r.workflow_state <> 'deleted'
  where held.code not in (select value from json_each(${JSON.stringify(codes)})) and exists (
    select 1 from calendar_events s cross join appointment_groups g cross join appointment_group_contexts x
    where s.id = r.parent_event_id and substr(s.context_code, 1, 18) = 'appointment_group_' and g.id = cast(substr(s.context_code, 19) as integer) and g.workflow_state <> 'deleted'
      and x.appointment_group_id = g.id and x.course_id in (${courses}))`;
