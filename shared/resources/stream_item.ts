// What clients see of an activity stream item (reference of the API: Users, activity stream).

import { bool, int, json, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { Assignment } from './assignment';
import { resource } from './resource';
import { Submission, SubmissionComment } from './submission';

const ofSubmissions = Object.fromEntries(Object.entries(Submission.fields).map(([name, field]) => [name, optional(field)])) as {
  [K in keyof typeof Submission.fields]: ReturnType<typeof optional<(typeof Submission.fields)[K]>>;
};

export const StreamItem = resource('StreamItem', {
  ...ofSubmissions,
  assignment: optional(object({ ...Assignment.fields, title: optional(text) })),
  submission_comments: optional(listOf(object({ ...SubmissionComment.fields, body: text }))),
  id: int,
  type: text,
  title: maybe(text),
  message: maybe(text),
  read_state: bool,
  created_at: time,
  updated_at: time,
  context_type: optional(text),
  course_id: optional(int),
  group_id: optional(int),
  html_url: text,
  discussion_topic_id: optional(int),
  announcement_id: optional(int),
  total_root_discussion_entries: optional(int),
  require_initial_post: optional(bool),
  user_has_posted: optional(maybe(bool)),
  root_discussion_entries: optional(listOf(json)),
  conversation_id: optional(int),
  private: optional(bool),
  participant_count: optional(int),
  latest_messages: optional(listOf(json)),
  submission_id: optional(int),
  /** For notifications. */
  message_id: optional(int),
  notification_category: optional(maybe(text)),
  url: optional(maybe(text)),
  collaboration_id: optional(int),
  /** A peer review that the user is asked for. */
  assessment_request_id: optional(int),
});

export const StreamSummary = resource('StreamSummary', {
  type: text,
  notification_category: maybe(text),
  count: int,
  unread_count: int,
});
