// What clients see of a group, its memberships, and a group category (reference of the API: Groups, Group Categories).

import { bool, int, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { Progress } from './progress';
import { resource } from './resource';
import { Tab } from './tab';
import { User } from './user';
import { UserDisplay } from './user_display';

const category = {
  id: int,
  name: text,
  role: maybe(text),
  self_signup: maybe(text),
  self_signup_end_at: maybe(time),
  group_limit: maybe(int),
  auto_leader: maybe(text),
  created_at: time,
  context_type: text,
  course_id: optional(int),
  account_id: optional(int),
  protected: bool,
  allows_multiple_memberships: bool,
  is_member: bool,
  non_collaborative: bool,
  /** While members are being assigned. */
  progress: maybe(Progress.field),
  /** For callers with `read_sis`. */
  sis_group_category_id: optional(maybe(text)),
  /** For callers with `manage_sis`. */
  sis_import_id: optional(maybe(int)),
  /** On request, and in the response to an update. */
  groups_count: optional(int),
  unassigned_users_count: optional(int),
};

/** A group category inside a group. */
export const PlainGroupCategory = resource('PlainGroupCategory', category);

export const Group = resource('Group', {
  id: int,
  name: text,
  description: maybe(text),
  is_public: bool,
  join_level: text,
  group_category_id: int,
  max_membership: maybe(int),
  created_at: time,
  members_count: int,
  storage_quota_mb: int,
  context_type: text,
  course_id: optional(int),
  account_id: optional(int),
  context_name: text,
  avatar_url: maybe(text),
  role: maybe(text),
  leader: maybe(UserDisplay.field),
  followed_by_user: bool,
  has_submission: bool,
  concluded: bool,
  non_collaborative: bool,
  /** For callers with `read_sis`. */
  sis_group_id: optional(maybe(text)),
  /** For callers with `manage_sis`. */
  sis_import_id: optional(maybe(int)),
  /** On request. */
  users: optional(listOf(User.field)),
  group_category: optional(PlainGroupCategory.field),
  is_favorite: optional(bool),
  html_url: optional(text),
  /** For users with access to the group: the caller's feed URL of its calendar. */
  calendar: optional(object({ ics: text })),
  tabs: optional(listOf(Tab.field)),
  permissions: optional(object({ create_discussion_topic: bool, join: bool, create_announcement: bool })),
  can_access: optional(bool),
  can_message: optional(bool),
});

export const GroupCategory = resource('GroupCategory', { ...category, groups: optional(listOf(Group.field)) });

export const GroupMembership = resource('GroupMembership', {
  id: int,
  group_id: int,
  user_id: int,
  workflow_state: text,
  moderator: bool,
  created_at: time,
  /** After joining. */
  just_created: optional(bool),
  /** For callers with `read_sis`. */
  sis_group_id: optional(maybe(text)),
  /** For callers with `manage_sis`. */
  sis_import_id: optional(maybe(int)),
});

/** The result of assigning unassigned members synchronously. */
export const Distributed = resource('Distributed', {
  id: int,
  new_members: listOf(
    object({ user_id: int, name: text, display_name: text, sections: listOf(object({ section_id: int, section_code: text })) }),
  ),
});
