// Reserves and cancels slots of appointment groups. The reserving statement itself checks capacity, so overbooking is impossible.

import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { notFound, Problem, problem } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { planListing } from '../../../http/serializer';
import { calendarEvent } from '../json';
import { calendar_events } from '../table';
import { groupCodeIn, isForGroups, participantLimit } from './participants';
import { isEligibleCode, managesAppointmentGroup, reserves } from './policy';

interface Given {
  /** A user, or a group when groups reserve; defaults to the caller or their group. */
  readonly participant?: number;
  readonly comments?: string | null;
  readonly cancel_existing?: boolean;
}

interface State {
  readonly group_id: number;
  /** The context code for the reservation; null for a user in no group of the set. */
  readonly code: string | null;
  readonly own_code: string | null;
  readonly ends: string;
  readonly is_manager: number;
  readonly may_reserve: number;
  readonly is_eligible: number;
  readonly most_each: number | null;
  readonly own: number;
  readonly own_here: number;
  readonly has_room: number;
}

const live = (name: string) => sql.raw(`${name}.workflow_state <> 'deleted'`);
const taken = sql`(select count(*) from calendar_events r where r.parent_event_id = s.id and ${live('r')})`;
const ownIn = (code: SQL, slots: SQL) =>
  sql`(select count(*) from calendar_events r where r.context_code = ${code} and ${live('r')} and r.parent_event_id in (${slots}))`;
const slotsBeside = sql`select o.id from calendar_events o where o.context_code = s.context_code and o.workflow_state <> 'deleted'`;
const room = participantLimit(sql.raw('s'), sql.raw('g'));
const hasRoom = sql`(${room} is null or ${taken} < ${room})`;

/** The context code of a reservation by the given participant, or the caller. */
function codeFor(participant: number | undefined, { me }: Pick<Call, 'me'>): SQL {
  const offer = sql.raw('g');
  return participant === undefined
    ? sql`case when ${isForGroups(offer)} then ${groupCodeIn(offer, me.id)} else ${`user_${me.id}`} end`
    : sql`case when ${isForGroups(offer)} then ${`group_${participant}`} else ${`user_${participant}`} end`;
}

const past = () => problem(403, 'Cannot create or change reservation for past appointment');

type Refusal = (message: string) => Problem;

/** Reads the slot and its participant in one round trip. A refusal lists the participant's reservations in the group. */
async function readSlot(id: number, participant: number | undefined, call: Call) {
  const { db } = call;
  const slot = sql`calendar_events s join appointment_groups g on s.context_code = 'appointment_group_' || g.id where s.id = ${id} and ${live('s')} and ${live('g')}`;
  const theirs = planListing(
    calendarEvent,
    rows(calendar_events, {
      where: sql`calendar_events.context_code = (select ${codeFor(participant, call)} from ${slot}) and ${live('calendar_events')} and calendar_events.parent_event_id in (
        select o.id from calendar_events o where o.context_code = (select s.context_code from ${slot}) and o.workflow_state <> 'deleted')`,
    }),
    call,
  );
  const group = sql.raw('g.id');
  const code = sql.raw('f.code');
  const [[state], [event], ...reserved] = await db.perform([
    db.build.all<State>(sql`select g.id as group_id, f.code, ${codeFor(undefined, call)} as own_code, coalesce(s.end_at, '') as ends, ${managesAppointmentGroup(group, call)} as is_manager, ${reserves(group, call)} as may_reserve,
        ${isEligibleCode(group, code)} as is_eligible, g.max_appointments_per_participant as most_each, ${ownIn(code, slotsBeside)} as own, ${ownIn(code, sql`select s.id`)} as own_here, ${hasRoom} as has_room
      from (select ${codeFor(participant, call)} as code from ${slot}) f, ${slot}`),
    db.build.all<{ id: number }>(sql`select s.id from calendar_events s where s.id = ${id} and ${live('s')}`),
    ...theirs.statements,
  ]);
  // Only managers see reservations of other participants.
  const isSeen = state !== undefined && (state.is_manager === 1 || state.code === state.own_code);
  const refusal: Refusal = (message) =>
    new Problem(400, [
      {
        attribute: 'reservation',
        type: 'calendar_event',
        message,
        reservations: isSeen ? theirs.tell(reserved).map(({ json }) => json) : [],
      },
    ]);
  return { state, isEvent: event !== undefined, refusal };
}

