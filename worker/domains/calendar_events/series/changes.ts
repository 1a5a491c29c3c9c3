// Updates and deletions of a series: which events they affect, and the new dates and rule.

import { dateOn, fromClock, onClock } from '@carrel/shared/wire/clock';
import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { ascending, type RowOf, rows } from '../../../http/listing';
import { badParameter, problem } from '../../../http/problem';
import { all, type Reply } from '../../../http/reply';
import { type Times, timesOf } from '../event_rows';
import { startsAt } from '../listing';
import { calendar_events } from '../table';
import { ruleGiven, shortened, unrolled } from './rule';

export type EventRow = RowOf<typeof calendar_events>;
export type Which = 'one' | 'all' | 'following';

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
const clockOf = (at: string, zone: string) => onClock(at, zone).slice(11);

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

/**
 * The effect of an update on a series, or on an event that becomes a series.
 * @param series in date order; only the target when it is not a series yet
 * @throws Problem 400 for invalid dates or rules
 */
export function changeOfSeries(target: EventRow, series: readonly EventRow[], which: Which, given: Given, zone: string): SeriesChange {
  const rest = which === 'all' ? series : series.slice(series.findIndex(({ id }) => id === target.id));
  const before = series.slice(0, series.length - rest.length);
  const open = rest.filter((event) => event.workflow_state !== 'locked');
  const asked = given.rrule === undefined ? undefined : given.rrule === null ? null : ruleGiven(given.rrule);
  const times = timesOf(
    {
      start_at: given.start_at === undefined ? target.start_at : given.start_at,
      end_at: given.end_at === undefined ? target.end_at : given.end_at,
      all_day: given.all_day ?? (given.start_at === undefined && given.end_at === undefined ? target.all_day : undefined),
    },
    zone,
  );
  const { start_at } = times;
  if (start_at === null) throw problem(400, 'Events of a series need dates');
  const earlier = () => {
    const last = before.at(-1);
    return last && target.rrule
      ? { ids: before.map(({ id }) => id), rrule: shortened(target.rrule, before.length, last.start_at ?? '') }
      : undefined;
  };
  if (asked === null)
    return {
      ids: [target.id],
      moved: [{ id: target.id, ...times }],
      added: [],
      removed: open.filter(({ id }) => id !== target.id).map(({ id }) => id),
      series_uuid: null,
      rrule: null,
      earlier: earlier(),
    };
  const old =
    which === 'following' && target.rrule && before.length > 0
      ? shortened(target.rrule, rest.length, rest.at(-1)?.start_at ?? '')
      : target.rrule;
  const rule = asked ?? old ?? '';
  const rules = asked !== undefined && asked !== target.rrule && asked !== old;
  const days = dateOn(start_at, zone) !== dateOn(target.start_at ?? start_at, zone);
  const moves = start_at !== target.start_at || times.end_at !== target.end_at || times.all_day !== target.all_day;
  if (which === 'all' && days && target.id !== series[0]?.id)
    throw problem(400, 'Only the first event can move a whole series to another day');
  const splits = which === 'following' && before.length > 0 && (moves || rules);
  const series_uuid = splits || target.series_uuid === null ? crypto.randomUUID() : target.series_uuid;
  const ids = open.map(({ id }) => id);
  if (!rules && !days) {
    const clock = clockOf(start_at, zone);
    const moved = open.flatMap((event) =>
      event.start_at ? [{ id: event.id, ...timesAt(fromClock(`${dateOn(event.start_at, zone)}T${clock}`, zone), times, zone) }] : [],
    );
    return {
      ids,
      moved: moves ? moved : [],
      added: [],
      removed: [],
      series_uuid,
      rrule: splits ? rule : target.rrule,
      earlier: splits ? earlier() : undefined,
    };
  }
  const first = which === 'all' && target.id !== series[0]?.id ? series[0]?.start_at : undefined;
  const begins = first ? fromClock(`${dateOn(first, zone)}T${clockOf(start_at, zone)}`, zone) : start_at;
  const dates = unrolled(rule, begins, zone).map((at) => timesAt(at, times, zone));
  return {
    ids,
    moved: open.slice(0, dates.length).map((event, at) => ({ id: event.id, ...(dates[at] as Times) })),
    added: dates.slice(open.length),
    removed: ids.slice(dates.length),
    series_uuid,
    rrule: rule,
    earlier: splits ? earlier() : undefined,
  };
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
    ...(change.added.length ? [copiesOfEvent(change.added, sql`select ${like}`, call)] : []),
  ];
}

/**
 * Copies of an event at other times.
 * @param like a select of its id, read before the insert
 */
export const copiesOfEvent = (copies: readonly object[], like: SQL, { db }: Pick<Call, 'db'>): Statement =>
  db.build.run(sql`with first(id) as materialized (${like})
    insert into calendar_events (context_code, effective_context_code, user_id, title, description, start_at, end_at, all_day, all_day_date, location_name, location_address,
      time_zone_edited, series_uuid, rrule, important_dates, blackout_date, comments, details, workflow_state, created_at, updated_at)
    select event.context_code, event.effective_context_code, event.user_id, coalesce(json_extract(copy.value, '$.title'), event.title), event.description,
      json_extract(copy.value, '$.start_at'), json_extract(copy.value, '$.end_at'), event.all_day, json_extract(copy.value, '$.all_day_date'), event.location_name, event.location_address,
      event.time_zone_edited, event.series_uuid, event.rrule, event.important_dates, event.blackout_date, event.comments, '{}', 'active', event.created_at, event.updated_at
    from json_each(${JSON.stringify(copies)}) copy join calendar_events event on event.id = (select id from first)`);

/** The statements that delete one event, the event and those after it, or the whole series, including locked events. */
export function deleteOfSeries(target: EventRow, series: readonly EventRow[], which: Which, call: Call): Statement[] {
  const at = which === 'all' ? 0 : series.findIndex(({ id }) => id === target.id);
  const gone = series.slice(at).map(({ id }) => id);
  const before = series.slice(0, at);
  const last = before.at(-1);
  const { build } = call.db;
  return [
    build.update(calendar_events).set({ workflow_state: 'deleted', updated_at: call.now }).where(among(calendar_events.id, gone)),
    ...(last && target.rrule
      ? [
          build
            .update(calendar_events)
            .set({ rrule: shortened(target.rrule, before.length, last.start_at ?? ''), updated_at: call.now })
            .where(
              among(
                calendar_events.id,
                before.map(({ id }) => id),
              ),
            ),
        ]
      : []),
  ];
}

/** The events of a series after an update. */
export const toldSeries = ({ ids, series_uuid, added }: SeriesChange, target: EventRow): Reply =>
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
