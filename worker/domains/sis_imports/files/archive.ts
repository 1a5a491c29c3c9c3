// Reads a zip archive in R2 by ranged reads: first its directory with contents and sizes, then one entry at a time through the runtime's inflate. The
// libraries for Workers either guess where entries end without checks, or would add a tenth to the size of this service.

import { bytesOfBody } from './chunks';

export class BadArchive extends Error {}

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly crc: number;
  readonly offset: number;
  /** The Unix mode, 0 when the archive does not state one. */
  readonly mode: number;
}

/** Maximum compression factor: more than a hundred indicates a zip bomb (reference 01 B16). */
const mostGrowth = 100;
const mostBytes = 50 * 1024 ** 3;
const mostEntries = 2000;
const longestDirectory = 8 * 1024 * 1024;
/** The end record with the longest comment, and its Zip64 counterpart. */
const longestEnd = 65_536 + 22 + 20;

type Bucket = Pick<R2Bucket, 'get'>;

async function read(bucket: Bucket, key: string, offset: number, length: number): Promise<DataView> {
  const object = await bucket.get(key, { range: { offset, length } });
  if (!object) throw new BadArchive('the archive is missing');
  return new DataView(await object.arrayBuffer());
}

const big = (view: DataView, at: number) => Number(view.getBigUint64(at, true));

/** Locates the directory. */
async function directoryOf(bucket: Bucket, key: string, size: number): Promise<{ offset: number; length: number; count: number }> {
  const start = Math.max(0, size - longestEnd);
  const tail = await read(bucket, key, start, size - start);
  let at = tail.byteLength - 22;
  while (at >= 0 && tail.getUint32(at, true) !== 0x06054b50) at -= 1;
  if (at < 0) throw new BadArchive('the file is not a zip archive, or it is truncated');
  const plain = { count: tail.getUint16(at + 10, true), length: tail.getUint32(at + 12, true), offset: tail.getUint32(at + 16, true) };
  if (plain.offset !== 0xffffffff && plain.count !== 0xffff && plain.length !== 0xffffffff) return plain;
  if (at < 20 || tail.getUint32(at - 20, true) !== 0x07064b50) throw new BadArchive('the archive has no directory');
  const large = await read(bucket, key, big(tail, at - 12), 56);
  if (large.byteLength < 56 || large.getUint32(0, true) !== 0x06064b50) throw new BadArchive('the archive has no directory');
  return { count: big(large, 32), length: big(large, 40), offset: big(large, 48) };
}

/** In Zip64, the sizes and offset of an entry are in an extra field. */
function widened(view: DataView, from: number, to: number, entry: ZipEntry): ZipEntry {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    const take = (value: number) => {
      if (value !== 0xffffffff || next + 8 > to) return value;
      next += 8;
      return big(view, next - 8);
    };
    return { ...entry, size: take(entry.size), packed: take(entry.packed), offset: take(entry.offset) };
  }
  return entry;
}

/**
 * @param most entries
 * @throws BadArchive also for an archive that would become too large
 */
export async function zipEntriesOf(bucket: Bucket, key: string, size: number, most = mostEntries): Promise<ZipEntry[]> {
  const { offset, length, count } = await directoryOf(bucket, key, size);
  if (count > most || length > longestDirectory) throw new BadArchive('the archive contains too many files');
  if (offset + length > size) throw new BadArchive('the archive is truncated');
  const view = await read(bucket, key, offset, length);
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === 0x02014b50; ) {
    const [named, extra, comment] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
    const end = at + 46 + named + extra;
    if (end > view.byteLength) throw new BadArchive('the directory of the archive is broken');
    if (view.getUint16(at + 8, true) & 1) throw new BadArchive('the archive is encrypted');
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, named)).replaceAll('\\', '/');
    entries.push(
      widened(view, at + 46 + named, end, {
        name,
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        packed: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        offset: view.getUint32(at + 42, true),
        mode: view.getUint32(at + 38, true) >>> 16,
      }),
    );
    at = end + comment;
  }
  if (entries.length !== count) throw new BadArchive('the directory of the archive is broken');
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (total > mostBytes || total > Math.max(size, 1) * mostGrowth) throw new BadArchive('the archive would become too large');
  return entries;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** What a byte adds with so many bytes after it: four bytes are taken at once, because the checksum is most of the work with large archives. */
const [crc1, crc2, crc3] = [1, 2, 3].map((after) =>
  crcTable.map((first) => {
    let value = first;
    for (let nth = 0; nth < after; nth += 1) value = (value >>> 8) ^ (crcTable[value & 0xff] as number);
    return value;
  }),
) as [Uint32Array, Uint32Array, Uint32Array];

export function crcOf(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    value ^= words.getInt32(at, true);
    value =
      (crc3[value & 0xff] as number) ^
      (crc2[(value >>> 8) & 0xff] as number) ^
      (crc1[(value >>> 16) & 0xff] as number) ^
      (crcTable[value >>> 24] as number);
  }
  for (; at < bytes.length; at += 1) value = (value >>> 8) ^ (crcTable[(value ^ (bytes[at] as number)) & 0xff] as number);
  return ~value >>> 0;
}

/** The bytes of an entry. @throws BadArchive when they do not match the directory */
export async function* contentOf(
  bucket: Bucket,
  key: string,
  { name, method, packed, size, crc, offset }: ZipEntry,
): AsyncGenerator<Uint8Array> {
  if (method !== 0 && method !== 8) throw new BadArchive(`${name} uses an unsupported compression method`);
  const head = await read(bucket, key, offset, 30);
  if (head.byteLength < 30 || head.getUint32(0, true) !== 0x04034b50) throw new BadArchive(`${name} is not where the directory says`);
  if (size === 0) return;
  const start = offset + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const object = await bucket.get(key, { range: { offset: start, length: packed } });
  if (!object) throw new BadArchive('the archive is missing');
  const body = method === 0 ? object.body : object.body.pipeThrough(new DecompressionStream('deflate-raw'));
  let [length, sum] = [0, 0];
  try {
    for await (const bytes of bytesOfBody(body)) {
      length += bytes.length;
      if (length > size) break;
      sum = crcOf(bytes, sum);
      yield bytes;
    }
  } catch (error) {
    throw error instanceof BadArchive ? error : new BadArchive(`${name} cannot be unpacked`, { cause: error });
  }
  if (length !== size || sum !== crc) throw new BadArchive(`${name} does not match the archive's directory`);
}
