// Blueprints as clients see them: template, associated courses, migrations, and changes.

import { bool, int, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';
import { UserDisplay } from './user_display';

/** A sync; in an associated course, its id is that of the import. */
export const BlueprintMigration = resource('BlueprintMigration', {
  id: int,
  template_id: int,
  subscription_id: optional(int),
  user_id: int,
  user: UserDisplay.field,
  workflow_state: text,
  created_at: time,
  exports_started_at: maybe(time),
  imports_queued_at: maybe(time),
  imports_completed_at: maybe(time),
  comment: maybe(text),
});

export const BlueprintTemplate = resource('BlueprintTemplate', {
  id: int,
  course_id: int,
  last_export_completed_at: maybe(time),
  associated_course_count: int,
  latest_migration: maybe(BlueprintMigration.field),
});

/** An associated course. */
export const AssociatedCourse = resource('AssociatedCourse', {
  id: int,
  name: text,
  course_code: maybe(text),
  term_name: text,
  sis_course_id: optional(maybe(text)),
  teachers: optional(listOf(UserDisplay.field)),
  /** In place of `teachers` when there are many. */
  teacher_count: optional(int),
  concluded: bool,
});

export const BlueprintSubscription = resource('BlueprintSubscription', {
  id: int,
  template_id: int,
  blueprint_course: object({ id: int, name: text, course_code: maybe(text), term_name: text }),
});

export const ChangeRecord = resource('ChangeRecord', {
  asset_id: optional(int),
  asset_type: optional(text),
  asset_name: text,
  change_type: text,
  html_url: optional(text),
  locked: optional(bool),
  exceptions: optional(listOf(object({ course_id: int, conflicting_changes: listOf(text) }))),
});
