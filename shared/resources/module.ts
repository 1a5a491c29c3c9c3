// What clients see of a module (reference of the API: Modules).

import { bool, int, listOf, maybe, object, oneOf, optional, text, time } from '../wire/fields';
import { ModuleItem } from './module_item';
import { Progress } from './progress';
import { resource } from './resource';

export const Module = resource('Module', {
  id: int,
  name: text,
  position: int,
  unlock_at: maybe(time),
  require_sequential_progress: bool,
  requirement_type: oneOf('all', 'one'),
  requirement_count: optional(int),
  publish_final_grade: bool,
  prerequisite_module_ids: listOf(int),
  /** For callers who may see unpublished modules. */
  published: optional(bool),
  items_count: int,
  items_url: text,
  /** With `include[]=items`, at most 100. */
  items: optional(listOf(ModuleItem.field)),
  /** When a student's progress is shown. */
  state: optional(oneOf('locked', 'unlocked', 'started', 'completed')),
  completed_at: optional(maybe(time)),
  workflow_state: oneOf('active', 'unpublished', 'deleted'),
  /** In the response to an update: existing progress may conflict with the new rules. */
  relock_warning: optional(bool),
  publish_warning: optional(bool),
  unpublish_warning: optional(bool),
  publish_warning_items: optional(listOf(object({ id: int, title: text, reason: text }))),
});

/** The response to a bulk update of modules. */
export const ModuleBatch = resource('ModuleBatch', {
  completed: maybe(listOf(int)),
  progress: maybe(Progress.field),
});

/** The position of an item in its course: the previous and next items. */
export const ModuleItemSequence = resource('ModuleItemSequence', {
  items: listOf(object({ prev: maybe(ModuleItem.field), current: ModuleItem.field, next: maybe(ModuleItem.field) })),
  modules: listOf(Module.field),
});

export const ModuleOverride = resource('ModuleAssignmentOverride', {
  id: int,
  context_module_id: int,
  title: text,
  students: optional(listOf(object({ id: int, name: text }))),
  course_section: optional(object({ id: int, name: text })),
});
