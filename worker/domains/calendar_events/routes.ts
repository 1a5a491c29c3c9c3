// Calendar events: every endpoint, in the order of the API reference.

import { bool, list as listOf, oneOf, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { readId } from '../../contexts/references';
import type { UserContext } from '../../contexts/user';
import type { Statement } from '../../database/open';
import { sanitise } from '../../html/sanitise';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { type RowOf, rows } from '../../http/listing';
import { badParameter, notFound, unauthorized } from '../../http/problem';
import { answer, judged, list, one, oneOr, page, type Reply, write } from '../../http/reply';
import { submissionTypes } from '../assignments/kinds';
import { assignments } from '../assignments/table';
import { planAssignmentEvents } from './assignment_events';
import { addParts, changeOf } from './changing';
import { calendarEvent, newEvent } from './json';
import { eventsOf } from './listing';
import { mayManage, placeOf } from './place';
import { calendarCodes, coursesNamed, refuseUnreadable, unreadable } from './readable';
import { calendar_events } from './table';
import { windowOf, within, zoneOf } from './window';
import { around, copiesOf, partsGiven, timesOf, writable } from './writing';

type EventRow = RowOf<typeof calendar_events>;

const include = ['web_conference', 'series_natural_language', 'submission'];
const filters = {
  type: optional(oneOf('event', 'assignment')),
  start_date: optional(text),
  end_date: optional(text),
  undated: optional(bool),
  all_events: optional(bool),
  context_codes: optional(listOf(text)),
  excludes: optional(listOf(text)),
  important_dates: optional(bool),
  blackout_date: optional(bool),
  submission_types: optional(listOf(text)),
  exclude_submission_types: optional(listOf(text)),
};

interface Filters {
  readonly type?: 'event' | 'assignment';
  readonly start_date?: string;
  readonly end_date?: string;
  readonly undated?: boolean;
  readonly all_events?: boolean;
  readonly context_codes?: readonly string[];
  readonly important_dates?: boolean;
  readonly blackout_date?: boolean;
  readonly submission_types?: readonly string[];
  readonly exclude_submission_types?: readonly string[];
}

const mostContexts = 10;

/** The calendar of a person, whoever looks. */
async function calendarOf(user_id: number, params: Filters, call: Call): Promise<Reply> {
  const codes = (params.context_codes?.length ? params.context_codes : [`user_${user_id}`]).slice(0, mostContexts);
  const window = windowOf(params, zoneOf(call), call.now);
  const courses = coursesNamed(codes);
  if (params.type !== 'assignment') {
    const asked = (event: SQL) =>
      sql.join(
        [
          within(sql`coalesce(${event}.start_at, '')`, params, window),
          ...(params.important_dates ? [sql`${event}.important_dates`] : []),
          ...(params.blackout_date ? [sql`${event}.blackout_date`] : []),
        ],
        sql` and `,
      );
    return judged(
      unreadable(codes, call),
      refuseUnreadable(call),
      list(eventsOf(calendarCodes(codes, courses, user_id, call), asked, call)),
    );
  }
  const { per_page, number, after } = call.page;
  const types = (given: readonly string[]) =>
    sql`exists (select 1 from json_each(assignments.submission_types) t where t.value in (select value from json_each(${JSON.stringify(given)})))`;
  const known = (given?: readonly string[]) => given?.filter((one) => (submissionTypes as readonly string[]).includes(one));
  const plan = planAssignmentEvents(
    {
      courses,
      user_id,
      within: (at) => within(at, params, window),
      where: and(
        params.important_dates ? sql`assignments.important_dates` : undefined,
        known(params.submission_types)?.length ? types(params.submission_types ?? []) : undefined,
        known(params.exclude_submission_types)?.length ? sql`not ${types(params.exclude_submission_types ?? [])}` : undefined,
      ),
      limit: per_page + 1,
      offset: number === undefined ? 0 : (number - 1) * per_page,
      after,
    },
    call,
  );
  const [closed, ...results] = await call.db.perform([unreadable(codes, call), ...plan.statements]);
  refuseUnreadable(call)(closed as unknown[]);
  const told = plan.tell(results);
  const last = told[per_page - 1]?.slot;
  return page(
    told.slice(0, per_page).map(({ json }) => json),
    told.length > per_page && last ? [last.at, last.assignment_id, last.override_id] : null,
  );
}

/** An event by its id, `assignment_9` for the day of an assignment. */
const named = (given: string): { event?: number; assignment?: number } => {
  const assignment = /^assignment_(\d{1,15})$/.exec(given)?.[1];
  return assignment ? { assignment: Number(assignment) } : { event: readId(given) };
};

const place = sql.raw('coalesce(effective_context_code, context_code)');
const inContext = (path: Record<string, string>, kind: string) => {
  const { event = 0 } = named(path.event ?? '');
  return sql`select cast(substr(${place}, ${kind.length + 2}) as integer) from calendar_events where id = ${event} and workflow_state <> 'deleted' and substr(${place}, 1, ${kind.length + 1}) = ${`${kind}_`}`;
};
const whereItStands = (path: Record<string, string>) => {
  const { assignment = 0 } = named(path.event ?? '');
  return {
    course: sql`${inContext(path, 'course')} union select course_id from assignments where id = ${assignment} and workflow_state <> 'deleted'`,
    user: inContext(path, 'user'),
    account: inContext(path, 'account'),
  };
};

type Standing = Pick<Call, 'me' | 'account'> & { course: CourseContext | undefined; user: UserContext | undefined };

const mayRead = ({ course, user, account }: Standing): boolean =>
  course?.canRead || user?.isMe || user?.isObservedByMe || user?.isAdmin || account?.isAdmin || false;
const mayWrite = ({ course, user, account }: Standing): boolean =>
  (course ? mayManage(course) : false) || user?.isMe || account?.can('manage_account_calendar_events') || false;

/** The row of an event in whose context the request stands; a section's part only for that section. */
const only = (id: number, call: Call): SQL | undefined =>
  and(
    eq(calendar_events.id, id),
    ne(calendar_events.workflow_state, 'deleted'),
    call.course
      ? sql`calendar_events.context_code in (select code from (${calendarCodes([], sql`select ${call.course.id}`, call.me.id, call)}))`
      : undefined,
  );

/** @throws Problem 404 where there is nothing, 401 where the caller may not */
function check(call: Standing, may: (call: Standing) => boolean): void {
  if (!call.course && !call.user && !call.account) throw notFound();
  if (!may(call)) throw unauthorized();
}

async function load(id: number | undefined, call: Call): Promise<EventRow> {
  if (id === undefined) throw notFound();
  const [[row]] = await call.db.perform([call.db.build.select().from(calendar_events).where(only(id, call))]);
  if (!row) throw unauthorized();
  return row;
}

/** The day of one assignment, as the caller sees it. */
async function assignmentEvent(id: number, call: Call, before: Statement[] = []): Promise<Reply> {
  const plan = planAssignmentEvents(
    { courses: sql`select ${call.course?.id ?? 0}`, user_id: call.me.id, within: () => sql`1`, where: eq(assignments.id, id), limit: 1 },
    call,
  );
  const results = await call.db.perform([...before, ...plan.statements]);
  const [event] = plan.tell(results.slice(before.length));
  if (!event) throw unauthorized();
  return answer(event.json);
}

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
            description: sanitise(given.description),
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
