// Peer reviews in the feed: those of the caller's submissions, those that the caller is asked for, and for graders all of the course.

import { rows } from '../../http/listing';
import { listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { peerReview } from './json';
import { syncedReviews } from './policy';
import { assessment_requests } from './table';

export const peerReviewSynced: SyncedKind = {
  kind: 'peer_review',
  serializer: peerReview,
  home: (item) =>
    `(select assignments.course_id from assessment_requests cross join assignments on assignments.id = assessment_requests.assignment_id where assessment_requests.id = ${item})`,
  listing: listedInCourse((course, call) => rows(assessment_requests, { where: syncedReviews(course, call) })),
};
