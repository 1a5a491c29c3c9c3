// Peer reviews: students who are asked to review a submission, and the assignments whose reviews are to be assigned.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, sameId, state, time } from '../../database/columns';

export const assessment_requests = sqliteTable(
  'assessment_requests',
  {
    id: id(),
    assignment_id: int().notNull(),
    /** Its student is the reviewed one (rules/submission_ids.ts). */
    submission_id: int().notNull(),
    assessor_id: int().notNull(),
    /** A deleted request stays, because its assessor may have commented anonymously. */
    workflow_state: state('assigned', 'completed', 'deleted').notNull().default('assigned'),
    same_id: sameId(),
    ...created(),
  },
  (request) => [
    uniqueIndex('assessment_requests_once').on(request.submission_id, request.assessor_id),
    index('assessment_requests_of_assignment').on(request.assignment_id, request.same_id).where(sql`workflow_state <> 'deleted'`),
    index('assessment_requests_of_assessor').on(request.assessor_id, request.assignment_id),
  ],
);

/** Assignments with automatic peer reviews that have submissions without reviews. Kept by triggers; the chore deletes a row once it is done. */
export const peer_review_runs = sqliteTable(
  'peer_review_runs',
  {
    assignment_id: int().primaryKey(),
    run_at: time().notNull(),
  },
  (run) => [index('peer_review_runs_by_time').on(run.run_at)],
);
