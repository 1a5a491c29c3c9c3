// Items changed since a cursor: by the log, by scheduled changes, and by backlogs of courses and groups.

import { kinds, type RefetchReason } from '@carrel/shared/sync/protocol';
import { type SQL, sql } from 'drizzle-orm';
import { isStaff } from '../../contexts/predicates';
import { atMost } from '../../database/at_most';
import { tombstonesFrom } from '../../database/forget';
import type { Database } from '../../database/open';
import { observing } from '../../rules/observing';
import { type Backlog, type Cursor, type Home, scopeNameOf } from './cursor';
import { partOfWork } from './graded_walks';
import { syncedKindOf } from './kinds';
import { showing } from './showing';
import { announced, forStaff, kindsOf } from './visibility_key';

export interface LoggedChange {
  readonly seq: number;
  readonly scope: string;
  readonly kind: string;
  readonly item_id: number;
  /** Null for the caller's own items. */
  readonly home: Home | null;
  /** Items that embed this one and change with it (showing.ts); null for most. */
  readonly showing: string | null;
}

/** The rows, each with the items that show it. */
export const withShowing = (rows: readonly LoggedChange[]): LoggedChange[] =>
  rows.flatMap((row) => [
    row,
    ...(JSON.parse(row.showing ?? '[]') as [string, number, number][]).map(([kind, item_id, home]) => ({
      ...row,
      kind,
      item_id,
      home,
      showing: null,
    })),
  ]);

const homes = kinds.flatMap((kind) => {
  const home = syncedKindOf(kind)?.home?.('item_id');
  return home ? [`when '${kind}' then ${home}`] : [];
});

/** Changes that only staff see are in a scope of their own: `staff_7`. */
const homeId = `coalesce(
  case when scope like 'course%' then cast(substr(scope, 8) as integer) when scope like 'staff%' then cast(substr(scope, 7) as integer)
    when scope like 'group%' then -cast(substr(scope, 7) as integer) end,
  case kind
    ${homes.join('\n    ')} end)`;

/** Account notifications: filtered per caller when they are sent. */
const everybody = 'accounts';

/** Rows of one or several selects from `changes`, as changed items. */
const touchedIn = <Also extends Record<string, SQL.Aliased>>(
  { build }: Database,
  source: SQL,
  beside: SQL = sql`null`,
  also: Also = {} as Also,
) =>
  build
    .select({
      ...also,
      seq: sql<number>`seq`.as('seq'),
      scope: sql<string>`scope`.as('scope'),
      kind: sql<string>`kind`.as('kind'),
      item_id: sql<number>`item_id`.as('item_id'),
      home: sql<number | null>`home`.as('home'),
      showing: sql<string | null>`${beside}`.as('showing'),
    })
    .from(sql`(${source}) o`);

// Numbers are bound as reals, so `'user_' || ?` would be `user_7.0`; such texts are built here.
const own = (userId: number): SQL => sql`scope = ${`user_${userId}`}`;
const myScopes = (userId: number): SQL => sql`(
  select 'course_' || course_id from enrollments where user_id = ${userId} and enrollment_state in ('active', 'invited', 'completed', 'inactive')
  union select 'staff_' || course_id from enrollments where user_id = ${userId} and enrollment_state in ('active', 'completed') and ${isStaff()}
  union select 'group_' || group_id from group_memberships where user_id = ${userId} and workflow_state = 'accepted'
  union select ${`user_${userId}`} union select ${everybody})`;

/** Submissions of observed students are logged in the scopes of these students, of which an observer receives nothing else. */
const ofObserved = (userId: number): SQL =>
  sql`scope in (select 'user_' || observed_user_id from enrollments where ${observing(userId)}) and kind = 'submission'
    and exists (select 1 from submissions s cross join enrollments on ${observing(userId)} and enrollments.course_id = s.course_id and enrollments.observed_user_id = s.user_id where s.id = changes.item_id)`;

const inOrder = (condition: SQL, after: number, limit: number): SQL =>
  sql`select * from (select seq, scope, kind, item_id, ${sql.raw(homeId)} as home from changes where ${condition} and seq > ${after} order by seq limit ${atMost(limit)})`;

