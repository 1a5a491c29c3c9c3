// Peer reviews as clients see them; an anonymous reviewer is not named to the reviewed student, nor the student to the reviewer.

import { PeerReview } from '@carrel/shared/resources/peer_review';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isAnonymousTo } from '../../contexts/anonymous_students';
import { anonymousNumber } from '../../crypto/anonymous_id';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { anonymousIdOf, anonymousSubmissionId, placeOf } from '../../rules/anonymous_ids';
import { reviewsAnonymously } from '../../rules/peer_reviews';
import { studentIn, studentOfSubmission } from '../../rules/submission_ids';
import { commentJson, commentsOn, readsComment } from '../assignments/submissions/comments';
import { seesAllGrades } from '../assignments/submissions/policy';
import { displayRows, userDisplay } from '../users/display';
import { assessment_requests } from './table';

export const peerReviewIncludes = ['submission_comments', 'user'] as const;

type Reviewed = Pick<PeerReviewRow, 'id' | 'assignment_id' | 'submission_id'>;

/** The order of ids may be that of the students. */
const anonymousReviewId = (call: Call, { id, assignment_id }: Reviewed) => anonymousNumber(placeOf(call, assignment_id), id);

const anonymousReview = (call: Call, { assignment_id, submission_id }: Reviewed) => ({
  anonymous_id: anonymousIdOf(call, assignment_id, studentIn(submission_id)),
  asset_id: anonymousSubmissionId(call, assignment_id, studentIn(submission_id)),
});

/** Whether comments of others are hidden from the student until the grade is posted (reference 03 §4.8). */
const isHeld = sql`(select s.posted_at is null and (assignments.post_manually or s.graded_at is not null) from submissions s where s.id = assessment_requests.submission_id)`;
const ofAssignment = (value: SQL) => sql`(select ${value} from assignments where assignments.id = assessment_requests.assignment_id)`;

type PeerReviewRow = RowOf<typeof assessment_requests> & { readonly is_anonymous: number; readonly is_held: number | null };

const submissionsOf = (ids: SQL) => sql`select submission_id from assessment_requests where ${isInSelect(sql`id`, ids)}`;
const peopleOf = (ids: SQL) =>
  sql`select j.value from assessment_requests r, json_each(json_array(r.assessor_id, ${studentOfSubmission(sql.raw('r.submission_id'))})) j where ${isInSelect(sql`r.id`, ids)}`;

export const peerReview = serializer({
  resource: PeerReview,
  table: assessment_requests,
  columns: (): Record<string, SQLWrapper> => ({
    is_anonymous: ofAssignment(reviewsAnonymously).as('is_anonymous'),
    is_held: ofAssignment(isHeld).as('is_held'),
  }),
  also: (ids, { db, include }) => ({
    people: when(include.has('user'), displayRows(db, peopleOf(ids))),
    comments: when(include.has('submission_comments'), commentsOn(db, submissionsOf(ids))),
  }),
  json(row: PeerReviewRow, call: Call, { people: found, comments }) {
    const isGrader = seesAllGrades(call.course);
    const isReviewer = !isGrader && row.assessor_id === call.me.id;
    const user_id = studentIn(row.submission_id);
    const isAnonymousWork = isAnonymousTo(call, row.assignment_id, user_id);
    const hidesStudent = isAnonymousWork || (row.is_anonymous === 1 && isReviewer);
    const hidesAssessor = isAnonymousWork || (row.is_anonymous === 1 && !isGrader && !isReviewer);
    const display = (id: number) =>
      userDisplay(
        found?.find((one) => one.id === id),
        call.origin,
      );
    return {
      ...(hidesStudent ? anonymousReview(call, row) : { user_id, asset_id: row.submission_id }),
      id: isAnonymousWork ? anonymousReviewId(call, row) : row.id,
      assessor_id: when(!hidesAssessor, row.assessor_id),
      asset_type: 'Submission',
      workflow_state: row.workflow_state,
      user: when(found !== undefined && !hidesStudent, display(user_id)),
      assessor: when(found !== undefined && !hidesAssessor, display(row.assessor_id)),
      submission_comments: comments
        ?.filter(
          (one) =>
            one.submission_id === row.submission_id &&
            one.author_id === row.assessor_id &&
            readsComment(one, call, !isGrader && row.is_held === 1),
        )
        .map((one) => commentJson(one, call, hidesAssessor)),
    };
  },
});
