// Updates an event: its own fields, its section events, and its parent event.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Statement } from '../../database/open';
import { storableHtml } from '../../html/kept';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { invalid, problem } from '../../http/problem';
import { one, type Reply } from '../../http/reply';
import { notifyOfInsert } from '../../rules/notify';
import { sections } from '../sections/table';
import { missingEvent } from './access';
import { around, partsGiven, type SectionTimes, timesOf } from './event_rows';
import { changeOfSeries, type EventRow, seriesJson, seriesOf, type Which, writeSeries } from './series/changes';
import { ruleGiven } from './series/rule';
import { calendar_events } from './table';
import { calendarTargetOf } from './target';
import { userZoneOf } from './window';

type Times = { readonly start_at?: string | null; readonly end_at?: string | null };

export interface ChangeGiven extends Times {
  readonly context_code?: string;
  readonly title?: string;
  readonly description?: string | null;
  readonly location_name?: string | null;
  readonly location_address?: string | null;
  readonly time_zone_edited?: string;
  readonly all_day?: boolean;
  readonly important_dates?: boolean;
  readonly blackout_date?: boolean;
  readonly comments?: string | null;
  readonly rrule?: string | null;
  readonly child_event_data?: Readonly<Record<string, Times & { readonly context_code?: string }>>;
  readonly remove_child_events?: boolean;
  /** For slots only. */
  readonly participants_per_appointment?: number | null;
}

/** Reads the event, its section events, the possible sections, and the target context, in one round trip. */
async function gather(id: number, only: SQL | undefined, code: string | undefined, call: Call) {
  const { build } = call.db;
  const beside = [
    build.select().from(calendar_events).where(only),
    build
      .select({ id: calendar_events.id, context_code: calendar_events.context_code })
      .from(calendar_events)
      .where(and(eq(calendar_events.parent_event_id, id), ne(calendar_events.workflow_state, 'deleted'))),
    build
      .select({ id: sections.id })
      .from(sections)
      .where(and(eq(sections.course_id, call.course?.id ?? 0), eq(sections.workflow_state, 'active'))),
    seriesOf(id, call),
  ] as const;
  const stays = code === undefined || code === (call.course ? `course_${call.course.id}` : `user_${call.me.id}`);
  const [target, [[before], parts, sectionRows, series]] = stays
    ? [undefined, await call.db.perform(beside)]
    : await calendarTargetOf(code, call, beside);
  if (!before) throw missingEvent(call);
  const moves = target !== undefined && target.context_code !== before.context_code;
  if (moves && (parts.length > 0 || before.parent_event_id !== null))
    throw problem(400, 'Cannot move events that have section-specific times');
  return { before, parts, series, sectionIds: sectionRows.map((section) => section.id), target: moves ? target : undefined };
}

interface Change {
  readonly statements: Statement[];
  readonly told: Reply;
}

const itself = (id: number): Reply => one(rows(calendar_events, { where: eq(calendar_events.id, id) }));

/**
 * Which events an update changes: of a series, those that the request names. An event that gets a rule becomes a series.
 * @throws Problem 400 for another rule of a single event
 */
function scopeOf({ series_uuid, rrule }: EventRow, asked: string | null | undefined, which: Which): Which {
  if (series_uuid === null) return asked == null ? 'one' : 'all';
  if (which === 'one' && asked !== undefined && (asked === null || ruleGiven(asked) !== rrule))
    throw problem(400, 'The rule of a series can be changed for all events or the following ones only');
  return which;
}

/** Section events repeat these fields of their parent event. */
const fieldsOfParts = (given: ChangeGiven, call: Call) => ({
  title: given.title || undefined,
  description: storableHtml(given.description, call),
  location_name: given.location_name,
  location_address: given.location_address,
});

/** The times that the request names. */
const timesIn = ({ start_at, end_at, all_day }: ChangeGiven) => ({
  ...(start_at !== undefined && { start_at }),
  ...(end_at !== undefined && { end_at }),
  ...(all_day !== undefined && { all_day }),
});
const movesInTime = (given: ChangeGiven): boolean => Object.keys(timesIn(given)).length > 0;

