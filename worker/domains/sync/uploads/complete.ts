// Completes or aborts an upload in parts. The file appears only after its whole content was read back and has the announced hash.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { Problem, problem } from '../../../http/problem';
import { answer, type Reply } from '../../../http/reply';
import { files } from '../../files/table';
import { hex } from '../../files/upload/blobs';
import { publishUpload } from '../../files/upload/publish';
import { type FoundUpload, type RunningUpload, readUpload, stillRunning } from './access';
import { isNoSuchUpload } from './part';
import { partCount } from './plan';
import { upload_parts, uploads } from './table';

type Completing = Call & { readonly id: number };

/** R2's error for a part that was replaced while its row was written. */
const isInvalidPart = (error: unknown): boolean => error instanceof Error && /\(10025\)/.test(error.message);

const missingParts = (missing: readonly number[]) => new Problem(409, { message: 'parts of the file are missing', missing });

const numbersFrom = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** Makes one object of the parts; a request at the same time may have done it. @throws Problem 409 for parts that have to be sent again */
async function assemble({ db, env, meter }: Call, running: RunningUpload, parts: FoundUpload['parts']): Promise<void> {
  const { id, key, multipart_id } = running;
  if (multipart_id === null) return;
  const all = numbersFrom(partCount(running));
  const missing = all.filter((number) => !parts.some((part) => part.number === number));
  if (missing.length > 0) throw missingParts(missing);
  meter.r2_calls += 1;
  const sent = parts.map(({ number, etag }) => ({ partNumber: number, etag }));
  const problemOf = await env.FILES.resumeMultipartUpload(key, multipart_id)
    .complete(sent)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (problemOf === undefined || isNoSuchUpload(problemOf)) return;
  if (!isInvalidPart(problemOf)) throw problemOf;
  // The same part arrived twice at the same time, and R2 has the one that is not listed.
  await db.perform([db.build.delete(upload_parts).where(eq(upload_parts.upload_id, id))]);
  throw missingParts(all);
}

/** Removes the upload and its bytes; the pending file never becomes visible. A file that is visible by now keeps its bytes. */
async function drop({ db, env, meter }: Call, { id, key, multipart_id }: RunningUpload): Promise<void> {
  const isPending = and(eq(files.id, id), eq(files.workflow_state, 'pending'));
  const [failed] = await db.perform([
    db.build.update(files).set({ workflow_state: 'failed' }).where(isPending).returning({ id: files.id }),
    ...forgetUpload(db, sql`id = ${id}`),
  ]);
  meter.r2_calls += 2;
  // What remains after an error here is removed with unused blobs, and by R2 itself.
  if (multipart_id !== null)
    await env.FILES.resumeMultipartUpload(key, multipart_id)
      .abort()
      .catch(() => {});
  if (failed.length > 0) await env.FILES.delete(key);
}

/** @param which a condition on the table of uploads */
export const forgetUpload = ({ build }: Pick<Call['db'], 'build'>, which: SQL): Statement[] => [
  build.delete(upload_parts).where(sql`${upload_parts.upload_id} in (select id from uploads where ${which})`),
  build.delete(uploads).where(which),
];

/**
 * Repeated, it returns the same file.
 * @throws Problem 409 for missing parts, 422 when the content is not what was announced (nothing is kept then), 400 and 412 as for other uploads
 */
export async function completeUpload(call: Completing & { readonly params: { readonly sha256: string } }): Promise<Reply> {
  const { db, env, id, meter, params } = call;
  const upload = await readUpload(call);
  if (upload.file.workflow_state === 'available') return publishUpload(call, upload, undefined);
  const running = stillRunning(upload);
  if (params.sha256 !== running.sha256) throw problem(422, 'the SHA-256 is not the one that the upload has begun with');
  await assemble(call, running, upload.parts);
  meter.r2_calls += 1;
  const object = await env.FILES.get(running.key);
  if (!object) throw problem(409, 'the file has not arrived');
  const digest = new crypto.DigestStream('SHA-256');
  await object.body.pipeTo(digest);
  const sha256 = hex(await digest.digest);
  if (object.size !== running.size || sha256 !== running.sha256) {
    await drop(call, running);
    throw problem(422, 'the content of the file is different from what was announced');
  }
  const isVisible = sql`id = ${id} and exists (select 1 from files f where f.id = uploads.id and f.workflow_state = 'available')`;
  return publishUpload(call, upload, { id: running.blob_id, size: object.size, sha256 }, forgetUpload(db, isVisible));
}

export async function abortUpload(call: Completing): Promise<Reply> {
  const upload = await readUpload(call);
  await drop(call, stillRunning(upload));
  return answer({ id: call.id }, 200);
}
