// Uploads in parts, for files that are larger than a request: begin with a ticket, send the parts in any order, complete.

import { UploadInParts } from '@carrel/shared/resources/upload_in_parts';
import { bool, int, optional, text } from '@carrel/shared/wire/fields';
import { absolute, del, get, post, put } from '../../../http/endpoint';
import { answer } from '../../../http/reply';
import { partsPath } from '../../files/upload/ticket';
import { mayStore, ofTicket, ofUpload, readUpload, stillRunning } from './access';
import { beginUpload } from './begin';
import { abortUpload, completeUpload } from './complete';
import { uploadJson } from './json';
import { receivePart } from './part';

const ticket = { uuid: text, filename: optional(text), content_type: optional(text), expires_at: optional(text), signature: text };

export const uploadRoutes = absolute(
  post(
    partsPath,
    {
      can: mayStore,
      within: ofTicket,
      params: { ...ticket, size: int, sha256: text, direct: optional(bool) },
      returns: { json: UploadInParts },
      summary: 'Begin an upload in parts',
    },
    (call) => beginUpload(call, call.params),
  ),
  get(
    `${partsPath}/:id`,
    { can: 'user', returns: { json: UploadInParts }, summary: 'Get the parts of an upload that have arrived' },
    async (call) => {
      const upload = await readUpload(call);
      if (upload.file.workflow_state !== 'available') stillRunning(upload);
      return answer(await uploadJson(call, upload));
    },
  ),
  put(
    `${partsPath}/:id/parts/:number`,
    {
      can: mayStore,
      within: ofUpload,
      params: { sha256: text },
      rawBody: true,
      returns: { json: null },
      summary: 'Send a part of an upload',
    },
    (call) => receivePart(call),
  ),
  post(
    `${partsPath}/:id/complete`,
    {
      can: mayStore,
      within: ofUpload,
      params: { sha256: text },
      returns: { json: null },
      conditional: 'ticket',
      summary: 'Complete an upload in parts',
    },
    (call) => completeUpload(call),
  ),
  del(`${partsPath}/:id`, { can: 'user', returns: { json: null }, summary: 'Abort an upload in parts' }, (call) => abortUpload(call)),
);
