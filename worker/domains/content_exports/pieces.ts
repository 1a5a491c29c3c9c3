// The archive of an export: each step stores entries as a piece, and the last one makes one file of them.

import { sql } from 'drizzle-orm';
import { type Manifest, type ManifestResource, writeManifest } from '../../cartridge/manifest';
import { atMost } from '../../database/at_most';
import type { Database, Meter, Statement } from '../../database/open';
import type { Retention } from '../../database/retention';
import type { Platform } from '../../platform';
import { newBlobKey, storeBlob } from '../files/upload/blobs';
import { lengthOfEntry, storedEntry, type ZipRecord, zipDirectory, zipEntry } from '../reports/zip';
import { bytesOfBody } from '../sis_imports/files/chunks';
import { expectBlob } from '../sis_imports/files/kept_files';

export interface ExportRun {
  readonly db: Database;
  readonly env: Pick<Platform, 'FILES'>;
  readonly meter: Meter;
  readonly now: string;
}

/** An entry of the archive, whose content is read when it is written. */
export interface EntryToWrite {
  readonly name: string;
  readonly content: () => AsyncIterable<Uint8Array>;
  /** The bytes of an entry that is not compressed, instead of `content`. */
  readonly stored?: Uint8Array;
}

export const textEntry = (name: string, text: string): EntryToWrite => ({
  name,
  async *content() {
    yield new TextEncoder().encode(text);
  },
});

/** The bytes of a stored file. */
export const fileEntry = ({ env, meter }: ExportRun, name: string, key: string): EntryToWrite => ({
  name,
  async *content() {
    meter.r2_calls += 1;
    const object = await env.FILES.get(key);
    if (!object) throw new Error('the bytes of a file are missing');
    yield* bytesOfBody(object.body);
  },
});

/** Stores bytes as a blob that is deleted after a day unless a file uses it. */
async function storeBytes({ db, env, meter, now }: ExportRun, content: AsyncIterable<Uint8Array>) {
  const key = newBlobKey();
  await db.perform([expectBlob(db, key, now)]);
  return { key, ...(await storeBlob(env.FILES, key, content, Number.POSITIVE_INFINITY, meter)) };
}

/** Stores entries; the caller adds the statements to the batch of its step. */
export async function storePiece(
  run: ExportRun,
  { export_id, at }: { readonly export_id: number; readonly at: number },
  entries: readonly EntryToWrite[],
  resources: readonly ManifestResource[],
): Promise<Statement[]> {
  if (entries.length === 0) return [];
  const records: ZipRecord[] = [];
  async function* content() {
    let offset = 0;
    for (const entry of entries) {
      const record = yield* entry.stored
        ? storedEntry(entry.name, entry.stored, offset)
        : zipEntry({ name: entry.name, content: entry.content() }, offset);
      records.push(record);
      offset += lengthOfEntry(record);
    }
  }
  const { key } = await storeBytes(run, content());
  return [
    run.db.build.run(
      sql`insert into content_export_pieces (content_export_id, at, key, entries, resources, created_at)
        values (${export_id}, ${at}, ${key}, ${JSON.stringify(records)}, ${JSON.stringify(resources)}, ${run.now})`,
    ),
  ];
}

interface Piece {
  readonly key: string;
  readonly entries: readonly ZipRecord[];
  readonly resources: readonly ManifestResource[];
}

/** From this number on, pieces belong to the archive beside a book. */
export const companionPieces = 1_000_000;

/** Pieces read at once; each has the records of at most 50 entries. */
const mostPieces = 200;

async function piecesOf({ db }: ExportRun, export_id: number, isCompanion: boolean): Promise<Piece[]> {
  const found: Piece[] = [];
  const end = isCompanion ? 2 * companionPieces : companionPieces;
  let last = isCompanion ? companionPieces - 1 : -1;
  for (;;) {
    const [some] = await db.perform([
      db.build.all<{ at: number; key: string; entries: string; resources: string }>(
        sql`select p.at, p.key, p.entries, p.resources from content_export_pieces p where p.content_export_id = ${export_id} and p.at > ${last} and p.at < ${end} order by p.at limit ${atMost(mostPieces)}`,
      ),
    ]);
    found.push(...some.map(({ key, entries, resources }) => ({ key, entries: JSON.parse(entries), resources: JSON.parse(resources) })));
    if (some.length < mostPieces) return found;
    last = some.at(-1)?.at ?? last;
  }
}

/**
 * Makes the archive of the pieces, and of the manifest with the resources of all of them.
 * @param manifest of a package; none for an archive of files
 * @param isCompanion the archive beside a book
 * @throws RangeError for an archive that would need Zip64
 */
export async function storeArchive(
  run: ExportRun,
  export_id: number,
  manifest: Omit<Manifest, 'resources'> | undefined,
  isCompanion = false,
) {
  const pieces = await piecesOf(run, export_id, isCompanion);
  const records: ZipRecord[] = [];
  async function* content() {
    let offset = 0;
    for (const { key, entries } of pieces) {
      yield* fileEntry(run, key, key).content();
      records.push(...entries.map((one) => ({ ...one, offset: one.offset + offset })));
      offset += entries.reduce((sum, one) => sum + lengthOfEntry(one), 0);
    }
    if (manifest) {
      const text = writeManifest({ ...manifest, resources: pieces.flatMap(({ resources }) => resources) }, run.now.slice(0, 10));
      const record = yield* zipEntry({ name: 'imsmanifest.xml', content: textEntry('', text).content() }, offset);
      records.push(record);
      offset += lengthOfEntry(record);
    }
    yield* zipDirectory(records, offset);
  }
  return storeBytes(run, content());
}

export const deletePieces = (db: Database, export_id: number): Statement =>
  db.build.run(sql`delete from content_export_pieces where content_export_id = ${export_id}`);

/** Pieces of exports that failed. */
export const exportPieceRetention: Retention = { table: 'content_export_pieces', by: 'created_at', isInIdOrder: true, days: 2 };
