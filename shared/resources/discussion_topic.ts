// What clients see of a discussion topic or announcement (reference of the API: Discussion Topics).

import { bool, int, json, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { Assignment } from './assignment';
import { File } from './file';
import { lockFieldShapes } from './lock_fields';
import { resource } from './resource';
import { UserDisplay } from './user_display';

export const DiscussionTopic = resource('DiscussionTopic', {
  id: int,
  title: text,
  /** HTML; the reason for the lock when the caller may not see the message. */
  message: maybe(text),
  html_url: text,
  url: text,
  created_at: time,
  posted_at: maybe(time),
  last_reply_at: maybe(time),
  delayed_post_at: maybe(time),
  lock_at: maybe(time),
  todo_date: maybe(time),
  position: maybe(int),
  published: bool,
  locked: bool,
  pinned: bool,
  can_unpublish: bool,
  can_lock: bool,
  can_group: bool,
  comments_disabled: bool,
  ...lockFieldShapes,
  require_initial_post: bool,
  user_can_see_posts: bool,
  discussion_subentry_count: int,
  unread_count: int,
  read_state: text,
  subscribed: bool,
  subscription_hold: optional(text),
  assignment_id: maybe(int),
  assignment: optional(Assignment.field),
  discussion_type: text,
  allow_rating: bool,
  only_graders_can_rate: bool,
  sort_by_rating: bool,
  podcast_url: maybe(text),
  podcast_has_student_posts: bool,
  group_category_id: maybe(int),
  root_topic_id: maybe(int),
  topic_children: listOf(int),
  group_topic_children: listOf(object({ id: int, group_id: int })),
  attachments: listOf(File.field),
  author: maybe(UserDisplay.field),
  user_name: maybe(text),
  permissions: object({ attach: bool, update: bool, reply: bool, delete: bool }),
  is_announcement: bool,
  is_section_specific: bool,
  anonymous_state: maybe(text),
  sort_order: text,
  sort_order_locked: bool,
  expanded: bool,
  expanded_locked: bool,
  /** With `include[]=sections`, for section-specific topics. */
  sections: optional(listOf(object({ id: int, name: text, user_count: optional(int) }))),
  /** With `include[]=sections_user_count`, for topics of all sections. */
  user_count: optional(int),
  /** In `GET /announcements`. */
  context_code: optional(text),
  /** In the response to duplicating: positions by topic id. */
  new_positions: optional(json),
  workflow_state: optional(text),
  /** In the response to deleting. */
  deleted_at: optional(time),
});
