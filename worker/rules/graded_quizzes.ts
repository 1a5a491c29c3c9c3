// Keeps a graded quiz and its assignment in step where other domains change quizzes: a trigger copies the assignment to its quiz (triggers/quizzes.ts).

import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import type { Database, Statement } from '../database/open';
import { quizzes } from '../domains/quizzes/table';
import { changeUnlocked } from './blueprint_locks';
import { changeAssignments } from './graded_topics';

type Change = Pick<SQLiteUpdateSetSource<typeof quizzes>, 'workflow_state' | 'published_at'> & {
  readonly title?: string;
  readonly updated_at: string;
};

/**
 * Updates quizzes, and the names of their assignments.
 * @param ids a select of the quizzes
 * @param only further conditions on their rows before the update
 */
export function changeQuizzes(db: Database, ids: SQL, set: Change, only: SQL = sql`1`): Statement[] {
  const { title, updated_at } = set;
  return [
    ...changeUnlocked(
      db,
      quizzes,
      { ...set, version_number: sql`version_number + 1` },
      sql`quizzes.id in (${ids}) and quizzes.workflow_state <> 'deleted' and ${only}`,
    ),
    ...(title === undefined
      ? []
      : changeAssignments(
          db,
          sql`select q.assignment_id from quizzes q where q.id in (${ids}) and q.assignment_id is not null and q.workflow_state <> 'deleted'`,
          { name: title, updated_at },
        )),
  ];
}
