// Merges runs of page views into larger ones, so that a request reads few objects. Each level covers a longer period; the last is a day. A merge can
// stop after each object: the next chore continues after the last stored view. Requests see the new run once it is complete, and then no longer the
// old ones.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, asc, eq, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database } from '../../database/open';
import type { RowOf } from '../../http/listing';
import { byPosition, type ViewPosition } from './lines';
import { RunReader, RunWriter, type StoredObject, type ViewStore } from './objects';
import { page_view_objects, page_view_runs } from './table';
import { addObjects } from './take_in';

type ViewRun = RowOf<typeof page_view_runs>;

/** Minutes of the period of each level; runs of the first are as taken in. */
export const levels = [1, 10, 60, 360, 1440] as const;

/** Runs are merged this long after their period. Runs that are added later are merged by themselves. */
const patience = 2;
/** One object of each is in memory, a megabyte. */
const mostSources = 12;
/** Limits of a chore: objects written, and merges, of which the smallest write one object. */
const mostObjects = 16;
const mostMerges = 8;

const minute = 60_000;
const startOf = (period: string, minutes: number): string =>
  wireTime(Math.floor(Date.parse(period) / (minutes * minute)) * minutes * minute);

export interface ViewMerge {
  readonly level: number;
  readonly period: string;
  readonly sources: readonly ViewRun[];
}

/** The oldest runs of one period that has ended, of the lowest level: these are what requests read most of. */
export function nextMerge(runs: readonly ViewRun[], now: string): ViewMerge | undefined {
  for (const [level, minutes] of levels.entries()) {
    if (level === 0) continue;
    const ended = startOf(wireTime(Date.parse(now) - patience * minute), minutes);
    const waiting = runs
      .filter((run) => run.level === level - 1 && run.merged_into_run_id === null && run.period < ended)
      .toSorted((one, other) => (one.period < other.period ? -1 : 1));
    const [oldest] = waiting;
    if (!oldest) continue;
    const period = startOf(oldest.period, minutes);
    const sources = waiting.filter((run) => startOf(run.period, minutes) === period).slice(0, mostSources);
    return { level, period, sources };
  }
  return undefined;
}

const isActive = eq(page_view_runs.workflow_state, 'active');

async function begin(db: Database, { level, period, sources }: ViewMerge, now: string): Promise<void> {
  const { build } = db;
  const ids = sources.map(({ id }) => id);
  const still = and(among(page_view_runs.id, ids), isActive, sql`${page_view_runs.merged_into_run_id} is null`);
  if (ids.length === 1) {
    // Nothing to merge with.
    await db.perform([build.update(page_view_runs).set({ level, period, updated_at: now }).where(still)]);
    return;
  }
  await db.perform([
    build.run(sql`insert into page_view_runs (level, period, workflow_state, from_time, to_time, created_at, updated_at)
      select ${level}, ${period}, 'building', min(from_time), max(to_time), ${now}, ${now} from page_view_runs where ${among(page_view_runs.id, ids)}`),
    build.update(page_view_runs).set({ merged_into_run_id: sql`(select max(id) from page_view_runs)`, updated_at: now }).where(still),
  ]);
}

/** Reads the sources of a merge, and what it has stored. */
async function loaded(db: Database, { id }: ViewRun) {
  const { build } = db;
  const [stored, sources, objects] = await db.perform([
    build.all<ViewPosition>(
      sql`select to_user as user, to_time as time, to_uuid as uuid from page_view_objects where run_id = ${id} order by to_user desc, to_time, to_uuid limit 1`,
    ),
    build
      .select({ id: page_view_runs.id })
      .from(page_view_runs)
      .where(and(eq(page_view_runs.merged_into_run_id, id), sql`${page_view_runs.merged_into_run_id} is not null`, isActive)),
    build
      .select()
      .from(page_view_objects)
      .where(
        sql`${page_view_objects.run_id} in (select s.id from page_view_runs s where s.merged_into_run_id = ${id} and s.merged_into_run_id is not null)
          and ${page_view_objects.to_user} >= coalesce((select max(done.to_user) from page_view_objects done where done.run_id = ${id}), 0)`,
      ),
  ]);
  return { last: stored[0], sources, objects };
}

