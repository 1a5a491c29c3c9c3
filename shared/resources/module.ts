// What clients see of a module (reference of the API: Modules).

import { bool, group, int, list, maybe, oneOf, optional, text, time } from '../wire/fields';
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
  prerequisite_module_ids: list(int),
  /** For callers who may see what is unpublished. */
  published: optional(bool),
  items_count: int,
  items_url: text,
  /** With `include[]=items`, up to 100 of them. */
  items: optional(list(ModuleItem.field)),
  /** With a student in play. */
  state: optional(oneOf('locked', 'unlocked', 'started', 'completed')),
  completed_at: optional(maybe(time)),
  workflow_state: oneOf('active', 'unpublished', 'deleted'),
  /** Answers to an update: progress that exists would be another under the new rules. */
  relock_warning: optional(bool),
  publish_warning: optional(bool),
  unpublish_warning: optional(bool),
  publish_warning_items: optional(list(group({ id: int, title: text, reason: text }))),
});

/** The answer to a batch update of modules. */
export const ModuleBatch = resource('ModuleBatch', {
  completed: maybe(list(int)),
  progress: maybe(Progress.field),
});

/** Where an item stands in its course: what comes before it and after. */
export const ModuleItemSequence = resource('ModuleItemSequence', {
  items: list(group({ prev: maybe(ModuleItem.field), current: ModuleItem.field, next: maybe(ModuleItem.field) })),
  modules: list(Module.field),
});

export const ModuleOverride = resource('ModuleAssignmentOverride', {
  id: int,
  context_module_id: int,
  title: text,
  students: optional(list(group({ id: int, name: text }))),
  course_section: optional(group({ id: int, name: text })),
});
