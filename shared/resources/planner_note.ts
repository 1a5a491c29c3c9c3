// What clients see of a planner note (reference of the API: Planner Notes).

import { int, maybe, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const PlannerNote = resource('PlannerNote', {
  id: int,
  title: text,
  details: maybe(text),
  todo_date: time,
  user_id: int,
  course_id: maybe(int),
  workflow_state: text,
  created_at: time,
  updated_at: time,
  linked_object_type: optional(text),
  linked_object_id: optional(int),
  linked_object_url: optional(text),
  linked_object_html_url: optional(text),
});
