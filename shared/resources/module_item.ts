// What clients see of a module item (reference of the API: Module Items).

import { bool, int, json, listOf, maybe, number, object, oneOf, optional, text, time } from '../wire/fields';
import { lockFieldShapes } from './lock_fields';
import { resource } from './resource';

export const ModuleItem = resource('ModuleItem', {
  id: int,
  module_id: int,
  position: int,
  title: text,
  indent: int,
  type: oneOf('File', 'Page', 'Discussion', 'Assignment', 'Quiz', 'SubHeader', 'ExternalUrl', 'ExternalTool'),
  content_id: optional(int),
  /** For pages: the current slug. */
  page_url: optional(text),
  html_url: optional(text),
  /** The API URL of the content. */
  url: optional(text),
  external_url: optional(text),
  new_tab: optional(bool),
  completion_requirement: optional(
    object({
      type: oneOf('must_view', 'must_submit', 'must_contribute', 'must_mark_done', 'min_score', 'min_percentage'),
      min_score: optional(number),
      min_percentage: optional(number),
      /** When a student's progress is shown. */
      completed: optional(bool),
    }),
  ),
  published: optional(bool),
  unpublishable: optional(bool),
  publish_at: optional(maybe(time)),
  quiz_lti: optional(bool),
  iframe: optional(object({ width: optional(int), height: optional(int) })),
  content_details: optional(
    object({
      points_possible: optional(number),
      due_at: optional(time),
      unlock_at: optional(time),
      lock_at: optional(time),
      display_name: optional(text),
      hidden: optional(bool),
      locked: optional(bool),
      usage_rights: optional(json),
      thumbnail_url: optional(maybe(text)),
      ...lockFieldShapes,
    }),
  ),
  mastery_paths: optional(json),
  /** In the response to marking as done or not done: `OK`. */
  message: optional(text),
  /** In the response to duplicating. */
  new_positions: optional(listOf(object({ content_tag: object({ id: int, position: int }) }))),
});
