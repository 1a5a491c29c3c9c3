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
const mostRecords = 0xffff;

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

/** An entry of an archive, for its directory. */
export interface ZipRecord {
  readonly name: string;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Where the entry begins. */
  readonly offset: number;
  /** Not compressed, with its sums before the content. */
  readonly isStored?: true;
}

/** The length of everything that belongs to an entry outside of the directory. */
export const lengthOfEntry = ({ name, packed, isStored }: ZipRecord): number =>
  30 + new TextEncoder().encode(name).length + packed + (isStored ? 0 : 16);

/** Names are UTF-8. */
const flagsWhenStored = 0x0800;

/**
 * The bytes of an entry that is not compressed, for readers that look for it at its place in the archive.
 * @param offset where the entry begins in the archive
 */
export function* storedEntry(name: string, content: Uint8Array, offset: number): Generator<Uint8Array, ZipRecord> {
  const called = new TextEncoder().encode(name);
  const crc = crcOf(content, 0);
  const size = content.length;
  yield record(
    [0x04034b50, 4],
    [version, 2],
    [flagsWhenStored, 2],
    [0, 2],
    [0, 2],
    [date, 2],
    [crc, 4],
    [size, 4],
    [size, 4],
    [called.length, 2],
    [0, 2],
  );
  yield called;
  yield content;
  return { name, crc, packed: size, size, offset, isStored: true };
}

/**
 * The bytes of one entry; returns its record.
 * @param offset where the entry begins in the archive
 */
export async function* zipEntry({ name, content }: Content, offset: number): AsyncGenerator<Uint8Array, ZipRecord> {
  const called = new TextEncoder().encode(name);
  yield record(
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
  yield called;
  const sums: Sums = { crc: 0, size: 0 };
  let packed = 0;
  for await (const bytes of deflated(content, sums)) {
    packed += bytes.length;
    yield bytes;
  }
  yield record([0x08074b50, 4], [sums.crc, 4], [packed, 4], [sums.size, 4]);
  return { name, ...sums, packed, offset };
}

/**
 * The directory of an archive, after its entries.
 * @throws RangeError for an archive that would need Zip64
 */
export function zipDirectory(records: readonly ZipRecord[], offset: number): Uint8Array[] {
  if (offset > longest || records.some(({ size }) => size > longest)) throw new RangeError('the archive would be larger than 4 GB');
  if (records.length > mostRecords) throw new RangeError(`the archive would have more than ${mostRecords} entries`);
  const directory = records.flatMap(({ name, crc, packed, size, offset: start, isStored }) => {
    const called = new TextEncoder().encode(name);
    return [
      record(
        ...([
          [0x02014b50, 4],
          [version, 2],
          [version, 2],
          [isStored ? flagsWhenStored : flags, 2],
          [isStored ? 0 : deflate, 2],
          [0, 2],
          [date, 2],
        ] as const),
        ...([
          [crc, 4],
          [packed, 4],
          [size, 4],
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
    ];
  });
  const length = directory.reduce((sum, { length: one }) => sum + one, 0);
  const count = records.length;
  return [...directory, record([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [length, 4], [offset, 4], [0, 2])];
}

/** @throws RangeError for content that would need Zip64 */
export async function* zipOf(contents: readonly Content[]): AsyncGenerator<Uint8Array> {
  const records: ZipRecord[] = [];
  let offset = 0;
  for (const content of contents) {
    const made = yield* zipEntry(content, offset);
    records.push(made);
    offset += lengthOfEntry(made);
  }
  yield* zipDirectory(records, offset);
}
