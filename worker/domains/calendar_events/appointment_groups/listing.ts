// Lists of appointment groups, and the registration filter of their participants.

import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { ascending, rows } from '../../../http/listing';
import { startAfter } from '../../../http/page';
import { idsIn } from '../readable_contexts';
import { appointment_groups } from './table';

/** Courses of a scope: those the caller is enrolled in or, for managers, those they administer. */
function placesOf(scope: Scope, { me }: Call): SQL {
  const own = sql`select e.course_id as id from enrollments e where e.user_id = ${shared('user', me.id)} and e.enrollment_state = 'active'`;
  if (scope !== 'manageable' || me.adminLinks.length === 0) return sql`select distinct id from (${own})`;
  const links = sql`select value from json_each(${JSON.stringify(me.adminLinks.map((link) => link.account_id))})`;
  return sql`${own} union select course_id from account_courses where account_id in (${links})`;
}

type Scope = 'reservable' | 'manageable';

/** The groups of a scope, walked by course and only as far as the page needs; for administrators of the institution, walked by group. */
export function appointmentGroupsOf(scope: Scope, chosen: SQL, codes: readonly string[] | undefined, call: Call) {
  const { me, page: asked, institution } = call;
  const most = asked.per_page * (asked.number ?? 1) + 1;
  const after = startAfter(asked, 1)?.[0] ?? 0;
  const named = codes?.length ? sql` and place.id in (select value from json_each(${JSON.stringify(idsIn(codes, 'course'))}))` : sql``;
  const first = sql`select x.appointment_group_id from appointment_group_contexts x join appointment_groups g on g.id = x.appointment_group_id
    where x.course_id = place.id and g.workflow_state <> 'deleted' and ${chosen} and x.appointment_group_id > ${after}
    order by x.appointment_group_id limit ${atMost(most)}`;
  const byCourse = sql`select near.value from (${placesOf(scope, call)}) place, json_each((select json_group_array(appointment_group_id) from (${first}))) near where 1${named}`;
  const along = sql`select g.id from appointment_groups g where g.workflow_state <> 'deleted' and ${chosen} and g.id > ${after} order by g.id limit ${atMost(most)}`;
  const isEverywhere = scope === 'manageable' && !codes?.length && me.adminLinks.some((link) => link.account_id === institution.root.id);
  return rows(appointment_groups, {
    where: sql`appointment_groups.id in (${isEverywhere ? along : byCourse})`,
    order: ascending(appointment_groups.id),
  });
}

type Registration = 'all' | 'registered' | 'unregistered';

/** A condition on the participant's code: has, or has not, a reservation in the group. */
export function registrationIn(id: number, status: Registration | undefined, code: SQL): SQL {
  const registered = sql`exists (select 1 from calendar_events r join calendar_events s on s.id = r.parent_event_id where r.context_code = ${code} and r.workflow_state <> 'deleted' and s.context_code = ${`appointment_group_${id}`})`;
  if (status === 'registered') return sql` and ${registered}`;
  return status === 'unregistered' ? sql` and not ${registered}` : sql``;
}
