// Splits a file's rows into chunks that need one read and one batch each: no two rows of a chunk touch the same object.

import { CsvReader, type CsvRow } from '@carrel/shared/csv/reader';
import type { Platform } from '../../../platform';
import { type Cells, type ParsedRow, parsedRowOf } from './file_types';

export interface Touches {
  /** Objects that the row creates or changes. */
  readonly makes: readonly string[];
  /** Objects that earlier rows must have written first. */
  readonly uses?: readonly string[];
}

export interface Cutting {
  readonly most: number;
  touches(cells: Cells): Touches;
  /** Rows of one group are processed together; a chunk has a limited number of groups. */
  readonly group?: (cells: Cells) => string;
  readonly mostGroups?: number;
}

export interface Chunk {
  readonly rows: readonly ParsedRow[];
}

/** Bytes of text per chunk: the limit for a bound text is 2 MB. */
const longest = 600_000;

/** Bytes of one read: the runtime's streams return a few kilobytes at once unless a reader asks for more. */
const portion = 64 * 1024;

/** Of a stream of bytes in the runtime of the Worker; undefined for other streams. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    const reader = body.getReader({ mode: 'byob' });
    if ('readAtLeast' in reader) return reader;
    (reader as ReadableStreamBYOBReader).releaseLock();
    return undefined;
  } catch {
    return undefined;
  }
}

/** The bytes of a body, in large portions; cancels the connection when the reader stops. */
export async function* bytesOfBody(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = byteReader(body);
  if (bytes) yield* portionsOf(bytes);
  else yield* readsOf(body);
}

async function* portionsOf(reader: ReadableStreamBYOBReader): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(portion, new Uint8Array(portion));
      if (value && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* readsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The rows of a stored file from a byte offset on. */
export async function* csvRows({ FILES }: Pick<Platform, 'FILES'>, key: string, from: number, size: number): AsyncGenerator<CsvRow> {
  if (from >= size) return;
  const object = await FILES.get(key, { range: { offset: from } });
  if (!object) throw new Error(`${key} is missing`);
  const reader = new CsvReader(from);
  for await (const bytes of bytesOfBody(object.body)) yield* reader.push(bytes);
  yield* reader.finish();
}

/** @param first the number of the first row, as a spreadsheet counts */
export async function* numbered(rows: AsyncIterable<CsvRow>, columns: readonly string[], first: number): AsyncGenerator<ParsedRow> {
  let at = first;
  for await (const { cells, end } of rows) {
    yield parsedRowOf(columns, cells, at, end);
    at += 1;
  }
}

export async function* chunksOf(
  rows: AsyncIterable<ParsedRow>,
  { most, touches, group, mostGroups = Number.POSITIVE_INFINITY }: Cutting,
): AsyncGenerator<Chunk> {
  let chunk: ParsedRow[] = [];
  let made = new Set<string>();
  let groups = new Set<string>();
  let length = 0;
  for await (const row of rows) {
    const { makes, uses = [] } = touches(row.cells);
    const ofGroup = group?.(row.cells) ?? '';
    const isFull =
      chunk.length >= most ||
      length >= longest ||
      (!groups.has(ofGroup) && groups.size >= mostGroups) ||
      makes.some((one) => made.has(one)) ||
      uses.some((one) => made.has(one));
    if (isFull && chunk.length > 0) {
      yield { rows: chunk };
      [chunk, made, groups, length] = [[], new Set(), new Set(), 0];
    }
    chunk.push(row);
    for (const one of makes) made.add(one);
    groups.add(ofGroup);
    for (const value of Object.values(row.cells)) length += (value?.length ?? 0) + 20;
  }
  if (chunk.length > 0) yield { rows: chunk };
}
