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

/** Applies name, text, state and group set of assignments to their topics. @param ids a select of assignments */
function topicsFollow(write: Write, db: Database, ids: SQL): Statement[] {
  const its = (column: string) => sql`(select a.${sql.raw(column)} from assignments a where a.id = discussion_topics.assignment_id)`;
  const isPublished = sql`discussion_topics.workflow_state = 'unpublished' and ${its('workflow_state')} = 'published'`;
  const atPublication = (column: string) =>
    sql`case when ${isPublished} then ${its('updated_at')} else discussion_topics.${sql.raw(column)} end`;
  const differs = sql`exists (select 1 from assignments a where a.id = discussion_topics.assignment_id and (a.name <> discussion_topics.title
    or a.description is not discussion_topics.message or a.group_category_id is not discussion_topics.group_category_id
    or (a.workflow_state = 'unpublished') <> (discussion_topics.workflow_state = 'unpublished') or a.workflow_state = 'deleted'))`;
  return write(
    db,
    discussion_topics,
    {
      title: its('name'),
      message: its('description'),
      group_category_id: its('group_category_id'),
      updated_at: its('updated_at'),
      posted_at: atPublication('posted_at'),
      last_reply_at: atPublication('last_reply_at'),
      // A delayed topic stays delayed.
      workflow_state: sql`case when ${its('workflow_state')} <> 'published' then ${its('workflow_state')}
        when discussion_topics.workflow_state = 'unpublished' then 'active' else discussion_topics.workflow_state end`,
    },
    sql`discussion_topics.assignment_id in (${ids}) and discussion_topics.workflow_state <> 'deleted' and ${differs}`,
  );
}

const stateOf = sql.raw("case t.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end");

/** Applies title, text, state and group set of topics to their assignments. @param ids a select of topics */
function assignmentsFollow(write: Write, db: Database, ids: SQL): Statement[] {
  const theirs = sql`from discussion_topics t where t.id in (${ids}) and t.assignment_id = assignments.id`;
  const its = (column: SQL) => sql`(select ${column} ${theirs})`;
  const differs = sql`exists (select 1 ${theirs} and (t.title <> assignments.name or t.message is not assignments.description
    or t.group_category_id is not assignments.group_category_id or assignments.workflow_state <> (${stateOf})))`;
  return write(
    db,
    assignments,
    {
      name: its(sql`t.title`),
      description: its(sql`t.message`),
      group_category_id: its(sql`t.group_category_id`),
      updated_at: its(sql`t.updated_at`),
      workflow_state: its(stateOf),
    },
    sql`assignments.id in (select t.assignment_id from discussion_topics t where t.id in (${ids}) and t.assignment_id is not null)
      and assignments.workflow_state <> 'deleted' and ${differs}`,
  );
}

/** Run after copied assignments are written. */
export const topicsFollowCopies = (db: Database, ids: SQL): Statement[] => topicsFollow(copy, db, ids);
/** Run after copied topics are written. */
export const assignmentsFollowCopies = (db: Database, ids: SQL): Statement[] => assignmentsFollow(copy, db, ids);

const changesAny = (set: object, columns: readonly string[]): boolean =>
  Object.entries(set).some(([column, value]) => value !== undefined && columns.includes(column));

/**
 * Updates assignments, and their topics in step.
 * @param ids a select of the assignments, before and after the update
 * @param only further conditions on their rows before the update
 */
export const changeAssignments = (
  db: Database,
  ids: SQL,
  set: SQLiteUpdateSetSource<typeof assignments>,
  only: SQL = sql`1`,
): Statement[] => [
  ...changeUnlocked(db, assignments, set, sql`assignments.id in (${ids}) and ${only}`),
  ...(changesAny(set, ['name', 'description', 'workflow_state', 'group_category_id']) ? topicsFollow(changeUnlocked, db, ids) : []),
];

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
export const changeTopics = (
  db: Database,
  ids: SQL,
  set: SQLiteUpdateSetSource<typeof discussion_topics>,
  only: SQL = sql`1`,
): Statement[] => [
  ...changeUnlocked(db, discussion_topics, set, sql`discussion_topics.id in (${ids}) and ${only}`),
  ...(changesAny(set, ['title', 'message', 'workflow_state', 'group_category_id', 'assignment_id'])
    ? assignmentsFollow(changeUnlocked, db, ids)
    : []),
];
