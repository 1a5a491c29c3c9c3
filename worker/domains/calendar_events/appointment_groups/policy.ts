// Who manages an appointment group and who may reserve its slots, as SQL over the group's id.

import { type SQL, sql } from 'drizzle-orm';
import { isActiveStaff } from '../../../contexts/predicates';
import { shallow } from '../../../database/shallow';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { asAdmin } from '../administered';
import { isForGroups, isInSet, setOf } from './participants';

type Asking = Pick<Call, 'me'>;

export const appointmentGroupCode = (group: SQL): SQL => sql`('appointment_group_' || ${group})`;

/** Whether the caller teaches or administers a course of the group. The aliases `x`, `e` and `offer` are taken. */
export const managesAppointmentGroup = (
  group: SQL,
  call: Asking,
): SQL => sql`exists (select 1 from appointment_group_contexts x where x.appointment_group_id = ${group} and (
  exists (select 1 from enrollments e where e.user_id = ${shared('user', call.me.id)} and e.course_id = x.course_id and ${isActiveStaff('e')}) or ${asAdmin(sql.raw('x.course_id'), call)}))`;

/** Whether a user is eligible for the group. */
const isEligible = (
  group: SQL,
  user: SQL,
): SQL => sql`exists (select 1 from appointment_groups offer join appointment_group_contexts x on x.appointment_group_id = offer.id
  join enrollments e on e.course_id = x.course_id and e.user_id = ${user} where offer.id = ${group} and offer.workflow_state = 'active' and e.enrollment_state = 'active'
    and (e.type = 'StudentEnrollment' or (offer.allow_observer_signup and e.type = 'ObserverEnrollment'))
    and ${shallow(sql`offer.sub_context_codes = '[]' or (${isForGroups(sql.raw('offer'))} and ${isInSet(sql.raw('offer'), user)}) or exists (select 1 from json_each(offer.sub_context_codes) s where s.value = 'course_section_' || e.course_section_id)`)})`;

/** Whether the holder of a code, a user or a group of the set, is eligible. */
export const isEligibleCode = (group: SQL, code: SQL): SQL => sql`case when substr(${code}, 1, 6) = 'group_'
  then exists (select 1 from appointment_groups offer join groups team on team.group_category_id = ${setOf(sql.raw('offer'))}
    where offer.id = ${group} and offer.workflow_state = 'active' and team.workflow_state = 'available' and team.id = cast(substr(${code}, 7) as integer))
  else ${isEligible(group, sql`cast(substr(${code}, 6) as integer)`)} end`;

/** Whether the caller may reserve a slot of the group. */
export const reserves = (group: SQL, { me }: Asking): SQL => isEligible(group, shared('user', me.id));

/** The appointment group of a slot or reservation, by the given alias of `calendar_events`. */
export const appointmentGroupOf = (event: SQL): SQL => sql`(select cast(substr(slot.context_code, 19) as integer) from calendar_events slot
  where slot.id = case when ${event}.parent_event_id is null then ${event}.id else ${event}.parent_event_id end and substr(slot.context_code, 1, 18) = 'appointment_group_')`;