const positionOf = ({ to_user, to_time, to_uuid }: StoredObject): ViewPosition => ({ user: to_user, time: to_time, uuid: to_uuid });

/** The sources become one run, all at once. */
async function finish(db: Database, { id }: ViewRun, now: string): Promise<void> {
  await db.perform([
    db.build.run(
      sql`update page_view_runs set workflow_state = 'deleted', updated_at = ${now} where merged_into_run_id = ${id} and merged_into_run_id is not null and workflow_state = 'active'`,
    ),
    db.build.run(
      sql`update page_view_runs set workflow_state = case when exists (select 1 from page_view_objects o where o.run_id = ${id}) then 'active' else 'deleted' end,
        updated_at = ${now} where id = ${id} and workflow_state = 'building'`,
    ),
  ]);
}

/** Only while it is being built: a second chore may have finished the merge. */
const stillBuilding = (id: number) => sql`(select b.id from page_view_runs b where b.id = ${id} and b.workflow_state = 'building')`;

/** @returns how many objects it has written, and whether the merge is complete */
async function advance(env: ViewStore, db: Database, run: ViewRun, most: number): Promise<{ written: number; isComplete: boolean }> {
  const { last, sources, objects } = await loaded(db, run);
  const readers = sources.map(({ id }) => {
    const own = objects.filter((one) => one.run_id === id && !(last && byPosition(positionOf(one), last) <= 0));
    return new RunReader(
      env,
      own.toSorted((one, other) => byPosition(positionOf(one), positionOf(other))),
      last,
    );
  });
  for (const reader of readers) await reader.load();
  const writer = new RunWriter(env, run.period.slice(0, 10));
  let known = 0;
  let before = last;
  const register = async () => {
    if (writer.stored.length === known) return;
    await db.perform([addObjects(db, writer.stored.slice(known), stillBuilding(run.id))]);
    known = writer.stored.length;
  };
  for (;;) {
    let least: RunReader | undefined;
    for (const reader of readers) if (reader.head && (!least?.head || byPosition(reader.head, least.head) < 0)) least = reader;
    if (!least?.head) break;
    const line = least.head;
    if (!least.step()) await least.load();
    // Two runs contain the same view if a chore was stopped.
    if (before && byPosition(before, line) === 0) continue;
    before = line;
    if (!writer.add(line)) continue;
    await writer.rest();
    await register();
    if (known >= most) return { written: known, isComplete: false };
  }
  await writer.close();
  await register();
  return { written: known, isComplete: true };
}

const currentRuns = async (db: Database): Promise<ViewRun[]> => {
  const { build } = db;
  const [active, building] = await db.perform([
    build.select().from(page_view_runs).where(isActive).orderBy(asc(page_view_runs.to_time)),
    build.select().from(page_view_runs).where(eq(page_view_runs.workflow_state, 'building')).orderBy(asc(page_view_runs.id)),
  ]);
  return [...active, ...building];
};

/** Continues the merges that have begun, then begins others, within the limits of a chore. */
export async function compactViews(env: ViewStore, db: Database, now: string): Promise<void> {
  let written = 0;
  for (let merge = 0; merge < mostMerges && written < mostObjects; merge++) {
    const runs = await currentRuns(db);
    const building = runs.find((run) => run.workflow_state === 'building');
    if (building) {
      const done = await advance(env, db, building, mostObjects - written);
      written += done.written;
      if (done.isComplete) await finish(db, building, now);
      continue;
    }
    const next = nextMerge(
      runs.filter((run) => run.workflow_state === 'active'),
      now,
    );
    if (!next) return;
    await begin(db, next, now);
  }
}
