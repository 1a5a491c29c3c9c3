// Bytes on their way into R2: counted, hashed, and never held whole. A blob's row is written before its bytes, so that none is ever lost sight of.

import { randomText } from '../../../database/tokens';

export interface Kept {
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** There were more bytes than allowed; nothing has been kept. */
export class TooLarge extends Error {}

/** R2 wants parts of one size, 5 MiB at least; what is smaller than one part is put at once. */
const partSize = 8 * 1024 * 1024;

export const newBlobKey = (): string => `blobs/${randomText(40)}`;

const hex = (digest: ArrayBuffer) => [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

interface Counter {
  r2_calls: number;
}

/**
 * Streams a content into R2. The announced length is only a claim, so it is not relied upon: parts of 8 MiB are sent while the next one is read.
 * @throws TooLarge, or whatever broke the content; then R2 holds nothing under the key
 */
export async function keep(
  bucket: R2Bucket,
  key: string,
  content: AsyncIterable<Uint8Array>,
  limit: number,
  meter: Counter,
): Promise<Kept> {
  const digest = new crypto.DigestStream('SHA-256');
  const hash = digest.getWriter();
  // Asked for only at the end; when it is broken off, nobody asks.
  digest.digest.catch(() => {});
  let size = 0;
  let part = new Uint8Array(0);
  let filled = 0;
  let upload: R2MultipartUpload | undefined;
  const sent: Promise<R2UploadedPart>[] = [];

  /** Sends the part at hand; waits for the one before, so that at most two are in memory. */
  async function send(bytes: Uint8Array): Promise<void> {
    await sent.at(-1);
    meter.r2_calls += upload ? 1 : 2;
    upload ??= await bucket.createMultipartUpload(key);
    const sending = upload.uploadPart(sent.length + 1, bytes);
    // Awaited before the next part or at the end; until then a failure must not count as unhandled.
    sending.catch(() => {});
    sent.push(sending);
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
          part = new Uint8Array(0);
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
    // A part that is still on its way would outlive the abort; what cannot be aborted now is dropped by R2 itself after a week.
    await Promise.allSettled(sent);
    await upload?.abort().catch(() => {});
    throw error;
  }
}

/** Room for at least so many bytes, doubling up to one part. */
function grown(part: Uint8Array, atLeast: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(partSize, Math.max(atLeast, part.length * 2)));
  larger.set(part);
  return larger;
}
