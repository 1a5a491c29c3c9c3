// Merges two users, and splits them again: each is one atomic batch, conditional on the current state, so that repetition and concurrent changes are
// safe.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, asc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database, Statement } from '../../database/open';
import { countUpTo } from '../../database/retention';
import { noteThreads, passThreads, recount } from './conversations';
import { noteEnrollments, passEnrollments } from './enrollments';
import { noteFiles, passFiles } from './files';
import { noteOwnLinks, passOwnLinks } from './links';
import { anyPair, forPair, type MergeDirection, type MergePair, noteOwnedColumns, openMerge, passOwnedColumns, runSql } from './passing';
import { noteSubmissions, passSubmissions } from './submissions';
import { user_merges } from './table';

const day = 86_400_000;

/** Reference 01 B6: a merge can be undone for this many days. */
const splittableDays = 180;
export const splittableSince = (now: string): string => wireTime(Date.parse(now) - splittableDays * day);

interface Actor {
  readonly id: number;
  readonly real_user_id: number;
}

const pass = (db: Database, pair: MergePair, way: MergeDirection, now: string): Statement[] => [
  ...passSubmissions(db, pair, way),
  ...passThreads(db, pair, way),
  ...passOwnedColumns(db, pair, way),
  ...passFiles(db, pair, way, now),
  recount(db, pair, pair.destination),
  ...(way === 'back' ? [recount(db, pair, pair.source)] : []),
  ...passOwnLinks(db, pair, way),
  ...ordered(db, pair),
  ...passEnrollments(db, pair, way, now),
  recountReads(db, pair),
];

/** Touches logins and addresses, so that triggers copy them to the sort keys of the users again. */
const ordered = (db: Database, { source, destination }: MergePair): Statement[] => [
  runSql(db, `update logins set workflow_state = workflow_state where user_id in (${source}, ${destination})`),
  runSql(
    db,
    `update communication_channels set position = position, workflow_state = workflow_state where user_id in (${source}, ${destination})`,
  ),
  runSql(
    db,
    `update users set sort_email = '' where id in (${source}, ${destination}) and not exists (select 1 from communication_channels c where c.user_id = users.id)`,
  ),
];

/** Recounts read entries of topics in which read marks of both were merged or split. */
const recountReads = (db: Database, { source, destination }: MergePair): Statement =>
  runSql(
    db,
    `update discussion_topic_reads set read_count = (select count(*) from discussion_entry_reads r join discussion_entries e on e.id = r.discussion_entry_id and e.workflow_state = 'active'
        where r.discussion_topic_id = discussion_topic_reads.discussion_topic_id and r.user_id = discussion_topic_reads.user_id and r.read = 1)
      where user_id in (${source}, ${destination}) and discussion_topic_id in (
        select e.discussion_topic_id from user_merge_items i join discussion_entries e on e.id = i.row_key ->> '$[0]'
        where i.merge_id = ${openMerge({ source, destination })} and i.kind = 'discussion_entry_reads.user_id')`,
  );

const stepped = (db: Database, pair: MergePair, from: string, to: string): Statement =>
  runSql(db, `update user_merge_items set step = '${to}' where merge_id = ${openMerge(pair)} and step = '${from}'`);

/** Moves everything of the source that has not been recorded yet. */
const goOver = (db: Database, pair: MergePair, now: string): Statement[] => [
  ...noteSubmissions(db, pair),
  ...noteThreads(db, pair),
  ...noteOwnedColumns(db, pair),
  ...noteFiles(db, pair),
  ...noteOwnLinks(db, pair),
  ...noteEnrollments(db, pair),
  ...pass(db, pair, 'over', now),
  stepped(db, pair, 'going', 'gone'),
];

const isLive = (id: number) => sql`exists (select 1 from users u where u.id = ${id} and u.workflow_state <> 'deleted')`;

/** The merge. Does nothing unless both users exist. */
export const mergeStatements = (db: Database, pair: MergePair, actor: Actor, now: string): Statement[] =>
  merging(db, anyPair, actor, now).map((statement) => forPair(db, pair, statement));

