// What clients see of content migrations, their issues and the types that are possible (reference of the API: Content Migrations).

import { bool, int, json, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { File } from './file';
import { resource } from './resource';

export const ContentMigration = resource('ContentMigration', {
  id: int,
  user_id: int,
  migration_type: text,
  migration_type_title: text,
  workflow_state: text,
  created_at: time,
  started_at: maybe(time),
  finished_at: maybe(time),
  migration_issues_url: text,
  migration_issues_count: int,
  /** Absent until there is work to wait for. */
  progress_url: optional(text),
  /** The package, for 30 days. */
  attachment: optional(File.field),
  /** The ticket for the upload that the request announced, or the reason why it is refused. */
  pre_attachment: optional(json),
  /** Only of course copies. */
  settings: optional(object({ source_course_id: int, source_course_name: maybe(text), source_course_html_url: text })),
  /** With `include[]=audit_info`, for those who run the service. */
  audit_info: optional(json),
});

export const MigrationIssue = resource('MigrationIssue', {
  id: int,
  content_migration_url: text,
  description: text,
  workflow_state: text,
  fix_issue_html_url: maybe(text),
  issue_type: text,
  created_at: time,
  updated_at: time,
  /** For those who may read error reports. */
  error_message: optional(maybe(text)),
});

export const Migrator = resource('Migrator', {
  type: text,
  requires_file_upload: bool,
  name: text,
  required_settings: listOf(text),
});