/** Reads one more than needed, to detect the last page. */
export function changesSince(db: Database, userId: number, seq: number, limit: number) {
  const [mine, observed] = [sql`scope in ${myScopes(userId)}`, ofObserved(userId)].map((which) => inOrder(which, seq, limit + 1));
  return touchedIn(db, sql`${mine} union all ${observed} order by seq limit ${atMost(limit + 1)}`, showing(userId));
}

/** Places in the first walk are contexts; account notifications come after the caller's own items and before the first course. */
export const placeOfAnnounced = 0.5;
/** What only staff see follows the other items of the course. */
export const placeOfStaff = (course: number): number => course + 0.5;

/** A backlog item and its place; places ascend during the walk. */
export interface WaitingChange extends LoggedChange {
  readonly place: number;
  /** The caller may not know of it: it only moves the walk on. */
  readonly isHidden?: boolean;
}

/** The scope of the change log that a backlog walks. */
function scopeOf(home: Home, part: number, userId: number): string {
  if (home === 0) return part === announced ? everybody : `user_${userId}`;
  return part === forStaff ? `staff_${home}` : scopeNameOf(home);
}

/**
 * Each backlog with its place, its scope and where to start. Without backlogs: the caller's groups, own items and courses, in the order of their
 * numbers.
 */
const placesOf = (userId: number, backlogs: readonly Backlog[] | undefined): SQL =>
  backlogs
    ? sql`places(place, at_home, walks, told, kinds) as materialized (select key, value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${JSON.stringify(
        // Their index is their place. Graded work is not walked along the log.
        backlogs.map(({ home, after, part }) => [
          home,
          part >= partOfWork ? '' : scopeOf(home, part, userId),
          part >= partOfWork ? Number.MAX_SAFE_INTEGER : after,
          part === 0 ? null : JSON.stringify(kindsOf(home, part)),
        ]),
      )}))`
    : sql`places(place, at_home, walks, told, kinds) as materialized (select 0, 0, ${`user_${userId}`}, 0, null union all
        select ${placeOfAnnounced}, 0, ${everybody}, 0, null union all
        select -group_id, -group_id, 'group_' || group_id, 0, null from group_memberships where user_id = ${userId} and workflow_state = 'accepted' union all
        select course_id, course_id, 'course_' || course_id, 0, null from enrollments where user_id = ${userId} and enrollment_state in ('active', 'invited', 'completed', 'inactive') group by course_id union all
        select course_id + 0.5, course_id, 'staff_' || course_id, 0, ${JSON.stringify(kindsOf(1, forStaff))} from enrollments where user_id = ${userId} and enrollment_state in ('active', 'completed') and ${isStaff()} group by course_id order by 1)`;

const isOfKind = sql`(kinds is null or kind in (select value from json_each(kinds)))`;

/**
 * Scopes from their beginnings, one after the other along their index, so that a snapshot reads each change once. A course or group includes the
 * caller's own items in it; items without a context are separate. Two statements, each ordered by place and seq.
 */
export function backlogsOf(db: Database, userId: number, backlogs: readonly Backlog[] | undefined, limit: number) {
  const places = placesOf(userId, backlogs);
  const select = (source: SQL) => {
    const place = sql<number>`place`.as('place');
    return touchedIn(db, source, sql`null`, { place });
  };
  // A cross join keeps this order without sorting, so that the limit ends the walk.
  const walked = sql`with ${places} select place, seq, scope, kind, item_id, nullif(at_home, 0) as home from places cross join changes indexed by changes_in_scope on scope = walks and seq > told where (at_home <> 0 or ${sql.raw(homeId)} is null) and ${isOfKind} limit ${atMost(limit + 1)}`;
  const mine = sql`with ${places}, mine as materialized (select seq, scope, kind, item_id, ${sql.raw(homeId)} as home from changes where (${own(userId)} or ${ofObserved(userId)}) and exists (select 1 from places where at_home <> 0)) select place, seq, scope, kind, item_id, home from places cross join mine on home = at_home and seq > told where ${isOfKind} order by place, seq limit ${atMost(limit + 1)}`;
  return [select(walked), select(mine)] as const;
}

