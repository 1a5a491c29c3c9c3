// Peer reviews as far as submissions need them: who reviews what, which comments are anonymous, and when a review is completed (reference 03 §7).

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import { assessment_requests } from '../domains/peer_reviews/table';
import { forGrading } from '../domains/rubric_associations/table';
import { submissionIdOf } from './submission_ids';

/** Whether reviewers and reviewed students stay unnamed, for a row of `assignments`. */
export const reviewsAnonymously: SQL = sql.raw("coalesce(assignments.options ->> 'anonymous_peer_reviews', 0)");

/** The submissions of assignments that the user is asked to review. @param assignment_ids a select */
export const requestsOf = (db: Database, assignment_ids: SQL, assessor_id: number) =>
  db.build.all<{ submission_id: number; is_anonymous: number }>(
    sql`select r.submission_id as submission_id, ${reviewsAnonymously} as is_anonymous from assessment_requests r join assignments on assignments.id = r.assignment_id
      where r.assessor_id = ${assessor_id} and r.assignment_id in (${assignment_ids}) and r.workflow_state <> 'deleted'`,
  );

/** Whether a comment was written by an anonymous reviewer, also after the review was removed. @param comment the alias of its row */
export const isAnonymousReviewOf = (
  comment: string,
): SQL<number> => sql<number>`exists (select 1 from assessment_requests r join assignments on assignments.id = r.assignment_id and ${reviewsAnonymously}
  where r.submission_id = ${sql.raw(comment)}.submission_id and r.assessor_id = ${sql.raw(comment)}.author_id)`;

/** Whether a comment was written by a reviewer, also after the review was removed. @param comment the alias of its row */
export const isReviewOf = (comment: string): SQL<number> =>
  sql.raw(
    `exists (select 1 from assessment_requests r where r.submission_id = ${comment}.submission_id and r.assessor_id = ${comment}.author_id)`,
  ) as SQL<number>;

/** Whether the assignment of a request is reviewed by a rubric; then a comment does not complete the review. For a row of `assessment_requests`. */
const hasRubric: SQL = sql`exists (select 1 from rubric_associations used where used.association_id = assessment_requests.assignment_id and ${forGrading('used')})`;

/** Whether a student is asked to review a submission, and knows whose it is; for a row of `assignments`. */
export const isAssignedReviewer = (reviewer: SQL, submission: SQL): SQL<number> =>
  sql<number>`(not ${reviewsAnonymously} and exists (select 1 from assessment_requests r
    where r.submission_id = ${submission} and r.assessor_id = ${reviewer} and r.workflow_state <> 'deleted'))`;

/** The same for one assignment, given as a select of its id. */
export const reviewsAt = (db: Database, assignment: SQL, { reviewer, student }: { readonly reviewer: number; readonly student: number }) =>
  db.build.all<{ is_reviewer: number }>(
    sql`select ${isAssignedReviewer(sql`${reviewer}`, submissionIdOf(sql.raw('assignments.id'), sql`${student}`))} as is_reviewer from assignments where assignments.id = (${assignment})`,
  );

export interface CompletedReview {
  readonly submission_id: number;
  readonly assessor_id: number;
  /** A comment completes a review only where there is no rubric. */
  readonly by: 'comment' | 'rubric';
}

/** Completes the review, if the assessor was asked for it. */
export const completeReview = (db: Database, { submission_id, assessor_id, by }: CompletedReview, now: string): Statement =>
  db.build
    .update(assessment_requests)
    .set({ workflow_state: 'completed', updated_at: now })
    .where(
      sql`submission_id = ${submission_id} and assessor_id = ${assessor_id} and workflow_state = 'assigned'${by === 'comment' ? sql` and not ${hasRubric}` : sql``}`,
    );