/** The error for an id that is no slot: only callers who reach the context of an event learn that it exists. */
const notASlot = (isEvent: boolean, { course, user, account, group }: Call, refusal: Refusal): Problem =>
  isEvent && (course || user || account || group) ? refusal('not an appointment') : notFound();

/** Only managers reserve for others, or after the end of the slot. */
function refuseParticipant(state: State, now: string, refusal: Refusal): void {
  if (!state.is_manager && !state.may_reserve) throw notFound();
  if (!state.is_manager && state.code !== state.own_code) throw refusal('invalid participant');
  if (!state.is_eligible || state.code === null) throw refusal('ineligible participant');
  if (!state.is_manager && state.ends < now) throw past();
}

/** Cancelling the existing reservations makes room for the participant. */
function refuseWithoutRoom({ own, own_here, most_each, has_room }: State, cancels: boolean, refusal: Refusal): void {
  if (!cancels && own_here) throw refusal('participant has already reserved this appointment');
  if (!cancels && most_each !== null && own >= most_each) throw refusal('participant has met per-participant limit');
  if (!has_room && !(cancels && own_here)) throw refusal('all slots filled');
}

function reservationStatements(id: number, { code, group_id }: State, { comments, cancel_existing }: Given, call: Call): Statement[] {
  const { db, me, now } = call;
  const held = sql`${code}`;
  const allowed = sql`${live('s')} and g.workflow_state = 'active' and ${ownIn(held, sql`select s.id`)} = 0 and ${hasRoom}
    and (g.max_appointments_per_participant is null or ${ownIn(held, slotsBeside)} < g.max_appointments_per_participant)`;
  const slots = sql`select o.id from calendar_events o where o.context_code = ${`appointment_group_${group_id}`} and o.workflow_state <> 'deleted'`;
  return [
    ...(cancel_existing
      ? cancelled(sql`context_code = ${code} and ${live('calendar_events')} and parent_event_id in (${slots})`, call)
      : []),
    // When the slot is taken, the title is null, which violates a constraint and rolls back the whole batch, including cancellations.
    db.build.run(sql`insert into calendar_events (context_code, parent_event_id, user_id, title, description, location_name, location_address, start_at, end_at, all_day, comments, important_dates, blackout_date, details, workflow_state, created_at, updated_at)
        select ${code}, s.id, ${me.id}, case when ${allowed} then s.title end, s.description, s.location_name, s.location_address, s.start_at, s.end_at, 0, ${comments ?? null}, 0, 0, '{}', 'locked', ${now}, ${now}
        from calendar_events s join appointment_groups g on g.id = ${group_id} where s.id = ${id}`),
    db.build.run(
      sql`update calendar_events set workflow_state = 'locked', updated_at = ${now} where id = ${id} and workflow_state = 'active'`,
    ),
  ];
}

/**
 * Reserves a slot for a user or a group.
 * @throws Problem 400 with the existing reservations, 403 for a past slot, 401 and 404
 */
export async function reserve(id: number, given: Given, call: Call): Promise<Reply> {
  const { state, isEvent, refusal } = await readSlot(id, given.participant, call);
  if (!state) throw notASlot(isEvent, call, refusal);
  refuseParticipant(state, call.now, refusal);
  refuseWithoutRoom(state, given.cancel_existing ?? false, refusal);
  return write(
    reservationStatements(id, state, given, call),
    one(
      rows(calendar_events, {
        where: sql`calendar_events.parent_event_id = ${id} and calendar_events.context_code = ${state.code} and ${live('calendar_events')}`,
      }),
    ),
    { 'calendar_events.title': () => refusal('all slots filled') },
  );
}

/** Cancels reservations; a slot without reservations becomes available again. */
export const cancelled = (which: SQL, { db, now }: Pick<Call, 'db' | 'now'>): Statement[] => [
  db.build.run(sql`update calendar_events set workflow_state = 'active', updated_at = ${now} where workflow_state = 'locked' and id in (
    select given.parent_event_id from (select id, parent_event_id from calendar_events where ${which}) given
    where not exists (select 1 from calendar_events other where other.parent_event_id = given.parent_event_id and ${live('other')} and other.id <> given.id))`),
  db.build.run(sql`update calendar_events set workflow_state = 'deleted', updated_at = ${now} where ${which}`),
];
