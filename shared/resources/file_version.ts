// What clients see of an earlier version of a file (sync protocol).

import { int, text, time } from '../wire/fields';
import { resource } from './resource';

export const FileVersion = resource('FileVersion', {
  id: int,
  /** What the file's own `version` was. */
  version: int,
  display_name: text,
  'content-type': text,
  size: int,
  sha256: text,
  /** When these bytes came. */
  updated_at: time,
  replaced_at: time,
  /** Of the bytes, for the same token. */
  url: text,
});
