// Calendar events as clients see them, with the section events of a course event.

import { CalendarEvent } from '@carrel/shared/resources/calendar_event';
import { cut } from '@carrel/shared/resources/resource';
import { UserDisplay } from '@carrel/shared/resources/user_display';
import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { underCode, verifiersIn } from '../../rules/file_verifiers';
import { userDisplay } from '../users/display';
import { users } from '../users/table';
import { codesHeldBy, groupCodeIn, isForGroups, participantLimit } from './appointment_groups/participants';
import { appointmentGroupOf, managesAppointmentGroup, reserves } from './appointment_groups/policy';
import { isOwnPart } from './readable_contexts';
import { inWords } from './series/rule';
import { calendar_events } from './table';

type EventRow = RowOf<typeof calendar_events>;
/** An event row with the columns that the serializer needs. */
export type ToldEvent = EventRow & {
  readonly file_verifiers?: string | null;
  readonly context_name: string | null;
  readonly child_events_count: number;
  readonly parts: string;
  readonly appointment?: string | null;
};

/** The name of the course in the current row, or the caller's nickname for it. @param alias of `courses` in the statement */
export const courseNameIn = (alias: string, { me }: Pick<Call, 'me'>): SQL => {
  const course = sql.raw(alias);
  return sql`coalesce((select n.nickname from course_nicknames n where n.user_id = ${shared('user', me.id)} and n.course_id = ${course}.id), ${course}.friendly_name, ${course}.name)`;
};

/** The same for a course by its id. */
export const courseNameSql = (id: SQL, call: Pick<Call, 'me'>): SQL =>
  sql`(select ${courseNameIn('known', call)} from courses known where known.id = ${id})`;

const idAfter = (prefix: string) => sql.raw(`cast(substr(context_code, ${prefix.length + 1}) as integer)`);

/** The name of the context of the current row, by its code. */
const contextName = (call: Pick<Call, 'me'>): SQL => sql`case
    when substr(context_code, 1, 15) = 'course_section_' then (select s.name from sections s where s.id = ${idAfter('course_section_')})
    when substr(context_code, 1, 7) = 'course_' then ${courseNameSql(idAfter('course_'), call)}
    when substr(context_code, 1, 5) = 'user_' then (select u.name from users u where u.id = ${idAfter('user_')})
    when substr(context_code, 1, 6) = 'group_' then (select g.name from groups g where g.id = ${idAfter('group_')})
    when substr(context_code, 1, 18) = 'appointment_group_' then ${courseNameSql(sql`(select min(x.course_id) from appointment_group_contexts x where x.appointment_group_id = ${idAfter('appointment_group_')})`, call)}
    when substr(context_code, 1, 8) = 'account_' then (select a.name from accounts a where a.id = ${idAfter('account_')}) end`;

const columns = Object.entries(getTableColumns(calendar_events));

/** The section events that the caller may see, as JSON inside the row: most events have none, and this avoids a second read. */
const parts = (call: Call): SQL => {
  const cells = columns.map(([name]) => `child.${name}`).join(', ');
  return sql`(select json_group_array(json_array(${sql.raw(cells)}, case when substr(child.context_code, 1, 5) = 'user_' then (select u.name from users u where u.id = cast(substr(child.context_code, 6) as integer))
      when substr(child.context_code, 1, 6) = 'group_' then (select t.name from groups t where t.id = cast(substr(child.context_code, 7) as integer))
      else (select s.name from sections s where s.id = cast(substr(child.context_code, 16) as integer)) end))
    from (select * from calendar_events child where child.parent_event_id = calendar_events.id and child.workflow_state <> 'deleted' and case when substr(child.context_code, 1, 15) <> 'course_section_' then child.context_code in ${codesHeldBy(call.me.id)} or exists (select 1 from (select 1 from appointment_groups g where g.id = ${appointmentGroupOf(sql.raw('child'))} and (${managesAppointmentGroup(sql.raw('g.id'), call)} or (g.participant_visibility = 'protected' and ${reserves(sql.raw('g.id'), call)}))))
      else ${isOwnPart(sql.raw('child'), call)} end) child)`;
};

