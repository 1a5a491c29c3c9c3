// Appointment groups: every endpoint, in the order of the API reference.

import { bool, choice, int, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { isActiveStaff } from '../../../contexts/predicates';
import { shared } from '../../../database/shared';
import { storableHtml } from '../../../html/kept';
import type { Call } from '../../../http/call';
import { del, get, post, put } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { badParameter, found, unauthorized } from '../../../http/problem';
import { all, judged, list, one, type Reply, write } from '../../../http/reply';
import { group } from '../../groups/json';
import { groups } from '../../groups/table';
import { user } from '../../users/json';
import { users } from '../../users/table';
import { asAdmin } from '../administered';
import { calendarEvent } from '../json';
import { startsAt } from '../listing';
import { idsIn } from '../readable_contexts';
import { calendar_events } from '../table';
import { addSlots, appointmentGroupFields, coursesGiven, limitsOf, type Slot, slotsGiven } from './group_rows';
import { appointmentGroup, shownAppointmentGroup } from './json';
import { appointmentGroupsOf, registrationIn } from './listing';
import { codesHeldBy, isForGroups, setOf } from './participants';
import { managesAppointmentGroup, reserves } from './policy';
import { appointment_group_contexts, appointment_groups } from './table';

export const about = { title: 'Appointment groups', description: 'Time slots that students or groups can reserve.' };

const include = ['appointments', 'child_events', 'participant_count', 'reserved_times', 'all_context_codes'] as const;

/** Responds only when the caller manages the group or may reserve in it; otherwise 401. */
const seen = (id: number, call: Call, then: Reply): Reply =>
  judged(
    call.db.build.all<{ allowed: number }>(
      sql`select (${managesAppointmentGroup(sql.raw('g.id'), call)} or ${reserves(sql.raw('g.id'), call)}) as allowed from appointment_groups g where g.id = ${id} and g.workflow_state <> 'deleted'`,
    ),
    (states) => {
      if (!found((states as { allowed: number }[])[0]).allowed) throw unauthorized();
    },
    then,
  );

/** Loads a group that the caller manages, with its slots. */
async function managed(id: number, call: Call) {
  const { build } = call.db;
  const [[row], slots] = await call.db.perform([
    build
      .select({
        is_manager: managesAppointmentGroup(sql.raw('appointment_groups.id'), call).as('is_manager'),
        workflow_state: appointment_groups.workflow_state,
        sub_context_codes: appointment_groups.sub_context_codes,
      })
      .from(appointment_groups)
      .where(and(eq(appointment_groups.id, id), ne(appointment_groups.workflow_state, 'deleted'))),
    build
      .select({ start_at: calendar_events.start_at, end_at: calendar_events.end_at })
      .from(calendar_events)
      .where(sql`context_code = ${`appointment_group_${id}`} and workflow_state <> 'deleted'`),
  ]);
  if (!found(row).is_manager) throw unauthorized();
  return { row: found(row), slots: slots as Slot[] };
}

const visibility = (given: string | undefined) => {
  if (given === undefined || given === 'private' || given === 'protected') return given;
  throw badParameter('appointment_group[participant_visibility]', 'is not private or protected');
};
const titleOf = (given: string | undefined) => {
  if (given !== undefined && given.length > 255) throw badParameter('appointment_group[title]', 'is too long');
  return given;
};

/** Ids of the live slots of an appointment group. */
const slotsOf = (id: number): SQL =>
  sql`select s.id from calendar_events s where s.context_code = ${`appointment_group_${id}`} and s.workflow_state <> 'deleted'`;

export const appointmentGroupRoutes = [
  get(
    '/appointment_groups',
    {
      can: 'user',
      include,
      params: {
        scope: choice('reservable', 'manageable'),
        context_codes: optional(listOf(referenceTo('context'))),
        include_past_appointments: optional(bool),
      },
      returns: [appointmentGroup],
      summary: 'List appointment groups',
    },
    (call) => {
      const { scope, context_codes, include_past_appointments } = call.params;
      const isCurrent = include_past_appointments ? sql`1` : sql`g.end_at >= ${call.now}`;
      const chosen =
        scope === 'manageable'
          ? sql`(g.end_at is null or ${isCurrent}) and ${managesAppointmentGroup(sql.raw('g.id'), call)}`
          : sql`${isCurrent} and ${reserves(sql.raw('g.id'), call)}`;
      return list(appointmentGroupsOf(scope ?? 'reservable', chosen, context_codes, call));
    },
  ),

  post(
    '/appointment_groups',
    {
      can: 'user',
      params: appointmentGroupFields,
      include,
      returns: shownAppointmentGroup,
      status: 201,
      summary: 'Create an appointment group',
    },
    async (call) => {
      const { db, now } = call;
      const given = call.params.appointment_group ?? {};
      const slots = slotsGiven(given.new_appointments, []);
      const limits = limitsOf(given);
      const subCodes = given.sub_context_codes ?? [];
      const participant_visibility = visibility(given.participant_visibility);
      const title = titleOf(given.title) || 'Appointments';
      const places = await coursesGiven(given.context_codes ?? [], subCodes, call);
      const made = sql`select max(id) from appointment_groups`;
      return write(
        [
          db.build.insert(appointment_groups).values({
            title,
            description: storableHtml(given.description, call),
            location_name: given.location_name,
            location_address: given.location_address,
            ...limits,
            participant_visibility,
            allow_observer_signup: given.allow_observer_signup ?? false,
            sub_context_codes: subCodes,
            workflow_state: given.publish ? 'active' : 'pending',
            created_at: now,
            updated_at: now,
          }),
          db.build.run(
            sql`insert into appointment_group_contexts (appointment_group_id, course_id) select (${made}), value from json_each(${JSON.stringify(places)})`,
          ),
          ...addSlots(slots, made, call),
        ],
        one(rows(appointment_groups, { where: sql`${appointment_groups.id} = (${made})` })),
      );
    },
  ),

  get(
    '/appointment_groups/next_appointment',
    {
      can: 'user',
      params: { appointment_group_ids: optional(listOf(int)) },
      returns: [calendarEvent],
      summary: "Get the caller's next appointment",
    },
    (call) => {
      const { me, now } = call;
      const codes = JSON.stringify((call.params.appointment_group_ids ?? []).map((id) => `appointment_group_${id}`));
      return all(
        rows(calendar_events, {
          where: sql`calendar_events.context_code in ${codesHeldBy(me.id)} and calendar_events.workflow_state <> 'deleted' and coalesce(calendar_events.start_at, '') > ${shared('time', now)}
            and exists (select 1 from calendar_events s where s.id = calendar_events.parent_event_id and substr(s.context_code, 1, 18) = 'appointment_group_'
              and (${codes} = '[]' or s.context_code in (select value from json_each(${codes}))))`,
          order: ascending(startsAt, calendar_events.id),
          limit: 1,
        }),
      );
    },
  ),

  get('/appointment_groups/:id', { can: 'user', include, returns: shownAppointmentGroup, summary: 'Get an appointment group' }, (call) =>
    seen(call.id, call, one(rows(appointment_groups, { where: eq(appointment_groups.id, call.id) }))),
  ),

  put(
    '/appointment_groups/:id',
    { can: 'user', params: appointmentGroupFields, include, returns: shownAppointmentGroup, summary: 'Update an appointment group' },
    async (call) => {
      const { db, now } = call;
      const { id } = call;
      const given = call.params.appointment_group ?? {};
      const { row, slots } = await managed(id, call);
      const added = slotsGiven(given.new_appointments, slots);
      const result = {
        title: titleOf(given.title) || undefined,
        description: storableHtml(given.description, call),
        location_name: given.location_name,
        location_address: given.location_address,
        updated_at: now,
      };
      // A manager can add contexts; existing contexts are never removed.
      const more = row.sub_context_codes[0]?.startsWith('group_category_') ? [] : idsIn(given.context_codes ?? [], 'course');
      return write(
        [
          db.build
            .update(appointment_groups)
            .set({
              ...result,
              ...limitsOf(given),
              participant_visibility: visibility(given.participant_visibility),
              allow_observer_signup: given.allow_observer_signup,
              workflow_state: given.publish ? 'active' : row.workflow_state,
            })
            .where(eq(appointment_groups.id, id)),
          db.build
            .update(calendar_events)
            .set(result)
            .where(
              sql`workflow_state <> 'deleted' and id in (${slotsOf(id)} union all select r.id from calendar_events r where r.parent_event_id in (${slotsOf(id)}))`,
            ),
          db.build.insert(appointment_group_contexts).select(
            sql`select null, ${id}, c.id, '' from courses c where c.id in (select value from json_each(${JSON.stringify(more)})) and c.workflow_state <> 'deleted'
              and (exists (select 1 from enrollments e where e.user_id = ${shared('user', call.me.id)} and e.course_id = c.id and ${isActiveStaff('e')}) or ${asAdmin(sql.raw('c.id'), call)})
              and c.id not in (select x.course_id from appointment_group_contexts x where x.appointment_group_id = ${id})`,
          ),
          ...addSlots(added, sql`select ${id}`, call),
        ],
        one(rows(appointment_groups, { where: eq(appointment_groups.id, id) })),
      );
    },
  ),

  del(
    '/appointment_groups/:id',
    { can: 'user', params: { cancel_reason: optional(text) }, include, returns: appointmentGroup, summary: 'Delete an appointment group' },
    async (call) => {
      const { id } = call;
      await managed(id, call);
      const gone = { workflow_state: 'deleted', updated_at: call.now } as const;
      return write(
        [
          call.db.build.update(appointment_groups).set(gone).where(eq(appointment_groups.id, id)),
          call.db.build
            .update(calendar_events)
            .set(gone)
            .where(sql`workflow_state <> 'deleted' and parent_event_id in (${slotsOf(id)})`),
          call.db.build
            .update(calendar_events)
            .set(gone)
            .where(sql`workflow_state <> 'deleted' and context_code = ${`appointment_group_${id}`}`),
        ],
        one(rows(appointment_groups, { where: eq(appointment_groups.id, id) })),
      );
    },
  ),

  get(
    '/appointment_groups/:id/users',
    {
      can: 'user',
      params: { registration_status: choice('all', 'registered', 'unregistered') },
      returns: [user],
      summary: 'List the users that an appointment group is for',
    },
    (call) => {
      const { id, params } = call;
      const chosen = registrationIn(id, params.registration_status, sql`'user_' || users.id`);
      const invited = sql`select e.user_id from appointment_groups g join appointment_group_contexts x on x.appointment_group_id = g.id join enrollments e on e.course_id = x.course_id
        where g.id = ${id} and not ${isForGroups(sql.raw('g'))} and e.enrollment_state = 'active' and (e.type = 'StudentEnrollment' or (g.allow_observer_signup and e.type = 'ObserverEnrollment'))
          and (g.sub_context_codes = '[]' or exists (select 1 from json_each(g.sub_context_codes) part where part.value = 'course_section_' || e.course_section_id))`;
      return seen(
        id,
        call,
        list(rows(users, { where: sql`users.id in (${invited})${chosen}`, order: ascending(users.sort_name, users.id) })),
      );
    },
  ),

  get(
    '/appointment_groups/:id/groups',
    {
      can: 'user',
      params: { registration_status: choice('all', 'registered', 'unregistered') },
      returns: [group],
      summary: 'List the student groups that an appointment group is for',
    },
    (call) => {
      const { id, params } = call;
      const chosen = registrationIn(id, params.registration_status, sql`'group_' || groups.id`);
      const offered = sql`groups.workflow_state = 'available' and groups.group_category_id = (select ${setOf(sql.raw('g'))} from appointment_groups g where g.id = ${id})`;
      return seen(id, call, list(rows(groups, { where: sql`${offered}${chosen}`, order: ascending(groups.name, groups.id) })));
    },
  ),
];
