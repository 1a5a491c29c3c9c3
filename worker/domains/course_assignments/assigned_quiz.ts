// The quiz of an assignment that becomes a quiz: one without questions, which teachers add to.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { isTheOnly } from '../../rules/submission_types';

/**
 * Statements for the batch that writes the assignment, after that; none unless it is a quiz. A quiz that the assignment has already is kept.
 * @param id the assignment's id as SQL
 * @param types the submission types that are sent
 */
export const makeQuizOf = (db: Database, id: SQL, types: readonly string[] | undefined): Statement[] =>
  isTheOnly('online_quiz', types)
    ? [
        db.build.run(sql`insert into quizzes (course_id, assignment_id, title, description, points_possible, due_at, unlock_at, lock_at, only_visible_to_overrides, workflow_state, published_at, created_at, updated_at)
          select a.course_id, a.id, a.name, a.description, a.points_possible, a.due_at, a.unlock_at, a.lock_at, a.only_visible_to_overrides,
            iif(a.workflow_state = 'published', 'available', 'unpublished'), iif(a.workflow_state = 'published', a.updated_at, null), a.updated_at, a.updated_at
          from assignments a where a.id = (${id}) and not exists (select 1 from quizzes q where q.assignment_id = a.id and q.workflow_state <> 'deleted')`),
      ]
    : [];
