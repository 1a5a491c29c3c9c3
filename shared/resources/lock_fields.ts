// Lock fields, shared by assignments, topics, pages, files and folders.

import { bool, int, json, listOf, maybe, number, object, oneOf, optional, text, time } from '../wire/fields';

/** The module that locks the content. */
const contextModule = object({
  id: int,
  name: text,
  position: int,
  unlock_at: maybe(time),
  prerequisites: listOf(object({ id: int, type: text, name: text })),
  completion_requirements: listOf(object({ id: int, type: text, min_score: optional(number), min_percentage: optional(number) })),
  workflow_state: oneOf('active', 'unpublished', 'deleted'),
  context_id: int,
  context_type: text,
});

export const lockInfo = object({
  asset_string: text,
  unlock_at: optional(time),
  lock_at: optional(time),
  context_module: optional(contextModule),
  manually_locked: optional(bool),
  missing_permission: optional(json),
  /** Past its lock date, but still readable. */
  can_view: optional(bool),
});

/** Spread into the fields of a resource that can be locked. */
export const lockFieldShapes = {
  locked_for_user: bool,
  lock_info: optional(lockInfo),
  /** The reason for the lock as HTML. */
  lock_explanation: optional(text),
};
