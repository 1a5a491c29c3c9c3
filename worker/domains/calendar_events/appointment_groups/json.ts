// Appointment groups as clients see them.

import { AppointmentGroup } from '@carrel/shared/resources/appointment_group';
import { sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';
import { withHost } from '../../../html/addresses';
import type { Call } from '../../../http/call';
import { ascending, type RowOf, rows } from '../../../http/listing';
import { embed, serializer } from '../../../http/serializer';
import { calendarEvent } from '../json';
import { startsAt } from '../listing';
import { calendar_events } from '../table';
import { codesHeldBy, participantLimit } from './participants';
import { appointmentGroupCode, managesAppointmentGroup, reserves } from './policy';
import { appointment_groups } from './table';

type GroupRow = RowOf<typeof appointment_groups> & {
  readonly codes: string;
  readonly appointments_count: number;
  readonly participant_count: number;
  readonly is_manager: number;
  readonly may_reserve: number;
  readonly own_times: string;
  readonly has_room: number;
};

const typeOf = ({ sub_context_codes: [first] }: { readonly sub_context_codes: readonly string[] }) =>
  first?.startsWith('group_category_') ? 'Group' : 'User';

const group = sql.raw('appointment_groups.id');
const slots = sql`calendar_events s where s.context_code = ${appointmentGroupCode(group)} and s.workflow_state <> 'deleted'`;
const taken = sql.raw("(select count(*) from calendar_events r where r.parent_event_id = s.id and r.workflow_state <> 'deleted')");

const limit = participantLimit(sql.raw('s'), sql.raw('appointment_groups'));

const computed = (call: Call) => ({
  codes:
    sql<string>`(select json_group_array(json_array('course_' || x.course_id, exists (select 1 from enrollments e where e.user_id = ${shared('user', call.me.id)} and e.course_id = x.course_id and e.enrollment_state = 'active')))
    from appointment_group_contexts x where x.appointment_group_id = ${group})`.as('codes'),
  appointments_count: sql<number>`(select count(*) from ${slots})`.as('appointments_count'),
  participant_count: sql<number>`(select coalesce(sum(${taken}), 0) from ${slots})`.as('participant_count'),
  is_manager: managesAppointmentGroup(group, call).as('is_manager'),
  may_reserve: reserves(group, call).as('may_reserve'),
  own_times:
    sql<string>`(select json_group_array(json_object('id', r.id, 'start_at', r.start_at, 'end_at', r.end_at)) from calendar_events r
    where r.context_code in ${codesHeldBy(call.me.id)} and r.workflow_state <> 'deleted' and r.parent_event_id in (select s.id from ${slots}))`.as(
      'own_times',
    ),
  has_room: sql<number>`exists (select 1 from ${slots} and (${limit} is null or ${taken} < ${limit}))`.as('has_room'),
});

/** The slots that the request adds, by request; returned with the group. */
const batches = new WeakMap<Request, string>();
export function batchOf({ request }: Pick<Call, 'request'>): string {
  const known = batches.get(request);
  if (known) return known;
  const made = crypto.randomUUID();
  batches.set(request, made);
  return made;
}

const telling = (isShown: boolean) =>
  serializer({
    resource: AppointmentGroup,
    table: appointment_groups,
    columns: computed,
    also: (ids, call) => {
      const past =
        call.tree.include_past_appointments === true || call.tree.include_past_appointments === 'true' || call.request.method !== 'GET';
      return {
        appointments:
          isShown || call.include.has('appointments')
            ? embed(
                calendarEvent,
                rows(calendar_events, {
                  where: sql`calendar_events.context_code in (select 'appointment_group_' || own.id from (${ids}) own) and calendar_events.workflow_state <> 'deleted' and (${past ? 1 : 0} or calendar_events.end_at >= ${shared('time', call.now)})`,
                  order: ascending(startsAt, calendar_events.id),
                }),
              )
            : undefined,
      };
    },
    json: (row: GroupRow, call, { appointments }) => {
      const codes = JSON.parse(row.codes) as [string, number][];
      const own = JSON.parse(row.own_times) as { start_at: string }[];
      const isManager = row.is_manager === 1;
      const mine = appointments?.filter((slot) => (slot.row as { context_code: string }).context_code === `appointment_group_${row.id}`);
      const isWrite = call.request.method !== 'GET';
      return {
        ...row,
        description: withHost(row.description, call.origin),
        context_codes: codes.filter(([, isShared]) => isShared || isManager).map(([code]) => code),
        all_context_codes: call.include.has('all_context_codes') && isManager ? codes.map(([code]) => code) : undefined,
        requiring_action: row.may_reserve === 1 && own.length < (row.min_appointments_per_participant ?? 0) && row.has_room === 1,
        participant_type: typeOf(row),
        participant_count: call.include.has('participant_count') ? row.participant_count : undefined,
        reserved_times: call.include.has('reserved_times') ? own.sort((a, b) => a.start_at.localeCompare(b.start_at)) : undefined,
        appointments: mine?.map(({ json }) => json),
        new_appointments: isWrite
          ? (mine ?? [])
              .filter((slot) => (slot.row as { details: { batch?: string } }).details.batch === batchOf(call))
              .map(({ json }) => json)
          : undefined,
        url: `${call.origin}/api/v1/appointment_groups/${row.id}`,
        html_url: `${call.origin}/appointment_groups/${row.id}`,
      };
    },
  });

export const appointmentGroup = telling(false);
/** A single group, with its slots. */
export const shownAppointmentGroup = telling(true);
