// What clients see of an external tool (reference 06 §6.2). Its secret is never among it.

import { bool, either, int, json, listOf, mapOf, maybe, object, optional, text } from '../wire/fields';
import { resource } from './resource';

/** Where a tool can appear. */
export const placementNames = [
  'account_navigation',
  'assignment_edit',
  'assignment_group_menu',
  'assignment_index_menu',
  'assignment_menu',
  'assignment_selection',
  'assignment_view',
  'collaboration',
  'conference_selection',
  'course_assignments_menu',
  'course_home_sub_navigation',
  'course_navigation',
  'course_settings_sub_navigation',
  'discussion_topic_index_menu',
  'discussion_topic_menu',
  'editor_button',
  'file_index_menu',
  'file_menu',
  'global_navigation',
  'homework_submission',
  'link_selection',
  'migration_selection',
  'module_group_menu',
  'module_index_menu',
  'module_index_menu_modal',
  'module_menu',
  'module_menu_modal',
  'post_grades',
  'quiz_index_menu',
  'quiz_menu',
  'resource_selection',
  'similarity_detection',
  'student_context_card',
  'submission_type_selection',
  'tool_configuration',
  'top_navigation',
  'user_navigation',
  'wiki_index_menu',
  'wiki_page_menu',
] as const;
export type PlacementName = (typeof placementNames)[number];

/** The settings of a placement. Sizes are pixels, or text such as `80%`. */
export const placementFields = {
  enabled: optional(bool),
  url: optional(maybe(text)),
  target_link_uri: optional(maybe(text)),
  text: optional(maybe(text)),
  icon_url: optional(maybe(text)),
  canvas_icon_class: optional(maybe(text)),
  selection_width: optional(maybe(either(int, text))),
  selection_height: optional(maybe(either(int, text))),
  launch_width: optional(maybe(either(int, text))),
  launch_height: optional(maybe(either(int, text))),
  message_type: optional(maybe(text)),
  custom_fields: optional(maybe(mapOf(text))),
  display_type: optional(maybe(text)),
  visibility: optional(maybe(text)),
  required_permissions: optional(maybe(text)),
  windowTarget: optional(maybe(text)),
  default: optional(maybe(text)),
  accept_media_types: optional(maybe(text)),
  use_tray: optional(bool),
  prefer_sis_email: optional(bool),
  root_account_only: optional(bool),
  labels: optional(maybe(mapOf(text))),
};

const placement = object({ ...placementFields, label: optional(maybe(text)) });
const placements = Object.fromEntries(placementNames.map((name) => [name, maybe(placement)]));

const toolFields = {
  id: int,
  name: text,
  description: maybe(text),
  url: maybe(text),
  domain: maybe(text),
  consumer_key: text,
  created_at: text,
  updated_at: text,
  privacy_level: text,
  workflow_state: text,
  custom_fields: json,
  vendor_help_link: maybe(text),
  not_selectable: bool,
  version: text,
  deployment_id: text,
  developer_key_id: optional(maybe(int)),
  unified_tool_id: optional(maybe(text)),
  is_rce_favorite: optional(bool),
  is_top_nav_favorite: optional(bool),
  allow_membership_service_access: optional(bool),
  selection_width: optional(maybe(either(int, text))),
  selection_height: optional(maybe(either(int, text))),
  prefer_sis_email: optional(bool),
  icon_url: optional(maybe(text)),
  ...placements,
};

export const ExternalTool = resource('ExternalTool', toolFields);

/** A tool of a course's navigation, in lists of several courses. */
export const NavigationTool = resource('NavigationTool', { ...toolFields, context_id: text, context_name: text });

export const SessionlessLaunch = resource('SessionlessLaunch', { id: optional(maybe(int)), name: optional(maybe(text)), url: text });

export const FavoriteTools = resource('FavoriteTools', {
  rce_favorite_tool_ids: optional(listOf(int)),
  top_nav_favorite_tool_ids: optional(listOf(int)),
});