/** The content of a module item as a list of kinds and ids; a graded discussion or quiz also represents its assignment. */
const contentOfItem = sql.raw(
  `json_array(json_array(case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' when 'Quiz' then 'quiz' end, i.content_id),
      json_array('assignment', case i.type when 'Discussion' then (select t.assignment_id from discussion_topics t where t.id = i.content_id) when 'Quiz' then (select z.assignment_id from quizzes z where z.id = i.content_id) end))`,
);

// `0` follows `/` in ASCII: a range, so that the index on paths is used.
const isBelow = sql.raw(
  "b.context_type = o.context_type and b.context_id = o.context_id and b.full_name > o.full_name || '/' and b.full_name < o.full_name || '0'",
);

/** Scheduled changes since the cursor, with the content of modules, and with folders and their parents. */
export function scheduledChangesSince(db: Database, userId: number, from: string, to: string) {
  const due: SQL = sql`select scope, kind, item_id, field in ('unlock_at', 'lock_at') from scheduled_changes where scope in ${myScopes(userId)} and at > ${from} and at <= ${to}`;
  const all = sql`(with due(scope, kind, item_id, is_own) as (${due})
    select scope, kind, item_id from due
    union select d.scope, c.value ->> 0, c.value ->> 1 from due d cross join module_items i on i.module_id = d.item_id cross join json_each(${contentOfItem}) c where d.kind = 'module' and c.value ->> 0 is not null and c.value ->> 1 is not null
    union select d.scope, 'folder', o.parent_folder_id from due d join folders o on o.id = d.item_id where d.kind = 'folder' and d.is_own and o.parent_folder_id is not null
    union select d.scope, 'folder', b.id from due d join folders o on o.id = d.item_id join folders b on ${isBelow} where d.kind = 'folder' and d.is_own
    union select d.scope, 'file', f.id from due d join folders o on o.id = d.item_id join files f on f.folder_id in (select o.id union all select b.id from folders b where ${isBelow}) where d.kind = 'folder' and d.is_own) m`;
  const cells = sql`select 0 as seq, m.scope as scope, m.kind as kind, m.item_id as item_id, ${sql.raw(homeId)} as home from ${all}`;
  return touchedIn(db, cells, showing(userId));
}

/** The newest change, even if its tombstone has been deleted. */
const newest = sql<number>`max((select coalesce(max(seq), 0) from changes), (select cast(value as integer) from facts where name = 'oldest_seq'))`;

/** The nonce of the log mark that covers a change. */
const markOf = (seq: SQL | number) =>
  sql<string | null>`(select nonce from log_marks where first_seq <= ${seq} order by first_seq desc limit 1)`;

/** @param seen the newest change of the log at the time the cursor was written */
export const factsOfTheLog = ({ build }: Database, seen: number) =>
  build
    .select({
      epoch: sql<string>`(select value from facts where name = 'epoch')`.as('epoch'),
      oldest_seq: sql<number>`(select cast(value as integer) from facts where name = 'oldest_seq')`.as('oldest_seq'),
      newest_seq: newest.as('newest_seq'),
      newest_mark: markOf(newest).as('newest_mark'),
      seen_mark: markOf(seen).as('seen_mark'),
    })
    .from(sql`(select 1)`);

interface Log {
  readonly epoch: string;
  readonly oldest_seq: number;
  readonly newest_seq: number;
  readonly seen_mark: string | null;
}

/** Whether the log is not the one of the cursor: it is shorter, or has a different mark. */
function isForked({ newest, mark, at }: Cursor, { newest_seq, seen_mark }: Log, now: string): boolean {
  if (newest > newest_seq) return true;
  // Log marks are deleted only when they are as old as deleted tombstones.
  const isForgotten = seen_mark === null && at < tombstonesFrom(now);
  return !isForgotten && (seen_mark ?? '') !== mark;
}

/** Why a cursor cannot be used, if so: the log was replaced, or required tombstones are deleted. */
export function whyLost(cursor: Cursor, log: Log, now: string): RefetchReason | undefined {
  if (cursor.epoch !== log.epoch) return 'epoch';
  if (isForked(cursor, log, now)) return 'forked';
  const isExpired = (cursor.seq > 0 && cursor.seq < log.oldest_seq) || (log.seen_mark === null && cursor.mark !== '');
  return isExpired ? 'expired' : undefined;
}
