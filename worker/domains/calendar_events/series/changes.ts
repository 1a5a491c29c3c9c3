// Updates and deletions of a series: which events they affect, and the new dates and rule.

import { dateOn, fromClock, onClock } from '@carrel/shared/wire/clock';
import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { ascending, type RowOf, rows } from '../../../http/listing';
import { badParameter, problem } from '../../../http/problem';
import { all, type Reply } from '../../../http/reply';
import { notifyOfInsert } from '../../../rules/notify';
import { type Times, timesOf } from '../event_rows';
import { startsAt } from '../listing';
import { calendar_events } from '../table';
import { ruleGiven, shortened, unrolled } from './rule';

export type EventRow = RowOf<typeof calendar_events>;
export type Which = 'one' | 'all' | 'following';
type Several = Exclude<Which, 'one'>;

/** @throws Problem 400 for an unknown value */
export function whichGiven(given: string | undefined): Which {
  if (given === undefined || given === 'one' || given === 'all' || given === 'following') return given ?? 'one';
  throw badParameter('which', 'is not one, all or following');
}

/** Reads the series of an event, in date order. */
export const seriesOf = (id: number, { db }: Pick<Call, 'db'>) =>
  db.build
    .select()
    .from(calendar_events)
    .where(
      and(
        sql`series_uuid = (select o.series_uuid from calendar_events o where o.id = ${id})`,
        ne(calendar_events.workflow_state, 'deleted'),
      ),
    )
    .orderBy(asc(startsAt), asc(calendar_events.id));

interface Given {
  readonly start_at?: string | null;
  readonly end_at?: string | null;
  readonly all_day?: boolean;
  readonly rrule?: string | null;
}

const length = ({ start_at, end_at }: Times) => Date.parse(end_at ?? '') - Date.parse(start_at ?? '') || 0;
/** The day of one time at the clock of another. */
const onDayAt = (day: string, clock: string, zone: string): string =>
  fromClock(`${dateOn(day, zone)}T${onClock(clock, zone).slice(11)}`, zone);
const idsOf = (events: readonly EventRow[]) => events.map(({ id }) => id);

/** Times with the given start and the same duration as `like`. */
export function timesAt(start_at: string, like: Times, zone: string): Times {
  if (like.all_day) return timesOf({ start_at, end_at: start_at, all_day: true }, zone);
  const end = new Date(Date.parse(start_at) + length(like)).toISOString().slice(0, 19);
  return timesOf({ start_at, end_at: `${end}Z`, all_day: false }, zone);
}

export interface SeriesChange {
  /** The events that receive the new values. */
  readonly ids: readonly number[];
  readonly moved: readonly (Times & { readonly id: number })[];
  readonly added: readonly Times[];
  readonly removed: readonly number[];
  readonly series_uuid: string | null;
  readonly rrule: string | null;
  readonly earlier?: { readonly ids: readonly number[]; readonly rrule: string };
}

/** The series from the target on, or as a whole, and the events before that. */
function splitAt(target: EventRow, series: readonly EventRow[], which: Which) {
  const at = which === 'all' ? 0 : series.findIndex(({ id }) => id === target.id);
  return { before: series.slice(0, at), rest: series.slice(at) };
}

/** The events before a split keep the rule, shortened to their number. */
function earlierPart(target: EventRow, before: readonly EventRow[]): SeriesChange['earlier'] {
  const last = before.at(-1);
  return last && target.rrule ? { ids: idsOf(before), rrule: shortened(target.rrule, before.length, last.start_at ?? '') } : undefined;
}

/** The rule from the target on. The current rule, sent back whole or as far as it applies from here, is not a new one. */
function ruleAfter({ rrule }: EventRow, before: readonly EventRow[], rest: readonly EventRow[], asked: string | undefined) {
  const current = rrule && before.length > 0 ? shortened(rrule, rest.length, rest.at(-1)?.start_at ?? '') : rrule;
  return { rule: asked ?? current ?? '', isNewRule: asked !== undefined && asked !== rrule && asked !== current };
}

/** @throws Problem 400 without a start */
function timesAfter(target: EventRow, given: Given, zone: string): Times & { readonly start_at: string } {
  const { start_at = target.start_at, end_at = target.end_at } = given;
  const keepsTimes = given.start_at === undefined && given.end_at === undefined;
  const times = timesOf({ start_at, end_at, all_day: given.all_day ?? (keepsTimes ? target.all_day : undefined) }, zone);
  if (times.start_at === null) throw problem(400, 'Events of a series need dates');
  return { ...times, start_at: times.start_at };
}

/** Events that stay on their days, at the target's new clock and duration. */
const atClock = (events: readonly EventRow[], times: Times & { readonly start_at: string }, zone: string): SeriesChange['moved'] =>
  events.flatMap(({ id, start_at }) => (start_at ? [{ id, ...timesAt(onDayAt(start_at, times.start_at, zone), times, zone) }] : []));

/** Events that take these dates, one after the other; events are added or removed until their numbers are equal. */
const onDates = (events: readonly EventRow[], dates: readonly Times[]): Pick<SeriesChange, 'moved' | 'added' | 'removed'> => ({
  moved: events.slice(0, dates.length).map((event, at) => ({ id: event.id, ...(dates[at] as Times) })),
  added: dates.slice(events.length),
  removed: idsOf(events.slice(dates.length)),
});

/**
 * The effect of an update on a series, or on an event that becomes a series.
 * @param series in date order; only the target when it is not a series yet
 * @throws Problem 400 for invalid dates or rules
 */
