// Keeps a graded discussion and its assignment in step: a write of one of them updates the other in the same batch.

import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import type { Database, Statement } from '../database/open';
import { assignments } from '../domains/assignments/table';
import { discussion_topics } from '../domains/discussion_topics/table';
import { changeUnlocked } from './blueprint_locks';

/** How a follower is written: an edit obeys the locks of a blueprint, a copy does not. */
type Write = typeof changeUnlocked;
const copy: Write = (db, table, set, where) => [db.build.update(table).set(set).where(where)];

/** What both have, by the columns of each. */
const shared = { name: 'title', description: 'message', workflow_state: 'workflow_state', group_category_id: 'group_category_id' } as const;
type OfAssignment = keyof typeof shared;
const everything = Object.keys(shared) as OfAssignment[];

const anyOf = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` or `)})`;

/**
 * Applies the changed columns of assignments to their topics. Others are left out: SQLite compiles the triggers of every column that an update names.
 * @param ids a select of assignments
 */
function topicsFollow(write: Write, db: Database, ids: SQL, changed: readonly OfAssignment[]): Statement[] {
  const own = (column: string) => sql`discussion_topics.${sql.raw(column)}`;
  const its = (column: string) => sql`(select a.${sql.raw(column)} from assignments a where a.id = discussion_topics.assignment_id)`;
  const isPublished = sql`${own('workflow_state')} = 'unpublished' and ${its('workflow_state')} = 'published'`;
  const atPublication = (column: string) => sql`case when ${isPublished} then ${its('updated_at')} else ${own(column)} end`;
  const states = {
    posted_at: atPublication('posted_at'),
    last_reply_at: atPublication('last_reply_at'),
    // A delayed topic stays delayed.
    workflow_state: sql`case when ${its('workflow_state')} <> 'published' then ${its('workflow_state')}
      when ${own('workflow_state')} = 'unpublished' then 'active' else ${own('workflow_state')} end`,
  };
  const differs = changed.map((column) =>
    column === 'workflow_state'
      ? sql`(a.workflow_state = 'unpublished') <> (${own('workflow_state')} = 'unpublished') or a.workflow_state = 'deleted'`
      : sql`a.${sql.raw(column)} is not ${own(shared[column])}`,
  );
  return write(
    db,
    discussion_topics,
    {
      ...Object.fromEntries(changed.map((column) => [shared[column], its(column)])),
      ...(changed.includes('workflow_state') && states),
      updated_at: its('updated_at'),
    },
    sql`discussion_topics.assignment_id in (${ids}) and discussion_topics.workflow_state <> 'deleted'
      and exists (select 1 from assignments a where a.id = discussion_topics.assignment_id and ${anyOf(differs)})`,
  );
}

const stateOf = "(case t.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end)";

/** Applies the changed columns of topics to their assignments. @param ids a select of topics */
function assignmentsFollow(write: Write, db: Database, ids: SQL, changed: readonly OfAssignment[]): Statement[] {
  const theirs = sql`from discussion_topics t where t.id in (${ids}) and t.assignment_id = assignments.id`;
  const its = (value: string) => sql`(select ${sql.raw(value)} ${theirs})`;
  const columnOf = (column: OfAssignment) => (column === 'workflow_state' ? stateOf : `t.${shared[column]}`);
  const differs = changed.map((column) => sql.raw(`${columnOf(column)} is not assignments.${column}`));
  return write(
    db,
    assignments,
    { ...Object.fromEntries(changed.map((column) => [column, its(columnOf(column))])), updated_at: its('t.updated_at') },
    sql`assignments.id in (select t.assignment_id from discussion_topics t where t.id in (${ids}) and t.assignment_id is not null)
      and assignments.workflow_state <> 'deleted' and exists (select 1 ${theirs} and ${anyOf(differs)})`,
  );
}

/** Run after copied assignments are written. */
export const topicsFollowCopies = (db: Database, ids: SQL): Statement[] => topicsFollow(copy, db, ids, everything);
/** Run after copied topics are written. */
export const assignmentsFollowCopies = (db: Database, ids: SQL): Statement[] => assignmentsFollow(copy, db, ids, everything);

const isSet = (set: object, column: string): boolean => Object.entries(set).some(([name, value]) => name === column && value !== undefined);

/**
 * Updates assignments, and their topics in step.
 * @param ids a select of the assignments, before and after the update
 * @param only further conditions on their rows before the update
 * @param isQuiet whether edits notify no one
 */
export function changeAssignments(
  db: Database,
  ids: SQL,
  set: SQLiteUpdateSetSource<typeof assignments>,
  only: SQL = sql`1`,
  isQuiet = false,
): Statement[] {
  const changed = everything.filter((column) => isSet(set, column));
  return [
    ...changeUnlocked(db, assignments, set, sql`assignments.id in (${ids}) and ${only}`, isQuiet),
    ...(changed.length === 0 ? [] : topicsFollow(changeUnlocked, db, ids, changed)),
  ];
}

/** Deletes assignments, and their topics before them. @param ids a select of the assignments before the deletion */
export function removeAssignments(db: Database, ids: SQL, now: string): Statement[] {
  const set = { workflow_state: 'deleted' as const, updated_at: now };
  return [
    ...changeUnlocked(
      db,
      discussion_topics,
      set,
      sql`discussion_topics.assignment_id in (${ids}) and discussion_topics.workflow_state <> 'deleted'`,
    ),
    ...changeUnlocked(db, assignments, set, sql`assignments.id in (${ids})`),
  ];
}

/** Updates topics, and their assignments in step. The parameters are those of `changeAssignments`. */
export function changeTopics(
  db: Database,
  ids: SQL,
  set: SQLiteUpdateSetSource<typeof discussion_topics>,
  only: SQL = sql`1`,
): Statement[] {
  const changed = everything.filter((column) => isSet(set, shared[column]));
  return [
    ...changeUnlocked(db, discussion_topics, set, sql`discussion_topics.id in (${ids}) and ${only}`),
    ...(changed.length === 0 ? [] : assignmentsFollow(changeUnlocked, db, ids, changed)),
  ];
}
