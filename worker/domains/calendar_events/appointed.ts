// What the calendar of a course holds of its appointments: slots that the caller manages or may reserve, and what they have reserved.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { codesHeldBy } from '../appointment_groups/participants';
import { manages, reserves } from '../appointment_groups/policy';

const inCourses = (courses: SQL): SQL => sql`appointment_groups g join appointment_group_contexts x on x.appointment_group_id = g.id
  where x.course_id in (${courses}) and g.workflow_state <> 'deleted'`;

/** A select of the codes of slots. */
export const slotCodes = (courses: SQL, call: Pick<Call, 'me'>): SQL =>
  sql`select 'appointment_group_' || g.id as code from ${inCourses(courses)} and (${manages(sql.raw('g.id'), call)} or ${reserves(sql.raw('g.id'), call)})`;

/**
 * A select of the ids of a person's reservations.
 * @param codes whose events are told anyway
 */
export const reservationIds = (courses: SQL, user_id: number, codes: readonly string[]): SQL => sql`
  select r.id from calendar_events s join calendar_events r on r.parent_event_id = s.id
  where s.context_code in (select 'appointment_group_' || g.id from ${inCourses(courses)}) and s.workflow_state <> 'deleted'
    and r.context_code in ${codesHeldBy(user_id)} and r.context_code not in (select value from json_each(${JSON.stringify(codes)}))`;
