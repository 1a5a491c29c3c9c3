// What clients see of a submission and its comments (reference of the API: Submissions).

import { bool, int, json, listOf, maybe, number, object, optional, text, time } from '../wire/fields';
import { Assignment } from './assignment';
import { DiscussionEntry } from './discussion_entry';
import { File } from './file';
import { resource } from './resource';
import { RubricAssessment } from './rubric_assessment';
import { User } from './user';
import { UserDisplay } from './user_display';

const mediaComment = object({ 'content-type': text, display_name: maybe(text), media_id: text, media_type: text, url: maybe(text) });

export const SubmissionComment = resource('SubmissionComment', {
  id: int,
  author_id: maybe(int),
  author_name: text,
  author: UserDisplay.field,
  comment: text,
  created_at: time,
  edited_at: maybe(time),
  attempt: maybe(int),
  avatar_path: optional(text),
  media_comment: optional(mediaComment),
  attachments: optional(listOf(File.field)),
});

const grades = {
  score: optional(maybe(number)),
  grade: optional(maybe(text)),
  entered_score: optional(maybe(number)),
  entered_grade: optional(maybe(text)),
};

/** Fields that differ between attempts. */
const attempt = {
  id: int,
  assignment_id: int,
  /** Absent where the student is anonymous to the caller. */
  user_id: optional(int),
  anonymous_id: optional(text),
  submission_type: maybe(text),
  submitted_at: maybe(time),
  attempt: maybe(int),
  body: maybe(text),
  url: maybe(text),
  /** Absent while the grade is hidden from the caller. */
  ...grades,
  points_deducted: maybe(number),
  grade_matches_current_submission: bool,
  graded_at: maybe(time),
  grader_id: maybe(int),
  workflow_state: text,
  excused: maybe(bool),
  late: bool,
  missing: bool,
  late_policy_status: maybe(text),
  custom_grade_status_id: maybe(int),
  seconds_late: int,
  grading_period_id: maybe(int),
  cached_due_date: maybe(time),
  extra_attempts: maybe(int),
  posted_at: maybe(time),
  redo_request: bool,
  sticker: maybe(text),
  preview_url: optional(text),
  media_comment: optional(mediaComment),
  /** When a grader has submitted for the student. */
  proxy_submitter: optional(text),
  proxy_submitter_id: optional(int),
  attachments: optional(listOf(File.field)),
  /** For graders: opaque, for `If-Match`. Changes with attempt, grade, excuse, late status and posting. */
  version: optional(text),
};

/** A submission as of one attempt. */
export const SubmissionAttempt = resource('SubmissionAttempt', attempt);

export const Submission = resource('Submission', {
  ...attempt,
  html_url: optional(text),
  submission_history: optional(listOf(SubmissionAttempt.field)),
  submission_comments: optional(listOf(SubmissionComment.field)),
  submission_html_comments: optional(listOf(SubmissionComment.field)),
  assignment: optional(Assignment.field),
  course: optional(json),
  user: optional(User.field),
  group: optional(object({ id: maybe(int), name: maybe(text) })),
  assignment_visible: optional(bool),
  read_status: optional(text),
  read_state: optional(text),
  /** Of a graded discussion: what the student has written in it, the newest 50 entries. */
  discussion_entries: optional(listOf(DiscussionEntry.field)),
  has_postable_comments: optional(bool),
  /** Rating, points and comments by criterion. */
  rubric_assessment: optional(json),
  full_rubric_assessment: optional(RubricAssessment.field),
  provisional_grades: optional(listOf(json)),
  /** What the student has tried in a what-if calculation. */
  student_entered_score: optional(maybe(number)),
  /** Of the checkpoints of an assignment. */
  sub_assignment_submissions: optional(listOf(json)),
  /** In the response to grading: every submission that changed. */
  all_submissions: optional(listOf(SubmissionAttempt.field)),
});
