// What clients see of an earlier version of a file (sync protocol).

import { int, text, time } from '../wire/fields';
import { resource } from './resource';

export const FileVersion = resource('FileVersion', {
  id: int,
  /** The file's `version` at the time. */
  version: int,
  display_name: text,
  'content-type': text,
  size: int,
  sha256: text,
  /** When this content was uploaded. */
  updated_at: time,
  replaced_at: time,
  /** The download URL, for the same token. */
  url: text,
});
