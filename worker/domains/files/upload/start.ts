// Responds to step 1 of an upload: a ticket to send the bytes with, or a job that fetches them.

import { UploadState, UploadTicket } from '@carrel/shared/resources/upload_ticket';
import { eq, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import { newMeter, open } from '../../../database/open';
import { randomText } from '../../../database/tokens';
import { fileLimit, fileTooLarge } from '../../../http/body_limit';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { problem } from '../../../http/problem';
import { answer, one, type Reply, write } from '../../../http/reply';
import { embed, serializer } from '../../../http/serializer';
import { isPublic } from '../../../web/public_address';
import { progressJson } from '../../progress/json';
import { queueProgress } from '../../progress/progress';
import { progress } from '../../progress/table';
import { type FileRow, filesByIds, uploadedFile } from '../json';
import { files } from '../table';
import { pendingFile, ticket, type UploadRequest, uploadOf } from './ticket';

const words = { pending: 'pending', available: 'ready', failed: 'errored', deleted: 'errored' } as const;

/** The status of an upload. */
export const uploadState = serializer({
  resource: UploadState,
  table: files,
  also: (ids) => ({ attachments: embed(uploadedFile, filesByIds(ids)) }),
  json: ({ id, workflow_state, upload }: FileRow, _, { attachments }) => ({
    upload_status: words[workflow_state],
    attachment: attachments.find(({ row }) => row.id === id)?.json,
    message: upload?.message,
  }),
});

/** For `returns` of endpoints that start an upload; with a URL, the server fetches the bytes. */
export const uploadTicket = serializer({
  resource: UploadTicket,
  table: files,
  also: (ids) => ({
    work: embed(
      progressJson,
      rows(progress, {
        where: isInSelect(progress.id, sql`select json_extract(upload, '$.progress_id') from files where ${isInSelect(sql`id`, ids)}`),
      }),
    ),
  }),
  json: ({ id, uuid, workflow_state, upload }: FileRow, { origin }, { work }) => ({
    upload_url: null,
    upload_params: null,
    id,
    upload_status: words[workflow_state],
    status_url: `${origin}/api/v1/files/${id}/${uuid}/status`,
    progress: work.find(({ row }) => row.id === upload?.progress_id)?.json,
  }),
});

type Around = Pick<Call, 'db' | 'env' | 'me' | 'now' | 'origin' | 'afterwards'>;

/**
 * Starts the upload of a file. The caller checks quota and permissions first.
 * @throws Problem 413 for a file that does not fit into one request, unless it comes in parts
 */
export async function startUpload(call: Around, asked: UploadRequest): Promise<Reply> {
  if (asked.url !== undefined) return startFetch(call, asked, asked.url);
  if (!asked.in_parts && (asked.size ?? 0) > fileLimit(call.env)) throw fileTooLarge(call.env);
  const { statements, json } = await ticket(call, asked);
  return write(statements, answer(json));
}

type Fetching = Pick<Around, 'db' | 'env' | 'me' | 'now' | 'afterwards'>;

/**
 * Statements that queue the fetch of a file, whose row has the uuid from the start.
 * @throws Problem 400 for an address that is not public
 */
export function queueFetch(call: Fetching, asked: UploadRequest, given: string) {
  const { db, env, me, now } = call;
  const url = URL.parse(given);
  if (!url || !isPublic(url)) throw problem(400, 'the url is not a public web URL');
  const uuid = randomText(40);
  const upload = JSON.stringify({ ...uploadOf(asked, now), url: url.href, ...(asked.submits && { submits: true }) });
  const { folders, file } = pendingFile(call, asked, uuid, sql`json_set(${upload}, '$.progress_id', last_insert_rowid())`);
  const { context_type, context_id } = asked.holder;
  call.afterwards(async () => {
    const later = open(env.DB, newMeter(), 'first-primary');
    const [[row]] = await later.perform([later.build.select({ id: files.id }).from(files).where(eq(files.uuid, uuid))]);
    if (row) await env.WORK.send({ job: 'upload_via_url', ids: [row.id] });
  });
  const work = { context_type, context_id, user_id: me.id, tag: 'upload_via_url', arguments: asked.submits && { ...asked.submits, uuid } };
  return { uuid, statements: [...folders, queueProgress(db, work, now), file] };
}

/** Upload by URL: the response contains a Progress and the status URL of the file. */
function startFetch(call: Around, asked: UploadRequest, given: string): Reply {
  const { uuid, statements } = queueFetch(call, asked, given);
  return write(statements, one(rows(files, { where: eq(files.uuid, uuid) })));
}
