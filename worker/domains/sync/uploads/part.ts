// Receives one part of an upload: streamed into R2, and checked against its length and hash before its last bytes are passed on.

import { sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import type { Call } from '../../../http/call';
import { badParameter, notFound, problem } from '../../../http/problem';
import { answer, type Reply } from '../../../http/reply';
import { hex } from '../../files/upload/blobs';
import { readUpload, stillRunning } from './access';
import { isSha256 } from './begin';
import { partCount, partLength } from './plan';
import { upload_parts } from './table';

/** R2's error for a multipart upload that was completed or aborted. */
export const isNoSuchUpload = (error: unknown): boolean => error instanceof Error && /\(10024\)/.test(error.message);

const wrongLength = (expected: number) => problem(400, `the part is not ${expected} bytes long`);
const wrongHash = () => problem(422, 'the SHA-256 of the part is different');

type Body = ReadableStream<Uint8Array>;

/** Reads the rest of a body that is not needed, so that the sender is not disconnected. */
const discard = (body: Body): Promise<void> => body.pipeTo(new WritableStream()).catch(() => {});

async function* chunksOf(body: Body): AsyncGenerator<Uint8Array> {
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    if (value.length > 0) yield value;
  }
}

/**
 * Passes the body on. The last chunk is held back until the hash is known, so that R2 never stores a part with other bytes.
 * @throws Problem 400 for another length, 422 for another hash
 */
async function passChecked(body: Body, into: WritableStreamDefaultWriter<Uint8Array>, length: number, sha256: string): Promise<void> {
  const digest = new crypto.DigestStream('SHA-256');
  const hash = digest.getWriter();
  digest.digest.catch(() => {});
  let size = 0;
  let last: Uint8Array | undefined;
  for await (const chunk of chunksOf(body)) {
    size += chunk.length;
    // What is too much is read to its end, so that the sender is not disconnected.
    if (size > length) continue;
    if (last) await into.write(last);
    await hash.write(chunk);
    last = chunk;
  }
  if (size !== length) throw wrongLength(length);
  await hash.close();
  if (hex(await digest.digest) !== sha256) throw wrongHash();
  if (last) await into.write(last);
  await into.close();
}

async function store(upload: R2MultipartUpload, number: number, body: Body, length: number, sha256: string): Promise<R2UploadedPart> {
  const { readable, writable } = new FixedLengthStream(length);
  const into = writable.getWriter();
  into.closed.catch(() => {});
  const sending = upload.uploadPart(number, readable);
  sending.catch(() => {});
  try {
    // An error of R2 ends the waiting for a stream that is no longer read.
    await Promise.race([passChecked(body, into, length, sha256), sending]);
    return await sending;
  } catch (error) {
    await into.abort(error).catch(() => {});
    throw error;
  }
}

type Sending = Call & { readonly id: number; readonly path: { readonly number: string }; readonly params: { readonly sha256: string } };

/**
 * A part that has arrived is not stored again.
 * @throws Problem 400 for a part that the file does not have, or of another length, 422 for other bytes than announced
 */
export async function receivePart(call: Sending): Promise<Reply> {
  const { body } = call.request;
  if (!body) throw problem(400, 'the part is empty');
  try {
    return await take(call, body);
  } finally {
    if (!body.locked) await discard(body);
  }
}

async function take(call: Sending, body: Body): Promise<Reply> {
  const { db, env, id, meter, request, params } = call;
  const { sha256 } = params;
  if (!isSha256(sha256)) throw badParameter('sha256', 'is not a SHA-256 in lower-case hexadecimal');
  const upload = await readUpload(call);
  const running = stillRunning(upload);
  const number = readId(call.path.number) ?? 0;
  const length = partLength(running, number);
  if (length === undefined) throw problem(400, `the file has parts 1 to ${partCount(running)}`);
  if (running.multipart_id === null) throw problem(400, 'this upload is not sent in parts');
  if (upload.parts.some((part) => part.number === number && part.sha256 === sha256)) return answer({ number, sha256 });
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) !== length) throw wrongLength(length);
  meter.r2_calls += 1;
  const multipart = env.FILES.resumeMultipartUpload(running.key, running.multipart_id);
  const { etag } = await store(multipart, number, body, length, sha256).catch((error: unknown) => {
    throw isNoSuchUpload(error) ? notFound() : error;
  });
  // The upload may have been aborted meanwhile.
  await db.perform([
    db.build
      .insert(upload_parts)
      .select(sql`select id, ${number}, ${etag}, ${sha256} from uploads where id = ${id}`)
      .onConflictDoUpdate({ target: [upload_parts.upload_id, upload_parts.number], set: { etag, sha256 } }),
  ]);
  return answer({ number, sha256 }, 201);
}
