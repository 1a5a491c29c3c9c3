// A peer review that a user is asked for, in lists of things to do; its reviewer learns the student's id only if reviews are not anonymous.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import { anonymousIdOf } from '../../../rules/anonymous_ids';
import { reviewsAnonymously } from '../../../rules/peer_reviews';
import { studentOfSubmission } from '../../../rules/submission_ids';

export interface AskedReview {
  readonly title: string;
  readonly created_at: string;
  readonly assignment_id: number;
  readonly author_id: number;
  readonly is_anonymous: number;
}

/** The review as JSON. @param id of the request */
export const askedReview = (id: SQL): SQL =>
  sql`(select json_object('title', assignments.name, 'created_at', asked.created_at, 'assignment_id', assignments.id, 'author_id', ${studentOfSubmission(sql.raw('asked.submission_id'))}, 'is_anonymous', ${reviewsAnonymously})
    from assessment_requests asked join assignments on assignments.id = asked.assignment_id where asked.id = ${id})`;

/** Where its reviewer reads the submission, below the course. */
export const reviewedPath = (
  { assignment_id, author_id, is_anonymous }: Pick<AskedReview, 'assignment_id' | 'author_id' | 'is_anonymous'>,
  call: Pick<Call, 'env'>,
): string =>
  `/assignments/${assignment_id}/${is_anonymous === 1 ? `anonymous_submissions/${anonymousIdOf(call, assignment_id, author_id)}` : `submissions/${author_id}`}`;
