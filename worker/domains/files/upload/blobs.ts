// Streams bytes into R2: counts and hashes them without buffering the whole file. A blob's row is written before its bytes, so that none is ever
// orphaned.

import { randomText } from '../../../database/tokens';

export interface StoredBlob {
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** More bytes than allowed; nothing is stored. */
export class TooLarge extends Error {}

/** R2 multipart parts must have equal sizes of at least 5 MiB; smaller files are put at once. */
const partSize = 8 * 1024 * 1024;

export const newBlobKey = (): string => `blobs/${randomText(40)}`;

export const hex = (digest: ArrayBuffer) => [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

interface Counter {
  r2_calls: number;
}

/**
 * Streams content into R2. The announced length is not trusted, so 8 MiB parts are sent while the next one is read.
 * @throws TooLarge, or the error of the content; R2 then stores nothing under the key
 */
export async function storeBlob(
  bucket: R2Bucket,
  key: string,
  content: AsyncIterable<Uint8Array>,
  limit: number,
  meter: Counter,
): Promise<StoredBlob> {
  const digest = new crypto.DigestStream('SHA-256');
  const hash = digest.getWriter();
  // Read only at the end; after an abort no one awaits it.
  digest.digest.catch(() => {});
  let size = 0;
  let part = new Uint8Array(0);
  /** The part that is being sent: its buffer is used again, so that a large file does not leave one behind for each part. */
  let sending: Uint8Array<ArrayBuffer> | undefined;
  let filled = 0;
  let upload: R2MultipartUpload | undefined;
  const sent: Promise<R2UploadedPart>[] = [];

  /** Sends the current part; waits for the previous one, so that at most two are in memory. */
  async function send(bytes: Uint8Array): Promise<void> {
    await sent.at(-1);
    meter.r2_calls += upload ? 1 : 2;
    upload ??= await bucket.createMultipartUpload(key);
    const arriving = upload.uploadPart(sent.length + 1, bytes);
    // Awaited before the next part or at the end; until then a rejection must not count as unhandled.
    arriving.catch(() => {});
    sent.push(arriving);
  }

  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > limit) throw new TooLarge();
      await hash.write(chunk);
      for (let taken = 0; taken < chunk.length; ) {
        if (filled === part.length) part = grown(part, filled + chunk.length - taken);
        const count = Math.min(part.length - filled, chunk.length - taken);
        part.set(chunk.subarray(taken, taken + count), filled);
        taken += count;
        filled += count;
        if (filled === partSize) {
          await send(part);
          [part, sending] = [sending ?? new Uint8Array(partSize), part];
          filled = 0;
        }
      }
    }
    await hash.close();
    const sha256 = hex(await digest.digest);
    if (!upload) {
      meter.r2_calls += 1;
      await bucket.put(key, part.subarray(0, filled), { sha256 });
    } else {
      if (filled > 0) await send(part.subarray(0, filled));
      meter.r2_calls += 1;
      await upload.complete(await Promise.all(sent));
    }
    return { size, sha256 };
  } catch (error) {
    hash.abort().catch(() => {});
    // A part that is still being sent would outlive the abort. R2 itself drops incomplete uploads after a week.
    await Promise.allSettled(sent);
    await upload?.abort().catch(() => {});
    throw error;
  }
}

/** A buffer for at least so many bytes; doubles up to one part. */
function grown(part: Uint8Array, atLeast: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(partSize, Math.max(atLeast, part.length * 2)));
  larger.set(part);
  return larger;
}