/** The times of the event itself: those around its section events, or the given ones if it has none. */
function timesAfter(before: EventRow, given: ChangeGiven, wanted: readonly SectionTimes[] | undefined, hasParts: boolean, zone: string) {
  if (wanted?.length) return around(wanted);
  if (hasParts || !movesInTime(given)) return undefined;
  return timesOf({ start_at: before.start_at, end_at: before.end_at, ...timesIn(given) }, zone);
}

/**
 * The statements of an update, and the response after it.
 * @throws Problem 400 for invalid values, 401 for an event that the caller cannot see
 */
export async function eventChangeOf(id: number, only: SQL | undefined, given: ChangeGiven, which: Which, call: Call): Promise<Change> {
  const { before, parts, series, sectionIds, target } = await gather(id, only, given.context_code, call);
  if (before.workflow_state === 'locked' && movesInTime(given)) throw problem(400, 'The times of a locked event cannot change');
  if (before.context_code.startsWith('appointment_group_')) return changeOfSlot(before, given, call);
  const zone = given.time_zone_edited || before.time_zone_edited || userZoneOf(call);
  const scope = scopeOf(before, given.rrule, which);
  const wanted = given.child_event_data ? partsGiven(given.child_event_data, sectionIds, zone) : undefined;
  const hasParts = wanted ? wanted.length > 0 : parts.length > 0 && !given.remove_child_events;
  const shared = fieldsOfParts(given, call);
  const fields = {
    ...shared,
    time_zone_edited: given.time_zone_edited,
    important_dates: given.important_dates,
    blackout_date: given.blackout_date,
    comments: given.comments,
    ...(target && { context_code: target.context_code, effective_context_code: target.effective_context_code }),
    updated_at: call.now,
  };
  if (scope !== 'one') {
    if (hasParts || before.parent_event_id !== null) throw problem(400, 'Events with section-specific times cannot be a series');
    const change = changeOfSeries(before, before.series_uuid === null ? [before] : series, scope, given, zone);
    return {
      statements: [
        call.db.build.update(calendar_events).set(fields).where(among(calendar_events.id, change.ids)),
        ...writeSeries(change, id, call),
      ],
      told: which === 'one' ? itself(id) : seriesJson(change, before),
    };
  }
  const times = timesAfter(before, given, wanted, hasParts, zone);
  return {
    statements: [
      call.db.build
        .update(calendar_events)
        .set({ ...fields, ...times })
        .where(eq(calendar_events.id, id)),
      ...changeOfParts(id, { there: parts, wanted, removes: given.remove_child_events ?? false, shared }, call),
      ...(before.parent_event_id !== null && times ? [reach(before.parent_event_id, call)] : []),
    ],
    told: itself(id),
  };
}

interface PartsChange {
  readonly there: readonly { context_code: string }[];
  readonly wanted: readonly SectionTimes[] | undefined;
  readonly removes: boolean;
  readonly shared: ReturnType<typeof fieldsOfParts>;
}

/** The section events of an event get its new fields, and are replaced or removed on request. */
function changeOfParts(id: number, { there, wanted, removes, shared }: PartsChange, call: Call): Statement[] {
  const theParts = and(eq(calendar_events.parent_event_id, id), ne(calendar_events.workflow_state, 'deleted'));
  const update = (values: object) =>
    call.db.build
      .update(calendar_events)
      .set({ ...values, updated_at: call.now })
      .where(theParts);
  return [
    ...(there.length > 0 ? [update(shared)] : []),
    ...(wanted ? replaceParts(wanted, there, theParts, id, call) : []),
    ...(removes && !wanted ? [update({ workflow_state: 'deleted' })] : []),
  ];
}

/**
 * Only the description and the participant limit of a slot can change.
 * @throws Problem 400 for a change of context or an invalid limit
 */
