// What clients see of a folder (reference of the API: Files, Folders).

import { bool, int, maybe, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const Folder = resource('Folder', {
  id: int,
  name: text,
  /** Starts with the root folder's name. */
  full_name: text,
  position: maybe(int),
  parent_folder_id: maybe(int),
  context_type: text,
  context_id: int,
  lock_at: maybe(time),
  unlock_at: maybe(time),
  created_at: time,
  updated_at: time,
  locked: bool,
  hidden: bool,
  locked_for_user: bool,
  hidden_for_user: bool,
  for_submissions: bool,
  can_upload: bool,
  folders_url: text,
  files_url: text,
  /** Counts only what the caller may see. */
  files_count: int,
  folders_count: int,
  /** Changes with name, parent and state; used by `If-Match`. Carrel's own. */
  version: int,
  /** In courses associated with a blueprint, when a file in it is locked; for staff. */
  is_master_course_content: optional(bool),
  restricted_by_master_course: optional(bool),
});