interface Appointment {
  readonly id: number;
  readonly codes: string;
  readonly manages: number;
  readonly reserves: number;
  readonly most: number | null;
  readonly taken: number;
  readonly own: number;
  readonly comments: string | null;
  /** When groups reserve: the code of the caller's group, or `none`. */
  readonly group_code: string | null;
  /** The codes that hold the caller's reservations. */
  readonly held: string;
}

/** For slots and reservations: the appointment group, and how full the slot is. Other events read nothing. */
const appointment = (
  call: Call,
): SQL => sql`case when substr(calendar_events.context_code, 1, 18) = 'appointment_group_' or (calendar_events.parent_event_id is not null and substr(calendar_events.context_code, 1, 15) <> 'course_section_') then
  (select json_object('id', g.id, 'codes', (select group_concat('course_' || x.course_id) from appointment_group_contexts x where x.appointment_group_id = g.id), 'manages', ${managesAppointmentGroup(sql.raw('g.id'), call)}, 'reserves', ${reserves(sql.raw('g.id'), call)}, 'most', ${participantLimit(sql.raw('calendar_events'), sql.raw('g'))},
    'group_code', case when ${isForGroups(sql.raw('g'))} then coalesce(${groupCodeIn(sql.raw('g'), call.me.id)}, 'none') end, 'held', (select json_group_array(code) from ${codesHeldBy(call.me.id)}),
    'taken', (select count(*) from calendar_events r where r.parent_event_id = calendar_events.id and r.workflow_state <> 'deleted'),
    'own', (select count(*) from calendar_events r where r.parent_event_id = calendar_events.id and r.workflow_state <> 'deleted' and r.context_code in ${codesHeldBy(call.me.id)}),
    'comments', (select r.comments from calendar_events r where r.parent_event_id = calendar_events.id and r.workflow_state <> 'deleted' and r.context_code in ${codesHeldBy(call.me.id)}))
  from appointment_groups g where g.id = ${appointmentGroupOf(sql.raw('calendar_events'))}) end`;

/** The participant of a reservation: users are visible only to managers, groups to everyone who sees the reservation. */
function participantOf(row: ToldEvent, { group_code, manages: isManager }: Appointment) {
  const id = Number(row.context_code.slice(group_code === null ? 5 : 6));
  if (group_code !== null) return { group: { id, name: row.context_name ?? '' } };
  return { user: isManager ? { id, display_name: row.context_name ?? '' } : undefined };
}

const ofAppointment = (row: ToldEvent, result: Appointment, call: Call) => {
  const isSlot = row.parent_event_id === null;
  const held = (typeof result.held === 'string' ? JSON.parse(result.held) : result.held) as readonly string[];
  const participant = result.group_code === null ? call.me.id : result.group_code.slice(6);
  return {
    effective_context_code: result.codes,
    all_context_codes: result.codes,
    hidden: false,
    appointment_group_id: result.id,
    appointment_group_url: `${call.origin}/api/v1/appointment_groups/${result.id}`,
    can_manage_appointment_group: result.manages === 1,
    participant_type: result.group_code === null ? 'User' : 'Group',
    own_reservation: held.includes(row.context_code) || undefined,
    ...(!isSlot && participantOf(row, result)),
    ...(isSlot && {
      reserve_url: `${call.origin}/api/v1/calendar_events/${row.id}/reservations/${result.manages ? '{{ id }}' : participant}`,
      reserved: result.reserves ? result.own > 0 : undefined,
      reserve_comments: result.own > 0 ? (result.comments ?? undefined) : undefined,
      participants_per_appointment: result.most ?? undefined,
      available_slots: result.most === null ? undefined : Math.max(0, result.most - result.taken),
    }),
  };
};

function partsIn(cells: string): ToldEvent[] {
  return (JSON.parse(cells) as unknown[][])
    .map((values) => ({
      ...(Object.fromEntries(
        columns.map(([name, column], at) => [name, values[at] === null ? null : column.mapFromDriverValue(values[at])]),
      ) as EventRow),
      context_name: values[columns.length] as string | null,
      child_events_count: 0,
      parts: '[]',
    }))
    .sort((a, b) => (a.start_at ?? '').localeCompare(b.start_at ?? '') || a.id - b.id);
}

