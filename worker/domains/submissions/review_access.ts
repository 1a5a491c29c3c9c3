// What peer reviewers may read: the submission that they are asked to review (reference 03 §7).

import { and, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { unauthorized } from '../../http/problem';
import { judged, oneOr, type Reply } from '../../http/reply';
import { reviewsAnonymously } from '../../rules/peer_reviews';
import { submissionIdOf } from '../../rules/submission_ids';
import { visibleAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { assignmentAt, type Here, slotOf } from './context';

type Reviewing = Pick<Call, 'db' | 'me'> & Here & { readonly path: { readonly assignment_id: string } };

/**
 * The submission, for its reviewer; 401 for others. An anonymous reviewer must name the student by the anonymous id: an answer to a user id would
 * reveal whom they review.
 */
export function submissionToReview(call: Reviewing, user_id: number, isAnonymous: boolean): Reply {
  const { db, course, me } = call;
  const assignment = assignmentAt(call);
  const asked = sql`exists (select 1 from assessment_requests r where r.submission_id = ${submissionIdOf(sql`assignments.id`, sql`${user_id}`)}
    and r.assessor_id = ${me.id} and r.workflow_state <> 'deleted')`;
  const request = db.build
    .select({ id: assignments.id })
    .from(assignments)
    .where(
      and(
        visibleAssignments(course, { me, path: {} }),
        sql`${assignments.id} = (${assignment})`,
        asked,
        isAnonymous ? undefined : sql`not ${reviewsAnonymously}`,
      ),
    );
  return judged(
    request,
    (there) => {
      if (there.length === 0) throw unauthorized();
    },
    oneOr(slotOf(call, assignment, user_id), unauthorized),
  );
}