export function changeOfSeries(target: EventRow, series: readonly EventRow[], which: Several, given: Given, zone: string): SeriesChange {
  const { before, rest } = splitAt(target, series, which);
  const open = rest.filter((event) => event.workflow_state !== 'locked');
  const asked = given.rrule == null ? given.rrule : ruleGiven(given.rrule);
  const times = timesAfter(target, given, zone);
  if (asked === null)
    return {
      ids: [target.id],
      moved: [{ id: target.id, ...times }],
      added: [],
      removed: idsOf(open).filter((id) => id !== target.id),
      series_uuid: null,
      rrule: null,
      earlier: earlierPart(target, before),
    };
  const { rule, isNewRule } = ruleAfter(target, before, rest, asked);
  const isNewDay = dateOn(times.start_at, zone) !== dateOn(target.start_at ?? times.start_at, zone);
  const isNewTime = times.start_at !== target.start_at || times.end_at !== target.end_at || times.all_day !== target.all_day;
  const first = which === 'all' && target.id !== series[0]?.id ? series[0] : undefined;
  if (isNewDay && first) throw problem(400, 'Only the first event can move a whole series to another day');
  const splits = before.length > 0 && (isNewTime || isNewRule);
  const scope = {
    ids: idsOf(open),
    series_uuid: splits || target.series_uuid === null ? crypto.randomUUID() : target.series_uuid,
    earlier: splits ? earlierPart(target, before) : undefined,
  };
  if (!isNewRule && !isNewDay)
    return {
      ...scope,
      rrule: splits ? rule : target.rrule,
      moved: isNewTime ? atClock(open, times, zone) : [],
      added: [],
      removed: [],
    };
  const begins = first?.start_at ? onDayAt(first.start_at, times.start_at, zone) : times.start_at;
  const dates = unrolled(rule, begins, zone).map((at) => timesAt(at, times, zone));
  return { ...scope, rrule: rule, ...onDates(open, dates) };
}

/** The statements that apply a change to a series, after its fields are written. */
export function writeSeries(change: SeriesChange, like: number, call: Call): Statement[] {
  const { build } = call.db;
  const { now } = call;
  const set = (ids: readonly number[], values: object): Statement[] =>
    ids.length
      ? [
          build
            .update(calendar_events)
            .set({ ...values, updated_at: now })
            .where(among(calendar_events.id, ids)),
        ]
      : [];
  const cell = (name: string) => sql.raw(`json_extract(one.value, '$.${name}')`);
  return [
    ...set(change.ids, { series_uuid: change.series_uuid, rrule: change.rrule }),
    ...(change.moved.length
      ? [
          build.run(sql`update calendar_events set start_at = ${cell('start_at')}, end_at = ${cell('end_at')}, all_day = ${cell('all_day')},
            all_day_date = ${cell('all_day_date')}, updated_at = ${now} from json_each(${JSON.stringify(change.moved)}) one where calendar_events.id = ${cell('id')}`),
        ]
      : []),
    ...set(change.removed, { workflow_state: 'deleted' }),
    ...(change.earlier ? set(change.earlier.ids, { rrule: change.earlier.rrule }) : []),
    ...(change.added.length ? copiesOfEvent(change.added, sql`select ${like}`, call) : []),
  ];
}

/**
 * Copies of an event at other times.
 * @param like a select of its id, read before the insert
 */
export const copiesOfEvent = (copies: readonly object[], like: SQL, { db, now }: Pick<Call, 'db' | 'now'>): Statement[] => [
  db.build.run(sql`with first(id) as materialized (${like})
    insert into calendar_events (context_code, effective_context_code, user_id, title, description, start_at, end_at, all_day, all_day_date, location_name, location_address,
      time_zone_edited, series_uuid, rrule, important_dates, blackout_date, comments, details, workflow_state, created_at, updated_at)
    select event.context_code, event.effective_context_code, event.user_id, coalesce(json_extract(copy.value, '$.title'), event.title), event.description,
      json_extract(copy.value, '$.start_at'), json_extract(copy.value, '$.end_at'), event.all_day, json_extract(copy.value, '$.all_day_date'), event.location_name, event.location_address,
      event.time_zone_edited, event.series_uuid, event.rrule, event.important_dates, event.blackout_date, event.comments, '{}', 'active', event.created_at, event.updated_at
    from json_each(${JSON.stringify(copies)}) copy join calendar_events event on event.id = (select id from first)`),
  ...notifyOfInsert(db, calendar_events, now),
];

/** The statements that delete one event, the event and those after it, or the whole series, including locked events. */
export function deleteOfSeries(target: EventRow, series: readonly EventRow[], which: Which, { db, now }: Call): Statement[] {
  const { before, rest } = splitAt(target, series, which);
  const earlier = earlierPart(target, before);
  const update = (ids: readonly number[], values: object) =>
    db.build
      .update(calendar_events)
      .set({ ...values, updated_at: now })
      .where(among(calendar_events.id, ids));
  return [update(idsOf(rest), { workflow_state: 'deleted' }), ...(earlier ? [update(earlier.ids, { rrule: earlier.rrule })] : [])];
}

/** The events of a series after an update. */
export const seriesJson = ({ ids, series_uuid, added }: SeriesChange, target: EventRow): Reply =>
  all(
    rows(calendar_events, {
      where:
        series_uuid === null
          ? eq(calendar_events.id, target.id)
          : series_uuid === target.series_uuid
            ? and(
                ne(calendar_events.workflow_state, 'deleted'),
                sql`(${among(calendar_events.id, ids)} or (${added.length > 0 ? 1 : 0} and series_uuid = ${series_uuid} and ${calendar_events.id} > ${Math.max(0, ...ids)}))`,
              )
            : and(ne(calendar_events.workflow_state, 'deleted'), eq(calendar_events.series_uuid, series_uuid)),
      order: ascending(startsAt, calendar_events.id),
    }),
  );
