// An upload in parts: what the server has received of the file. See docs/sync-protocol-server.md.

import { int, listOf, mapOf, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';

const UploadPart = resource('UploadPart', { number: int, sha256: text });

export const UploadInParts = resource('UploadInParts', {
  /** The id of the file that it becomes. */
  id: int,
  workflow_state: oneOf('open', 'complete'),
  size: int,
  /** Of the whole file, as announced. The following fields are absent once it is complete. */
  sha256: optional(text),
  /** Every part has this length, except the last. */
  part_size: optional(int),
  part_count: optional(int),
  /** The parts that have arrived, by number. */
  parts: optional(listOf(UploadPart.field)),
  expires_at: optional(time),
  /** Where to `PUT` the whole file with these headers, for uploads that bypass the Worker. */
  upload_url: optional(text),
  upload_headers: optional(mapOf(text)),
});
