// What clients see of a peer review (reference of the API: Peer Reviews).

import { int, listOf, optional, text } from '../wire/fields';
import { resource } from './resource';
import { SubmissionComment } from './submission';
import { UserDisplay } from './user_display';

export const PeerReview = resource('PeerReview', {
  id: int,
  /** The reviewed student; absent for callers to whom the student is anonymous, who get an anonymous id instead. */
  user_id: optional(int),
  anonymous_id: optional(text),
  /** Absent for the reviewed student of an anonymous review, and for graders to whom the students are anonymous. */
  assessor_id: optional(int),
  /** The submission; for the reviewer of an anonymous review, a number that does not name the student. */
  asset_id: int,
  asset_type: text,
  /** `assigned` or `completed`. */
  workflow_state: text,
  user: optional(UserDisplay.field),
  assessor: optional(UserDisplay.field),
  submission_comments: optional(listOf(SubmissionComment.field)),
});
