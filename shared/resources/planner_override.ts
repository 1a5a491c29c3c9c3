// What clients see of a planner override (reference of the API: Planner Overrides).

import { bool, int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const PlannerOverride = resource('PlannerOverride', {
  id: int,
  plannable_type: text,
  plannable_id: int,
  user_id: int,
  assignment_id: maybe(int),
  /** The item's state: active, unpublished, deleted. */
  workflow_state: text,
  marked_complete: bool,
  dismissed: bool,
  created_at: time,
  updated_at: time,
  deleted_at: maybe(time),
});
