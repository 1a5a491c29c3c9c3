// Refuses edits of content that is locked by the blueprint of its course. A statement before the update compares the row with its new values, and aborts
// the batch when a locked column would change. Copies, syncs and scheduled work update without it.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, getTableName, is, type SQL, SQL as Sql, sql } from 'drizzle-orm';
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import { type LockCondition, locks } from '../database/lockable';
import type { Database, Statement } from '../database/open';
import { type LockableTable, lockableIn } from '../database/triggers/blueprint_sources.ts';
import { nowSql } from '../database/triggers/now.ts';
import { assignments } from '../domains/assignments/table';
import { blueprint_items, blueprint_subscriptions, blueprint_templates } from '../domains/blueprint_templates/table';
import { copied_items } from '../domains/course_copy/table';
import type { discussion_topics } from '../domains/discussion_topics/table';
import { files } from '../domains/files/table';
import type { pages } from '../domains/pages/table';
import { quizzes } from '../domains/quizzes/table';
import { notifyOfUpdate } from './notify';

type Table = typeof assignments | typeof discussion_topics | typeof files | typeof pages | typeof quizzes;

const or = (conditions: readonly SQL[]): SQL => (conditions.length === 0 ? sql`0` : sql`(${sql.join([...conditions], sql` or `)})`);

/** Pages and topics that are due, and that a request publishes before the scheduled run does. */
const isDue: { readonly [T in LockableTable]?: SQL } = {
  pages: sql`(publish_at is not null and publish_at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))`,
  discussion_topics: sql`(workflow_state = 'post_delayed')`,
};

/** Which locks an update would break, as conditions on the row before it. */
function breaches(table: SQLiteTable, set: Readonly<Record<string, unknown>>): { readonly [L in LockCondition | 'kind']?: SQL } {
  const name = getTableName(table) as LockableTable;
  const columns = getTableColumns(table);
  const after = (column: string): SQL => {
    const value = lookUp(set, column);
    return is(value, Sql) ? value : sql`${sql.param(value, lookUp(columns, column))}`;
  };
  const differs = (column: string) => sql`${lookUp(columns, column)} is not ${after(column)}`;
  const { locks: own } = lockableIn(name);
  const changes = locks.flatMap((lock) => {
    const changed = (own[lock] ?? []).filter((column) => lookUp(set, column) !== undefined);
    return changed.length === 0 ? [] : [[lock, or(changed.map(differs))] as const];
  });
  if (set.workflow_state === undefined) return Object.fromEntries(changes);
  const state = after('workflow_state');
  const isDeletion = sql`(${state} = 'deleted' and ${columns.workflow_state} <> 'deleted')`;
  const isPublication = isDue[name] ? sql`(${isDue[name]} and ${state} = 'active')` : sql`0`;
  const edits = changes.map(([lock, condition]) =>
    lock === 'state' ? ([lock, sql`(${condition} and not ${isDeletion} and not ${isPublication})`] as const) : ([lock, condition] as const),
  );
  return { ...Object.fromEntries(edits), kind: isDeletion };
}

/** Aborts the batch when an update of the rows breaks a lock; nothing for an update that breaks none. */
const refuseLocked = (db: Database, table: SQLiteTable, set: Readonly<Record<string, unknown>>, where: SQL | undefined): Statement[] =>
  refuseBreaches(db, table, breaches(table, set), where);

function refuseBreaches(db: Database, table: SQLiteTable, broken: ReturnType<typeof breaches>, where: SQL | undefined): Statement[] {
  const found = (['kind', ...locks] as const).flatMap((lock) => (broken[lock] ? [[lock, broken[lock]] as const] : []));
  if (found.length === 0) return [];
  const anyLock = or(locks.map((lock) => sql.raw(`b.${lock}`)));
  const isBroken = found.map(([lock]) => sql`(row.breaks_${sql.raw(lock)} and ${lock === 'kind' ? anyLock : sql.raw(`b.${lock}`)})`);
  const nullIf = (lock: (typeof found)[number][0], otherwise: SQL) => {
    const at = found.findIndex(([one]) => one === lock);
    return at < 0 ? otherwise : sql`case when ${isBroken[at]} then null else ${otherwise} end`;
  };
  const name = getTableName(table) as LockableTable;
  const { kind } = lockableIn(name);
  // The inserted row names the broken lock by a null in its column, which the table does not allow.
  return [
    db.build.run(
      sql`insert into ${blueprint_items} (kind, item_id, course_id, ${sql.raw(locks.join(', '))})
        select ${nullIf('kind', sql`b.kind`)}, b.item_id, b.course_id, ${sql.join(
          locks.map((lock) => nullIf(lock, sql`0`)),
          sql`, `,
        )}
        from (select id, ${sql.join(
          found.map(([lock, condition]) => sql`${condition} as breaks_${sql.raw(lock)}`),
          sql`, `,
        )} from ${table} where ${where ?? sql`1`}) row
          cross join ${copied_items} l on l.kind = ${sql.raw(`'${kind}'`)} and l.item_id = row.id
          cross join ${blueprint_subscriptions} s on s.course_id = l.course_id and s.workflow_state = 'active'
          cross join ${blueprint_templates} t on t.id = s.template_id and t.workflow_state = 'active'
          cross join ${blueprint_items} b on b.kind = l.kind and b.item_id = l.source_id and b.course_id = t.course_id
        where ${or(isBroken)}`,
    ),
  ];
}

/** Aborts the batch when the content of a quiz is locked: its questions and groups belong to it. */
export const refuseLockedQuestions = (db: Database, quiz_id: number): Statement[] =>
  refuseBreaches(db, quizzes, { content: sql`1` }, sql`quizzes.id = ${quiz_id}`);

/** Aborts the batch when the items or settings of a New Quiz are locked: they belong to its assignment. @param changesPoints points of items change */
export const refuseLockedNewQuiz = (db: Database, id: number, changesPoints = false): Statement[] =>
  refuseBreaches(db, assignments, { content: sql`1`, ...(changesPoints && { points: sql`1` }) }, sql`assignments.id = ${id}`);

/** Aborts the batch when the content of a file is locked: its title and captions as a recording belong to it. */
export const refuseLockedRecording = (db: Database, file_id: number): Statement[] =>
  refuseBreaches(db, files, { content: sql`1` }, sql`files.id = ${file_id}`);

/** Aborts the batch when the content of an assignment is locked: its link to a tool belongs to it. */
export const refuseLockedLink = (db: Database, assignment_id: number | null): Statement[] =>
  assignment_id === null ? [] : refuseBreaches(db, assignments, { content: sql`1` }, sql`assignments.id = ${assignment_id}`);

/** Updates content, unless the blueprint of its course locks what would change, and notifies of it. @param isQuiet whether edits notify no one */
export function changeUnlocked<T extends Table>(
  db: Database,
  table: T,
  set: SQLiteUpdateSetSource<T>,
  where: SQL | undefined,
  isQuiet = false,
): Statement[] {
  return [
    ...refuseLocked(db, table, set, where),
    ...notifyOfUpdate(db, table, { set, where, isQuiet }, sql.raw(nowSql)),
    db.build.update(table).set(set).where(where),
  ];
}