const merging = (db: Database, pair: MergePair, actor: Actor, now: string): Statement[] => [
  db.build.run(sql`insert into user_merges (source_id, destination_id, actor_id, real_actor_id, source_state, created_at)
    select u.id, ${pair.destination}, ${actor.id}, ${actor.real_user_id}, u.workflow_state, ${now} from users u
    where u.id = ${pair.source} and u.workflow_state <> 'deleted' and ${isLive(pair.destination)} and ${pair.source} <> ${pair.destination}`),
  ...goOver(db, pair, now),
  db.build.run(sql`update users set workflow_state = 'deleted', merged_into_user_id = ${pair.destination}, updated_at = ${now}
    where id = ${pair.source} and workflow_state <> 'deleted' and ${sql.raw(openMerge(pair))} is not null`),
  // The destination has other logins and addresses now.
  db.build.run(sql`update users set updated_at = ${now} where id = ${pair.destination} and ${sql.raw(openMerge(pair))} is not null`),
];

/** Undoes the merge: restores the source with its data. */
export const splitStatements = (db: Database, pair: MergePair, actor: Actor, now: string): Statement[] =>
  splitting(db, anyPair, actor, now).map((statement) => forPair(db, pair, statement));

const splitting = (db: Database, pair: MergePair, actor: Actor, now: string): Statement[] => [
  stepped(db, pair, 'gone', 'returning'),
  db.build.run(sql`update users set merged_into_user_id = null, updated_at = ${now},
      workflow_state = (select m.source_state from user_merges m where m.id = ${sql.raw(openMerge(pair))})
    where id = ${pair.source} and ${sql.raw(openMerge(pair))} is not null`),
  ...pass(db, pair, 'back', now),
  stepped(db, pair, 'returning', 'returned'),
  db.build.run(sql`update users set updated_at = ${now} where id = ${pair.destination}`),
  db.build.run(sql`update user_merges set split_at = ${now}, split_by_id = ${actor.real_user_id} where id = ${sql.raw(openMerge(pair))}`),
];

/** Longer than any request that began before the merge can run. */
const unsettledFor = 2 * 60_000;

const mergesAtOnce = 20;

/** Also moves rows that concurrent requests wrote for the source during the merge. @returns how many merges are left, at least */
export async function settleMerges(db: Database, now: string): Promise<number> {
  const [unsettled] = await db.perform([
    db.build
      .select()
      .from(user_merges)
      .where(and(isNull(user_merges.settled_at), lt(user_merges.created_at, wireTime(Date.parse(now) - unsettledFor))))
      .orderBy(asc(user_merges.created_at))
      .limit(mergesAtOnce + 1),
  ]);
  const merges = unsettled.slice(0, mergesAtOnce);
  for (const merge of merges) {
    const pair = { source: merge.source_id, destination: merge.destination_id };
    const settled = db.build.update(user_merges).set({ settled_at: now }).where(eq(user_merges.id, merge.id));
    const over = merge.split_at === null ? goOver(db, anyPair, now).map((statement) => forPair(db, pair, statement)) : [];
    await db.perform([...over, settled]);
  }
  return unsettled.length - merges.length;
}

const itemsAtOnce = 1000;

/**
 * Deletes the recorded items once a split is no longer possible; the merge itself stays on record. Old merges are checked for another month.
 * @returns how many are left, as far as they were counted
 */
export async function forgetMergedItems(db: Database, now: string): Promise<number> {
  const before = (time: string, days: number) => wireTime(Date.parse(time) - days * day);
  const inMonthTo = (column: SQL, end: string) => sql`${column} >= ${before(end, 30)} and ${column} < ${end}`;
  const old = sql`from user_merge_items where merge_id in (select id from user_merges where ${inMonthTo(sql`created_at`, splittableSince(now))}
    union select id from user_merges where ${inMonthTo(sql`split_at`, before(now, 1))})`;
  const [, counted] = await db.perform([
    db.build.run(sql`delete from user_merge_items where rowid in (select rowid ${old} limit ${atMost(itemsAtOnce)})`),
    countUpTo(db, old),
  ]);
  return counted[0]?.count ?? 0;
}