const computed = (call: Call) => ({
  context_name: contextName(call).as('context_name'),
  child_events_count:
    sql`(select count(*) from calendar_events child where child.parent_event_id = calendar_events.id and child.workflow_state <> 'deleted')`.as(
      'child_events_count',
    ),
  parts: parts(call).as('parts'),
  file_verifiers: verifiersIn(
    sql.raw('calendar_events.description'),
    underCode(sql.raw('coalesce(calendar_events.effective_context_code, calendar_events.context_code)')),
  ).as('file_verifiers'),
  appointment: appointment(call).as('appointment'),
});

/** The caller's custom colour of a context. */
export const colorOf = (code: string, { me }: Pick<Call, 'me'>): string | null =>
  lookUp(me.user.settings.custom_colors as Record<string, string> | undefined, code) ?? null;

const excludes = ({ tree }: Pick<Call, 'tree'>, word: string) => [tree.excludes].flat().includes(word);

function eventJson(row: ToldEvent, call: Call) {
  const context = row.effective_context_code ?? row.context_code;
  return {
    ...row,
    type: 'event',
    description: excludes(call, 'description') ? undefined : withHost(row.description, call.origin, row.file_verifiers),
    ...(!call.me.isKnown && { location_name: undefined, location_address: undefined }),
    context_name: row.context_name ?? '',
    context_color: colorOf(context, call),
    all_context_codes: context,
    hidden: row.child_events_count > 0,
    child_events: [],
    duplicates: [],
    series_natural_language:
      call.include.has('series_natural_language') || (row.rrule && call.request.method !== 'GET') ? inWords(row.rrule) : undefined,
    web_conference: call.include.has('web_conference') ? null : undefined,
    url: `${call.origin}/api/v1/calendar_events/${row.id}`,
    html_url: `${call.origin}/calendar?event_id=${row.id}&include_contexts=${context}`,
    ...(row.appointment ? ofAppointment(row, JSON.parse(row.appointment) as Appointment, call) : {}),
  };
}

/** A duplicate inside the JSON of the original event. */
const innerEvent = serializer({ resource: CalendarEvent, table: calendar_events, columns: computed, json: eventJson });

type Made = { readonly calendar_event?: { readonly rrule?: string | null; readonly duplicate?: { readonly count?: number } } };

/** @param isNew whether this request created the event, possibly followed by others of its series or its duplicates */
const telling = (isNew: boolean) =>
  serializer({
    resource: CalendarEvent,
    table: calendar_events,
    columns: computed,
    also: (ids, call) => {
      const { rrule, duplicate } = (call.params as Made).calendar_event ?? {};
      const first = sql`(select max(id) from (${ids}))`;
      const further = rrule
        ? sql`calendar_events.series_uuid = (select o.series_uuid from calendar_events o where o.id = ${first})`
        : sql`calendar_events.id <= ${first} + ${duplicate?.count ?? 0}`;
      const where = sql`calendar_events.id > ${first} and ${further}`;
      return { copies: isNew && (rrule || duplicate?.count) ? embed(innerEvent, rows(calendar_events, { where })) : undefined };
    },
    json: (row: ToldEvent, call, { copies }) => ({
      ...eventJson(row, call),
      child_events: excludes(call, 'child_events')
        ? undefined
        : partsIn(row.parts).map((part) => cut(CalendarEvent, eventJson({ ...part, appointment: row.appointment }, call))),
      ...(copies && { duplicates: copies.map(({ json }) => ({ calendar_event: json })) }),
    }),
  });

export const calendarEvent = telling(false);
/** An event in the response to its creation, with any duplicates. */
export const newEvent = telling(true);

/** A participant of a slot. */
export const appointmentParticipant = serializer({
  resource: UserDisplay,
  table: users,
  json: (row: RowOf<typeof users>, call) => userDisplay(row, call.origin),
});
