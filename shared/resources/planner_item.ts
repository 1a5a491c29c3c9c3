// What clients see of a planner item (reference of the API: Planner).

import { bool, either, int, json, mapOf, maybe, object, optional, text, time } from '../wire/fields';
import { PlannerOverride } from './planner_override';
import { resource } from './resource';

export const PlannerItem = resource('PlannerItem', {
  context_type: optional(text),
  course_id: optional(int),
  group_id: optional(int),
  user_id: optional(int),
  account_id: optional(int),
  context_name: optional(text),
  context_image: optional(maybe(text)),
  plannable_id: int,
  plannable_type: text,
  plannable_date: time,
  plannable: mapOf(json),
  planner_override: maybe(PlannerOverride.field),
  /** False for items without submissions. */
  submissions: either(
    object({
      submitted: bool,
      excused: bool,
      graded: bool,
      late: bool,
      missing: bool,
      needs_grading: bool,
      has_feedback: bool,
      redo_request: bool,
      posted_at: maybe(time),
      feedback: optional(object({ comment: text, is_media: bool, author_name: optional(text), author_avatar_url: optional(text) })),
    }),
    bool,
  ),
  new_activity: bool,
  html_url: optional(text),
});
