// Images and recordings of a book: files of the course that its reader may have, whose bytes are what their types say.

import { and, eq, sql } from 'drizzle-orm';
import { BadXml } from '../../cartridge/xml/read';
import { among, theIds } from '../../database/ids';
import { bookDrawing, mostOfDrawing } from '../../epub/drawings';
import { beginsAs } from '../../epub/media';
import { thePlace } from '../files/place';
import { keptIn, listedFiles } from '../files/policy';
import { blobs, files } from '../files/table';
import { moduleLockOf, moduleLocks } from '../modules/locks';
import { type BookImage, imageTypes } from './plan';
import type { BookReader, BookRun } from './reader';

/** The files among these ids that the reader may see now, in the order of the ids. */
export async function visibleFiles(reader: BookReader, ids: readonly number[]) {
  const { db, now } = reader;
  const place = thePlace(reader);
  const [found, locks] = await db.perform([
    db.build
      .select({ id: files.id, name: files.display_name, content_type: files.content_type, key: blobs.key, size: blobs.size })
      .from(files)
      .innerJoin(blobs, eq(blobs.id, files.blob_id))
      .where(and(among(files.id, ids), keptIn(place), sql`${files.size} > 0`, listedFiles(place, now))),
    moduleLocks('File', theIds(ids), reader),
  ]);
  return found.filter(({ id }) => !moduleLockOf(locks, 'File', id, now));
}

/** Those of types that a book may contain. */
export const visibleImages = async (reader: BookReader, ids: readonly number[]) =>
  (await visibleFiles(reader, ids)).filter(({ content_type }) => imageTypes.includes(content_type));

export const isDrawing = (content_type: string): boolean => content_type === 'image/svg+xml';

/** A drawing for the book; undefined for a file that is none, or too large. */
export async function drawingAt({ env, meter }: Pick<BookRun, 'env' | 'meter'>, key: string, size: number): Promise<string | undefined> {
  if (size > mostOfDrawing) return undefined;
  meter.r2_calls += 1;
  const object = await env.FILES.get(key);
  if (!object) return undefined;
  try {
    return bookDrawing(await object.text());
  } catch (error) {
    if (error instanceof BadXml) return undefined;
    throw error;
  }
}

/** Those of the visible files whose bytes begin as their type demands. */
export async function usableImages(run: BookRun, reader: BookReader, ids: readonly number[]): Promise<BookImage[]> {
  const { env, meter } = run;
  const usable: BookImage[] = [];
  for (const { id, content_type, key, size } of await visibleImages(reader, ids)) {
    if (isDrawing(content_type)) {
      if ((await drawingAt(run, key, size)) !== undefined) usable.push({ id, key, size, media_type: content_type });
      continue;
    }
    meter.r2_calls += 1;
    const start = await env.FILES.get(key, { range: { offset: 0, length: Math.min(8, size) } });
    if (start && beginsAs(content_type, new Uint8Array(await start.arrayBuffer())))
      usable.push({ id, key, size, media_type: content_type });
  }
  return usable;
}
