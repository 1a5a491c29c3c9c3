// Calendar events: every endpoint, in the order of the API reference.

import { bool, idField, maybe, optional, type Shape, text, word } from '@carrel/shared/wire/fields';
import { and, eq, ne, or, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { among } from '../../database/ids';
import { storableHtml } from '../../html/kept';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, notFound, problem } from '../../http/problem';
import { all, judged, list, one, write } from '../../http/reply';
import { changeAssignments } from '../../rules/graded_topics';
import { notifyOfInsert } from '../../rules/notify';
import { users } from '../users/table';
import {
  assignmentEvent,
  calendarItemNamed,
  check,
  loadWithSeries,
  mayRead,
  mayWrite,
  meant,
  refuseClosedMove,
  whereItStands,
} from './access';
import { withoutSlot } from './appointment_groups/group_rows';
import { codesHeldBy } from './appointment_groups/participants';
import { appointmentGroupOf, managesAppointmentGroup } from './appointment_groups/policy';
import { cancelled, reserve } from './appointment_groups/reserving';
import { calendarOf, filters } from './calendar';
import { around, copiesOf, eventFields, partsGiven, type SectionTimes, timesOf } from './event_rows';
import { appointmentParticipant, calendarEvent, newEvent } from './json';
import { startsAt } from './listing';
import { visibleContexts } from './own_calendars';
import { copiesOfEvent, deleteOfSeries, timesAt, whichGiven } from './series/changes';
import { ruleGiven, unrolled } from './series/rule';
import { calendar_events } from './table';
import { calendarTargetOf } from './target';
import { addParts, eventChangeOf } from './update';
import { userZoneOf } from './window';

export const about = {
  title: 'Calendar events',
  description: 'Events and assignments in the calendars of users, courses, groups and sections.',
};

const include = ['web_conference', 'series_natural_language', 'submission'] as const;

type Created = NonNullable<Shape<typeof eventFields>['calendar_event']>;

/** The event inserted last in this batch: ids only grow. */
const newest = sql<number>`(select max(id) from calendar_events)`;

/** The times of a new event, and the further events of its series or its duplicates. */
function plan(given: Created, parts: readonly SectionTimes[], name: string, zone: string) {
  const times = around(parts) ?? timesOf(given, zone);
  const title = given.title || name;
  if (!given.rrule) return { times, rrule: null, ...copiesOf(title, times, given.duplicate, zone) };
  if (parts.length > 0) throw badParameter('calendar_event[rrule]', 'cannot be combined with child_event_data');
  if (times.start_at === null) throw badParameter('calendar_event[start_at]', 'is missing');
  const rrule = ruleGiven(given.rrule);
  const [first = times, ...copies] = unrolled(rrule, times.start_at, zone).map((at) => timesAt(at, times, zone));
  return { times: first, rrule, title, copies };
}

