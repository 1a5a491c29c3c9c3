// What step 1 of an upload answers: where to send the bytes and with which parameters, or the work that fetches them.

import { int, json, mapOf, maybe, oneOf, optional, text } from '../wire/fields';
import { Progress } from './progress';
import { resource } from './resource';

export const UploadTicket = resource('UploadTicket', {
  upload_url: maybe(text),
  /** Sent before the file, unchanged. */
  upload_params: maybe(mapOf(text)),
  file_param: optional(text),
  /** Where an answer of an older kind held the same once more. */
  attachments: optional(json),
  id: optional(int),
  upload_status: optional(oneOf('pending', 'ready', 'errored')),
  status_url: optional(text),
  progress: optional(Progress.field),
});

/** How far a file that the server fetches has come. */
export const UploadState = resource('UploadState', {
  upload_status: oneOf('pending', 'ready', 'errored'),
  attachment: optional(json),
  message: optional(maybe(text)),
});
