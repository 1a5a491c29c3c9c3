// What clients see of a file (reference of the API: Files). With `only[]=names`, only the first six fields.

import { bool, int, json, maybe, oneOf, optional, text, time } from '../wire/fields';
import { lockFieldShapes } from './lock_fields';
import { resource } from './resource';
import { UserDisplay } from './user_display';

const { locked_for_user, ...whenLocked } = lockFieldShapes;

const UsageRights = resource('UsageRights', {
  use_justification: text,
  license: text,
  license_name: text,
  legal_copyright: maybe(text),
});

export const File = resource('File', {
  id: int,
  uuid: text,
  folder_id: int,
  display_name: text,
  filename: text,
  upload_status: oneOf('success', 'pending', 'failed'),
  'content-type': optional(text),
  /** Empty when the file is locked for the caller. */
  url: optional(text),
  size: optional(int),
  /** Changes with name, folder, content and state; used by `If-Match`. Carrel's own. */
  version: optional(int),
  created_at: optional(time),
  updated_at: optional(time),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(time)),
  /** When its content changed. */
  modified_at: optional(time),
  locked: optional(bool),
  hidden: optional(bool),
  hidden_for_user: optional(bool),
  thumbnail_url: optional(maybe(text)),
  mime_class: optional(text),
  media_entry_id: optional(maybe(text)),
  category: optional(text),
  locked_for_user: optional(locked_for_user),
  ...whenLocked,
  visibility_level: optional(text),
  /** With `include[]=user`. */
  user: optional(UserDisplay.field),
  /** With `include[]=usage_rights`. */
  usage_rights: optional(maybe(UsageRights.field)),
  /** With `include[]=enhanced_preview_url`. */
  preview_url: optional(maybe(text)),
  /** With `include[]=context_asset_string`. */
  context_asset_string: optional(text),
  /** With `include[]=blueprint_course_status`, for staff of blueprints and of associated courses. */
  is_master_course_master_content: optional(bool),
  is_master_course_child_content: optional(bool),
  restricted_by_master_course: optional(bool),
  restrictions: optional(json),
  canvadoc_session_url: optional(maybe(json)),
  crocodoc_session_url: optional(maybe(json)),
});

/** A file in the sync feed, with the SHA-256 of its content. */
export const SyncedFile = resource('SyncedFile', { ...File.fields, sha256: optional(text) });