function changeOfSlot({ id, context_code, details }: EventRow, given: ChangeGiven, call: Call): Change {
  const { description, participants_per_appointment: most } = given;
  if (given.context_code !== undefined && given.context_code !== context_code) throw problem(400, 'Cannot move appointments');
  if (typeof most === 'number' && (most < 1 || most > 1_000_000))
    throw invalid('participants_per_appointment', 'invalid', 'is not a positive number');
  const { participants_per_appointment: _, ...others } = details;
  return {
    statements: [
      call.db.build
        .update(calendar_events)
        .set({
          description: storableHtml(description, call),
          ...(most !== undefined && { details: most === null ? others : { ...others, participants_per_appointment: most } }),
          updated_at: call.now,
        })
        .where(eq(calendar_events.id, id)),
    ],
    told: itself(id),
  };
}

/** Section events are matched by section: missing ones are deleted, existing ones updated, new ones created. */
function replaceParts(
  wanted: readonly SectionTimes[],
  there: readonly { context_code: string }[],
  theParts: SQL | undefined,
  parent: number,
  call: Call,
): Statement[] {
  const { build } = call.db;
  const given = JSON.stringify(wanted.map(({ section_id, times }) => ({ code: `course_section_${section_id}`, ...times })));
  const of = (field: string) =>
    sql`(select json_extract(json_each.value, ${`$.${field}`}) from json_each(${given}) where json_extract(json_each.value, '$.code') = calendar_events.context_code)`;
  const isWanted = sql`context_code in (select json_extract(value, '$.code') from json_each(${given}))`;
  return [
    build
      .update(calendar_events)
      .set({ workflow_state: 'deleted', updated_at: call.now })
      .where(and(theParts, sql`not ${isWanted}`)),
    build
      .update(calendar_events)
      .set({
        start_at: of('start_at'),
        end_at: of('end_at'),
        all_day: of('all_day'),
        all_day_date: of('all_day_date'),
        updated_at: call.now,
      })
      .where(and(theParts, isWanted)),
    ...addParts(
      wanted.filter(({ section_id }) => !there.some((one) => one.context_code === `course_section_${section_id}`)),
      sql`select ${parent}`,
      call,
    ),
  ];
}

/** A course event spans from the first start to the last end of its section events. */
const reach = (parent: number, { db, now }: Call): Statement =>
  db.build.run(
    sql`update calendar_events set start_at = (select min(c.start_at) from calendar_events c where c.parent_event_id = ${parent} and c.workflow_state <> 'deleted'),
      end_at = (select max(c.end_at) from calendar_events c where c.parent_event_id = ${parent} and c.workflow_state <> 'deleted'), updated_at = ${now} where id = ${parent}`,
  );

/**
 * Adds section events.
 * @param parent a select of the parent event's id, read before the insert
 */
export const addParts = (parts: readonly SectionTimes[], parent: SQL, call: Call): Statement[] =>
  parts.length === 0
    ? []
    : [
        call.db.build.run(sql`with parent(id) as materialized (${parent})
          insert into calendar_events (context_code, effective_context_code, parent_event_id, user_id, title, description, start_at, end_at, all_day, all_day_date,
            location_name, location_address, time_zone_edited, important_dates, blackout_date, details, workflow_state, created_at, updated_at)
          select 'course_section_' || json_extract(part.value, '$.section_id'), event.context_code, event.id, event.user_id, event.title, event.description,
            json_extract(part.value, '$.times.start_at'), json_extract(part.value, '$.times.end_at'), json_extract(part.value, '$.times.all_day'), json_extract(part.value, '$.times.all_day_date'),
            event.location_name, event.location_address, event.time_zone_edited, event.important_dates, event.blackout_date, '{}', 'active', ${call.now}, ${call.now}
          from json_each(${JSON.stringify(parts)}) part join calendar_events event on event.id = (select id from parent)`),
        ...notifyOfInsert(call.db, calendar_events, call.now),
      ];
