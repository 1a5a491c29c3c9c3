// The response to step 1 of an upload: where to send the bytes and with which parameters, or the job that fetches them.

import { int, json, mapOf, maybe, oneOf, optional, text } from '../wire/fields';
import { Progress } from './progress';
import { resource } from './resource';

export const UploadTicket = resource('UploadTicket', {
  upload_url: maybe(text),
  /** To be sent unchanged, before the file. */
  upload_params: maybe(mapOf(text)),
  file_param: optional(text),
  /** Where an upload in parts begins, if the client asked for one; see docs/sync-protocol-server.md. */
  parts_url: optional(text),
  /** The same data again, for older clients. */
  attachments: optional(json),
  id: optional(int),
  upload_status: optional(oneOf('pending', 'ready', 'errored')),
  status_url: optional(text),
  progress: optional(Progress.field),
});

/** The status of a file that the server fetches. */
export const UploadState = resource('UploadState', {
  upload_status: oneOf('pending', 'ready', 'errored'),
  attachment: optional(json),
  message: optional(maybe(text)),
});
