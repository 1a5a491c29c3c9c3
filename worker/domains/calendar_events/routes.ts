// Calendar events: every endpoint, in the order of the API reference.

import { optional, text } from '@carrel/shared/wire/fields';
import { and, eq, ne, or, sql } from 'drizzle-orm';
import { kept } from '../../html/kept';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { badParameter, notFound, unauthorized } from '../../http/problem';
import { answer, one, oneOr, page, write } from '../../http/reply';
import { assignments } from '../assignments/table';
import { calendarOf, filters } from './calendar';
import { addParts, changeOf } from './changing';
import { calendarEvent, newEvent } from './json';
import { placeOf } from './place';
import { assignmentEvent, check, load, mayRead, mayWrite, named, only, whereItStands } from './standing';
import { calendar_events } from './table';
import { zoneOf } from './window';
import { around, copiesOf, partsGiven, timesOf, writable } from './writing';

const include = ['web_conference', 'series_natural_language', 'submission'];

export const calendarEventRoutes = [
  get('/calendar_events', { can: 'anyone', include, params: filters, returns: [calendarEvent], summary: 'List calendar events' }, (call) =>
    calendarOf(call.me.id, call.params, call as never),
  ),

  get(
    '/users/:user_id/calendar_events',
    {
      can: ['self', 'observer', 'manage_user_logins'],
      include,
      params: filters,
      returns: [calendarEvent],
      summary: 'List the calendar of a person',
    },
    (call) => calendarOf(call.user.id, call.params, call as never),
  ),

  get(
    '/calendar_events/visible_contexts',
    { can: 'user', returns: { json: null }, summary: 'List the calendars of the caller' },
    async (call) => {
      const { db, me } = call;
      const [own] = await db.perform([
        db.build.all<{ id: number; name: string }>(
          sql`select c.id, coalesce((select n.nickname from course_nicknames n where n.user_id = ${me.id} and n.course_id = c.id), c.friendly_name, c.name) as name from courses c
          where c.workflow_state = 'available' and c.id in (select course_id from enrollments where user_id = ${me.id} and enrollment_state = 'active') order by name, c.id`,
        ),
      ]);
      const context = (asset_string: string, name: string) => ({
        id: asset_string.split('_')[1],
        name,
        asset_string,
        color: null,
        selected: true,
        sections: [],
      });
      return answer({ contexts: [context(`user_${me.id}`, me.user.name), ...own.map(({ id, name }) => context(`course_${id}`, name))] });
    },
  ),

  post(
    '/calendar_events',
    { can: 'user', params: writable, include, returns: newEvent, status: 201, summary: 'Create a calendar event' },
    async (narrow) => {
      const call = narrow as unknown as Call;
      const { db, me, now } = call;
      const given = narrow.params.calendar_event ?? {};
      if (given.rrule) throw badParameter('calendar_event[rrule]', 'is not supported yet');
      const [stands] = await placeOf(given.context_code, call, []);
      const zone = given.time_zone_edited || stands.zone || zoneOf(call);
      const parts = given.child_event_data ? partsGiven(given.child_event_data, stands.sectionIds, zone) : [];
      const times = around(parts) ?? timesOf(given, zone);
      const { title, copies } = copiesOf(given.title || stands.title, times, given.duplicate, zone);
      const further = copies.length + parts.length;
      return write(
        [
          db.build.insert(calendar_events).values({
            context_code: stands.context_code,
            effective_context_code: stands.effective_context_code,
            user_id: me.id,
            title,
            description: kept(given.description, call),
            location_name: given.location_name,
            location_address: given.location_address,
            time_zone_edited: zone,
            important_dates: given.important_dates ?? false,
            blackout_date: given.blackout_date ?? false,
            comments: given.comments,
            ...times,
            created_at: now,
            updated_at: now,
          }),
          ...(copies.length
            ? [
                db.build.run(sql`with first(id) as materialized (select last_insert_rowid())
                  insert into calendar_events (context_code, effective_context_code, user_id, title, description, start_at, end_at, all_day, all_day_date,
                    location_name, location_address, time_zone_edited, important_dates, blackout_date, comments, details, workflow_state, created_at, updated_at)
                  select event.context_code, event.effective_context_code, event.user_id, json_extract(copy.value, '$.title'), event.description,
                    json_extract(copy.value, '$.start_at'), json_extract(copy.value, '$.end_at'), event.all_day, json_extract(copy.value, '$.all_day_date'),
                    event.location_name, event.location_address, event.time_zone_edited, event.important_dates, event.blackout_date, event.comments, '{}', 'active', event.created_at, event.updated_at
                  from json_each(${JSON.stringify(copies)}) copy join calendar_events event on event.id = (select id from first)`),
              ]
            : []),
          ...addParts(parts, sql`select last_insert_rowid() - ${copies.length}`, call),
        ],
        one(rows(calendar_events, { where: eq(calendar_events.id, sql`last_insert_rowid() - ${further}`) })),
      );
    },
  ),

  get(
    '/calendar_events/:event',
    { can: 'anyone', within: whereItStands, include, returns: calendarEvent, summary: 'Get a calendar event' },
    (narrow) => {
      const call = narrow as unknown as Call;
      check(narrow, mayRead);
      const { event, assignment } = named(narrow.path.event);
      if (assignment !== undefined) return assignmentEvent(assignment, call);
      return oneOr(rows(calendar_events, { where: only(event ?? 0, call) }), unauthorized);
    },
  ),

  put(
    '/calendar_events/:event',
    {
      can: 'user',
      within: whereItStands,
      params: { ...writable, which: optional(text) },
      include,
      returns: calendarEvent,
      summary: 'Change a calendar event',
    },
    async (narrow) => {
      const call = narrow as unknown as Call;
      const { db, now } = call;
      const given = narrow.params.calendar_event ?? {};
      const { event, assignment } = named(narrow.path.event);
      if (assignment !== undefined) {
        check(narrow, ({ course }) => course?.canRead === true && course.can('manage_assignments_edit'));
        const moves = given.start_at === undefined ? [] : [{ due_at: given.start_at, updated_at: now }];
        return assignmentEvent(
          assignment,
          call,
          moves.map((values) => db.build.update(assignments).set(values).where(eq(assignments.id, assignment))),
        );
      }
      check(narrow, mayWrite);
      if (narrow.params.which !== undefined && !['one', 'all', 'following'].includes(narrow.params.which))
        throw badParameter('which', 'is not one, all or following');
      if (given.rrule) throw badParameter('calendar_event[rrule]', 'is not supported yet');
      if (event === undefined) throw notFound();
      return write(
        await changeOf(event, only(event, call), given, call),
        one(rows(calendar_events, { where: eq(calendar_events.id, event) })),
      );
    },
  ),

  del(
    '/calendar_events/:event',
    {
      can: 'user',
      within: whereItStands,
      params: { cancel_reason: optional(text), which: optional(text) },
      include,
      returns: calendarEvent,
      summary: 'Delete a calendar event',
    },
    async (narrow) => {
      const call = narrow as unknown as Call;
      check(narrow, mayWrite);
      if (narrow.params.which !== undefined && !['one', 'all', 'following'].includes(narrow.params.which))
        throw badParameter('which', 'is not one, all or following');
      const { id } = await load(named(narrow.path.event).event, call);
      return write(
        [
          call.db.build
            .update(calendar_events)
            .set({ workflow_state: 'deleted', updated_at: call.now })
            .where(
              and(or(eq(calendar_events.id, id), eq(calendar_events.parent_event_id, id)), ne(calendar_events.workflow_state, 'deleted')),
            ),
        ],
        one(rows(calendar_events, { where: eq(calendar_events.id, id) })),
      );
    },
  ),

  get(
    '/calendar_events/:event/participants',
    { can: 'user', within: whereItStands, returns: { json: null }, summary: 'List who takes part in an event' },
    async (narrow) => {
      check(narrow, mayRead);
      await load(named(narrow.path.event).event, narrow as unknown as Call);
      // Only appointments have participants.
      return page([]);
    },
  ),
];
