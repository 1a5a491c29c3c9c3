// The peer reviews that the caller is asked for, as included in an assignment; an anonymous student is not named.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import { anonymousIdOf } from '../../../rules/anonymous_ids';
import { reviewsAnonymously } from '../../../rules/peer_reviews';
import { studentOfSubmission } from '../../../rules/submission_ids';

interface OwnReview {
  readonly id: number;
  readonly assignment_id: number;
  readonly user_id: number;
  readonly user_name: string;
  readonly workflow_state: string;
  readonly is_anonymous: number;
  readonly is_available: number;
}

/** @param ids a select of assignments */
export const ownReviews = (ids: SQL, { db, me }: Pick<Call, 'db' | 'me'>) =>
  db.build.all<OwnReview>(
    sql`select r.id as id, r.assignment_id as assignment_id, users.id as user_id, users.short_name as user_name, r.workflow_state as workflow_state, ${reviewsAnonymously} as is_anonymous,
        exists (select 1 from submissions s where s.id = r.submission_id and s.submission_type is not null) as is_available
      from assessment_requests r join assignments on assignments.id = r.assignment_id join users on users.id = ${studentOfSubmission(sql.raw('r.submission_id'))}
      where r.assessor_id = ${me.id} and r.assignment_id in (${ids}) and r.workflow_state <> 'deleted' order by r.id`,
  );

export const ownReviewJson = (
  { id, assignment_id, user_id, user_name, workflow_state, is_anonymous, is_available }: OwnReview,
  call: Call,
) => ({
  id,
  ...(is_anonymous ? { anonymous_id: anonymousIdOf(call, assignment_id, user_id) } : { user_id, user_name }),
  workflow_state,
  available: is_available === 1,
});