export const calendarEventRoutes = [
  get('/calendar_events', { can: 'anyone', include, params: filters, returns: [calendarEvent], summary: 'List calendar events' }, (call) =>
    calendarOf(call.me.id, call.params, call),
  ),

  get(
    '/users/:user_id/calendar_events',
    {
      can: ['self', 'course_observer', 'manage_user_logins'],
      include,
      params: filters,
      returns: [calendarEvent],
      summary: 'List calendar events for a user',
    },
    (call) => calendarOf(call.user.id, call.params, call),
  ),

  visibleContexts,

  post(
    '/calendar_events',
    { can: 'user', params: eventFields, include, returns: newEvent, status: 201, summary: 'Create a calendar event' },
    async (narrow) => {
      const call = narrow;
      const { db, me, now } = call;
      const given = narrow.params.calendar_event ?? {};
      const [stands] = await calendarTargetOf(given.context_code, call, []);
      const zone = given.time_zone_edited || stands.zone || userZoneOf(call);
      const parts = given.child_event_data ? partsGiven(given.child_event_data, stands.sectionIds, zone) : [];
      const { times, title, copies, rrule } = plan(given, parts, stands.title, zone);
      const further = copies.length + parts.length;
      return write(
        [
          db.build.insert(calendar_events).values({
            context_code: stands.context_code,
            effective_context_code: stands.effective_context_code,
            user_id: me.id,
            title,
            description: storableHtml(given.description, call),
            location_name: given.location_name,
            location_address: given.location_address,
            time_zone_edited: zone,
            important_dates: given.important_dates ?? false,
            blackout_date: given.blackout_date ?? false,
            comments: given.comments,
            series_uuid: rrule === null ? null : crypto.randomUUID(),
            rrule,
            ...times,
            created_at: now,
            updated_at: now,
          }),
          ...notifyOfInsert(db, calendar_events, now),
          ...(copies.length ? copiesOfEvent(copies, sql`select ${newest}`, call) : []),
          ...addParts(parts, sql`select ${newest} - ${copies.length}`, call),
        ],
        one(rows(calendar_events, { where: eq(calendar_events.id, sql`${newest} - ${further}`) })),
      );
    },
  ),

  get(
    '/calendar_events/:event',
    { can: 'anyone', within: whereItStands, include, returns: calendarEvent, summary: 'Get a calendar event' },
    (narrow) => {
      const call = narrow;
      const { event, assignment } = calendarItemNamed(narrow.path.event);
      if (assignment === undefined) return one(rows(calendar_events, { where: meant(event ?? 0, mayRead, call) }));
      check(narrow, mayRead);
      return assignmentEvent(assignment, call);
    },
  ),

  put(
    '/calendar_events/:event',
    {
      can: 'user',
      within: whereItStands,
      params: { ...eventFields, which: optional(word) },
      include,
      returns: calendarEvent,
      summary: 'Update a calendar event',
    },
    async (narrow) => {
      const call = narrow;
      const { db, now } = call;
      const given = narrow.params.calendar_event ?? {};
      const { event, assignment } = calendarItemNamed(narrow.path.event);
      if (assignment !== undefined) {
        check(narrow, ({ course }) => course?.canRead === true && course.can('manage_assignments_edit'));
        if (given.start_at !== undefined) await refuseClosedMove(assignment, given.start_at, call);
        const moves = given.start_at === undefined ? [] : [{ due_at: given.start_at, updated_at: now }];
        return assignmentEvent(
          assignment,
          call,
          moves.flatMap((values) => changeAssignments(db, sql`${assignment}`, values)),
        );
      }
      const which = whichGiven(narrow.params.which);
      if (event === undefined) throw notFound();
      const { statements, told } = await eventChangeOf(event, meant(event, mayWrite, call), given, which, call);
      return write(statements, told);
    },
  ),

  del(
    '/calendar_events/:event',
    {
      can: 'user',
      within: whereItStands,
      params: { cancel_reason: optional(text), which: optional(word) },
      include,
      returns: calendarEvent,
      summary: 'Delete a calendar event',
    },
    async (narrow) => {
      const call = narrow;
      const which = whichGiven(narrow.params.which);
      const { event: target, series } = await loadWithSeries(calendarItemNamed(narrow.path.event).event, call);
      const { id } = target;
      if (target.parent_event_id !== null && !target.context_code.startsWith('course_section_')) {
        const isParticipant = call.user?.isMe || (call.group?.isMember && !call.group.course?.readsAsAdmin);
        if (isParticipant && (target.end_at ?? '') < call.now)
          throw problem(403, 'Cannot create or change reservation for past appointment');
        return write(
          cancelled(sql`id = ${id} and workflow_state <> 'deleted'`, call),
          one(rows(calendar_events, { where: eq(calendar_events.id, id) })),
        );
      }
      if (which !== 'one' && target.series_uuid !== null) {
        const gone = which === 'all' ? series : series.slice(series.findIndex((event) => event.id === id));
        return write(
          deleteOfSeries(target, series, which, call),
          all(
            rows(calendar_events, {
              where: among(
                calendar_events.id,
                gone.map((event) => event.id),
              ),
              order: ascending(startsAt, calendar_events.id),
            }),
          ),
        );
      }
      return write(
        [
          call.db.build
            .update(calendar_events)
            .set({ workflow_state: 'deleted', updated_at: call.now })
            .where(
              and(or(eq(calendar_events.id, id), eq(calendar_events.parent_event_id, id)), ne(calendar_events.workflow_state, 'deleted')),
            ),
          ...(target.context_code.startsWith('appointment_group_') ? withoutSlot(Number(target.context_code.slice(18)), call) : []),
        ],
        one(rows(calendar_events, { where: eq(calendar_events.id, id) })),
      );
    },
  ),

  get(
    '/calendar_events/:event/participants',
    { can: 'user', within: whereItStands, returns: [appointmentParticipant], summary: 'List participants of a calendar event' },
    (narrow) => {
      const call = narrow;
      const event = calendarItemNamed(narrow.path.event).event ?? 0;
      const group = appointmentGroupOf(sql.raw('s'));
      const held = rows(users, {
        where: sql`users.id in (with held(code) as materialized (select r.context_code from calendar_events s join calendar_events r on r.parent_event_id = s.id and r.workflow_state <> 'deleted'
          where s.id = ${event} and s.parent_event_id is null and (r.context_code in ${codesHeldBy(call.me.id)}
            or exists (select 1 from appointment_groups g where g.id = ${group} and (g.participant_visibility = 'protected' or ${managesAppointmentGroup(sql.raw('g.id'), call)}))))
          select cast(substr(code, 6) as integer) from held where substr(code, 1, 5) = 'user_'
          union select m.user_id from held join group_memberships m on m.group_id = cast(substr(held.code, 7) as integer) where substr(held.code, 1, 6) = 'group_' and m.workflow_state = 'accepted')`,
      });
      return judged(
        call.db.build
          .select({ id: calendar_events.id })
          .from(calendar_events)
          .where(meant(event, mayRead, call)),
        (there) => void found(there[0]),
        list(held),
      );
    },
  ),

  ...(['/calendar_events/:event/reservations', '/calendar_events/:event/reservations/:participant'] as const).map((path) =>
    post(
      path,
      {
        can: 'user',
        within: whereItStands,
        params: { participant_id: optional(idField('participant')), comments: optional(maybe(text)), cancel_existing: optional(bool) },
        include,
        returns: calendarEvent,
        summary: 'Reserve a time slot',
      },
      (narrow) => {
        const call = narrow;
        const { event } = calendarItemNamed(narrow.path.event);
        const said = (narrow.path as { participant?: string }).participant;
        const who = said === undefined || said === 'self' ? narrow.params.participant_id : readId(said);
        if (event === undefined || (said !== undefined && said !== 'self' && who === undefined)) throw notFound();
        if (narrow.course || narrow.user || narrow.account || narrow.group) check(narrow, mayRead);
        return reserve(event, { ...narrow.params, participant: who }, call);
      },
    ),
  ),
];
