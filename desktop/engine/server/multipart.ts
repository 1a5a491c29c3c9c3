// A form with one file, streamed: the file is opened once, read to the announced length, and compared with the announced hash before the
// end of the form is sent. The server ignores an incomplete form.

import { createHash, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { t } from '../../language/texts';
import type { StreamRequest } from './asking';

/** The file was changed while it was being read: nothing was uploaded. */
export class Unsteady extends Error {
  override readonly name = 'Unsteady';
  constructor(where: string) {
    super(t('why.changed', { where }));
  }
}

export interface Enclosed {
  /** Its path on this computer. */
  readonly file: string;
  readonly name: string;
  readonly size: number;
  /** Where the bytes begin in the file, for a part of it. */
  readonly from?: number;
  /** The hash of exactly these bytes; without it only the length is checked. */
  readonly sha256?: string | undefined;
}

const chunk = 64 * 1024;

/** As browsers escape them in forms. */
const escaped = (name: string): string => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/** Each call makes the body again, from the first byte. */
export function multipart(fields: Readonly<Record<string, string>>, param: string, enclosed: Enclosed): () => StreamRequest {
  const boundary = `carrel-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value.replaceAll(/\r?\n|\r/g, '\r\n')}\r\n`,
  );
  const about = `Content-Disposition: form-data; name="${escaped(param)}"; filename="${escaped(enclosed.name)}"`;
  const head = Buffer.from(`${parts.join('')}--${boundary}\r\n${about}\r\nContent-Type: application/octet-stream\r\n\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': `${head.length + enclosed.size + tail.length}`,
  };
  return streamed(() => piecesOf(head, enclosed, tail), headers);
}

/** A body that is read while it is sent. Each call makes it again. */
export function streamed(read: () => AsyncGenerator<Uint8Array, void>, headers: Readonly<Record<string, string>>): () => StreamRequest {
  return () => {
    const state: { problem?: unknown } = {};
    const pieces = read();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (problem) {
          state.problem = problem;
          controller.error(problem);
        }
      },
      cancel: () => pieces.return(undefined).then(() => {}),
    });
    return {
      headers,
      body,
      get problem() {
        return state.problem;
      },
    };
  };
}

async function* piecesOf(head: Uint8Array, enclosed: Enclosed, tail: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield head;
  yield* bytesOf(enclosed);
  yield tail;
}

/** Bytes that are appended meanwhile are left out; if the file is replaced meanwhile, the open one is still read. */
export async function* bytesOf({ file, name, size, sha256, from = 0 }: Enclosed): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256');
  const handle = await open(file, 'r').catch((problem: unknown) => {
    throw problem instanceof Error && 'code' in problem && problem.code === 'ENOENT' ? new Unsteady(name) : problem;
  });
  try {
    for (let left = size; left > 0; ) {
      const buffer = Buffer.allocUnsafe(Math.min(chunk, left));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, from + size - left);
      if (bytesRead === 0) throw new Unsteady(name);
      left -= bytesRead;
      const read = buffer.subarray(0, bytesRead);
      hash.update(read);
      // The last bytes are sent only if the hash matches.
      if (left === 0 && sha256 !== undefined && hash.digest('hex') !== sha256) throw new Unsteady(name);
      yield read;
    }
  } finally {
    await handle.close();
  }
}
