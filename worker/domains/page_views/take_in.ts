// Takes in new page views: the batches of isolates become a sorted run that can be read. Called by the scheduled run.

import { eq, sql } from 'drizzle-orm';
import { slicesOf } from '../../database/many_rows';
import type { Database, Statement } from '../../database/open';
import type { Platform } from '../../platform';
import { textOfError } from '../../steps';
import { linesIn, sortedLines, type ViewLine, viewOfLine } from './lines';
import { isMovedBatch } from './move';
import { newViews, RunWriter, type StoredObject, type ViewStore } from './objects';
import { page_view_intakes } from './table';
import { tallyOf } from './tally';

/** Limits of a pass, so that it fits into memory, and passes of a run, because the platform limits how many objects an invocation reads. */
const mostObjects = 100;
const mostBytes = 8 * 1024 * 1024;
const mostPasses = 3;
/** The platform opens at most six connections at a time. */
const together = 6;

async function textsOf(env: ViewStore, keys: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (let nth = 0; nth < keys.length; nth += together) {
    const some = keys.slice(nth, nth + together).map(async (key) => (await env.FILES.get(key))?.text() ?? '');
    texts.push(...(await Promise.all(some)));
  }
  return texts;
}

/** Adds objects to the newest run, or to one that is still being built. */
export const addObjects = (db: Database, objects: readonly StoredObject[], run = sql`(select max(id) from page_view_runs)`): Statement =>
  db.build.run(sql`insert into page_view_objects (run_id, key, from_user, to_user, to_time, to_uuid, blocks)
    select run.id, o.value ->> 'key', o.value ->> 'from_user', o.value ->> 'to_user', o.value ->> 'to_time', o.value ->> 'to_uuid', o.value -> 'blocks'
    from page_view_runs run join json_each(${JSON.stringify(objects)}) o where run.id = ${run}`);

/** Rows per statement, because a parameter is limited to two megabytes. */
const mostAccesses = 5000;

/** A user's last access is written at most once in six hours, because views are frequent and a row written costs as much as a thousand read. */
function noteAccesses(db: Database, lines: readonly ViewLine[]): Statement[] {
  // Lines are sorted by user, the newest first.
  const newest = lines.filter(({ user }, nth) => nth === 0 || lines[nth - 1]?.user !== user);
  const rows = newest.map(({ user, time, text }) => [user, time, viewOfLine(text).remote_ip]);
  return Array.from({ length: Math.ceil(rows.length / mostAccesses) }, (_, nth) =>
    db.build.run(sql`insert into user_accesses (user_id, last_at, last_ip)
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(rows.slice(nth * mostAccesses, (nth + 1) * mostAccesses))}) where true
      on conflict (user_id) do update set last_at = excluded.last_at, last_ip = coalesce(excluded.last_ip, last_ip)
      where excluded.last_at > strftime('%Y-%m-%dT%H:%M:%SZ', last_at, '+6 hours')`),
  );
}

const earliest = (times: readonly string[]) => times.reduce((one, other) => (other < one ? other : one));
const latest = (times: readonly string[]) => times.reduce((one, other) => (other > one ? other : one));

/** Stores the views of a day as a run of that day, so that it expires with them. @returns the statements that make it readable */
async function storeRun(env: ViewStore, db: Database, day: string, lines: readonly ViewLine[], now: string): Promise<Statement[]> {
  const writer = new RunWriter(env, day);
  for (const line of lines) if (writer.add(line)) await writer.rest();
  await writer.close();
  const times = lines.map(({ time }) => time);
  const newest = latest(times);
  return [
    db.build.run(sql`insert into page_view_runs (level, period, workflow_state, from_time, to_time, created_at, updated_at)
      values (0, ${newest}, 'active', ${earliest(times)}, ${newest}, ${now}, ${now})`),
    addObjects(db, writer.stored),
  ];
}

/** Entries per row, so that a row stays far below the limit of two megabytes. */
const mostEntries = 4000;

/** Stores the counts of the views, in the transaction that makes them readable. */
const storeTally = (db: Database, lines: readonly ViewLine[]): Statement[] =>
  slicesOf(tallyOf(lines.map(({ text }) => viewOfLine(text))), mostEntries).map((entries) =>
    db.build.run(sql`insert into page_view_tallies (entries, size) values (${JSON.stringify(entries)}, ${entries.length})`),
  );

/** Aborts the transaction if another run has committed since. */
const commitIntake = (db: Database, version: number, keys: readonly string[]): Statement =>
  db.build.run(sql`insert into page_view_intakes (id, version, keys) values (1, ${version + 1}, ${JSON.stringify(keys)})
    on conflict (id) do update set version = case when version = ${version} then excluded.version end, keys = excluded.keys`);
const isOvertaken = (error: unknown) => /NOT NULL constraint failed: page_view_intakes\.version/.test(textOfError(error));

/** @returns whether more may be waiting */
async function takeSome(env: ViewStore, db: Database, now: string): Promise<boolean> {
  // Read before the list, so that a batch that is listed is new, or one of these.
  const [[last]] = await db.perform([db.build.select().from(page_view_intakes).where(eq(page_view_intakes.id, 1))]);
  const { objects: listed } = await env.FILES.list({ prefix: newViews, limit: mostObjects });
  const isTaken = ({ key }: { readonly key: string }) => last?.keys.includes(key) ?? false;
  const left = listed.filter(isTaken);
  // Before the next commit, which names other batches.
  if (left.length > 0) await env.FILES.delete(left.map(({ key }) => key));
  const objects = listed.filter((one) => !isTaken(one));
  let bytes = 0;
  const taken = objects.filter(({ size }, nth) => {
    bytes += size;
    return nth === 0 || bytes <= mostBytes;
  });
  if (taken.length === 0) return listed.length === mostObjects;
  const keys = taken.map(({ key }) => key);
  const texts = await textsOf(env, keys);
  const lines = sortedLines(texts.flatMap(linesIn));
  // Views of an earlier version may be stored twice before they are moved, and were made before there were counters.
  const counted = sortedLines(texts.filter((_, nth) => !isMovedBatch(keys[nth] ?? '')).flatMap(linesIn));
  const statements: Statement[] = [];
  for (const [day, some] of Map.groupBy(lines, ({ time }) => time.slice(0, 10)))
    statements.push(...(await storeRun(env, db, day, some, now)));
  try {
    await db.perform([commitIntake(db, last?.version ?? 0, keys), ...statements, ...noteAccesses(db, lines), ...storeTally(db, counted)]);
  } catch (error) {
    // Another run is taking in the same batches.
    if (isOvertaken(error)) return false;
    throw error;
  }
  // If the run stops before this, the next one deletes them.
  await env.FILES.delete(keys);
  return taken.length < objects.length || listed.length === mostObjects;
}

/** What a run does not take in, a job does. */
export async function takeInViews(env: ViewStore & Pick<Platform, 'WORK'>, db: Database, now: string): Promise<void> {
  for (let pass = 1; await takeSome(env, db, now); pass++) {
    if (pass < mostPasses) continue;
    await env.WORK.send({ job: 'take_in_page_views' });
    return;
  }
}
