// Writes a zip archive as a stream, with the runtime's own deflate: sizes and checksums follow each entry and are repeated in the directory.
// Counterpart of sis_imports/files/archive.ts. The libraries for Workers buffer whole entries or bring a deflate of their own.

import { crcOf } from '../sis_imports/files/archive';
import { bytesOfBody } from '../sis_imports/files/chunks';

interface Content {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Sizes follow the content (8), names are UTF-8 (0x800). */
const flags = 0x0808;
const deflate = 8;
/** 1 January 1980, so that the same content gives the same archive. */
const date = 0x0021;
const version = 20;
const longest = 0xffffffff;

/** Little-endian numbers, each with its width in bytes. */
function record(...fields: readonly (readonly [value: number, width: 2 | 4])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, width]) => sum + width, 0)));
  let at = 0;
  for (const [value, width] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return new Uint8Array(view.buffer);
}

interface Sums {
  crc: number;
  size: number;
}

async function* deflated(content: AsyncIterable<Uint8Array>, sums: Sums): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new CompressionStream('deflate-raw');
  const writer = writable.getWriter();
  const feed = async () => {
    for await (const bytes of content) {
      sums.crc = crcOf(bytes, sums.crc);
      sums.size += bytes.length;
      await writer.write(bytes as Uint8Array<ArrayBuffer>);
    }
    await writer.close();
  };
  const feeding = feed().catch(async (error: unknown) => {
    await writer.abort(error).catch(() => {});
    throw error;
  });
  // Awaited at the end; until then a rejection must not count as unhandled.
  feeding.catch(() => {});
  yield* bytesOfBody(readable as ReadableStream<Uint8Array>);
  await feeding;
}

/** @throws RangeError for content that would need Zip64 */
export async function* zipOf(contents: readonly Content[]): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, content } of contents) {
    const called = new TextEncoder().encode(name);
    const start = offset;
    const head = record(
      [0x04034b50, 4],
      [version, 2],
      [flags, 2],
      [deflate, 2],
      [0, 2],
      [date, 2],
      [0, 4],
      [0, 4],
      [0, 4],
      [called.length, 2],
      [0, 2],
    );
    yield head;
    yield called;
    const sums: Sums = { crc: 0, size: 0 };
    let packed = 0;
    for await (const bytes of deflated(content, sums)) {
      packed += bytes.length;
      yield bytes;
    }
    const tail = record([0x08074b50, 4], [sums.crc, 4], [packed, 4], [sums.size, 4]);
    yield tail;
    offset += head.length + called.length + packed + tail.length;
    if (offset > longest || sums.size > longest) throw new RangeError('the archive would be larger than 4 GB');
    directory.push(
      record(
        ...([
          [0x02014b50, 4],
          [version, 2],
          [version, 2],
          [flags, 2],
          [deflate, 2],
          [0, 2],
          [date, 2],
        ] as const),
        ...([
          [sums.crc, 4],
          [packed, 4],
          [sums.size, 4],
          [called.length, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 4],
          [start, 4],
        ] as const),
      ),
      called,
    );
  }
  yield* directory;
  const length = directory.reduce((sum, { length: one }) => sum + one, 0);
  const count = contents.length;
  yield record([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [length, 4], [offset, 4], [0, 2]);
}
