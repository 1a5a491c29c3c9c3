// The pieces of a CSV file that a job writes in steps, and the file that the last step makes of them.

import { sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import type { Database, Statement } from '../../../database/open';
import type { Retention } from '../../../database/retention';
import type { Platform } from '../../../platform';
import { newBlobKey, storeBlob } from '../../files/upload/blobs';
import type { ProgressStep } from '../../progress/in_steps';
import { expectBlob } from '../../sis_imports/files/kept_files';
import { completeFile } from './file';
import { partsOf } from './lines';

/** The row of a piece may have 2 MB, which texts of custom columns could exceed. */
const longestPiece = 500_000;

/** The lines as rows of the table. @param step part of their order */
export const keepPiece = (db: Database, progress_id: number, step: number, lines: string, now: string): Statement[] =>
  partsOf(lines, longestPiece).map((content, at) =>
    db.build.run(
      sql`insert into gradebook_csv_pieces (progress_id, piece, content, created_at) values (${progress_id}, ${step * 1000 + at}, ${content}, ${now})`,
    ),
  );

/** @param id of the Progress */
export async function* keptPieces(db: Database, id: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let last = -1;
  for (;;) {
    const [pieces] = await db.perform([
      db.build.all<{ piece: number; content: string }>(
        sql`select p.piece, p.content from gradebook_csv_pieces p where p.progress_id = ${id} and p.piece > ${last} order by p.piece limit ${atMost(4)}`,
      ),
    ]);
    if (pieces.length === 0) return;
    for (const { piece, content } of pieces) {
      last = piece;
      yield encoder.encode(content);
    }
  }
}

/** Stores the file, and deletes its pieces. @param work the Progress, how far it has come, and the file that `expectFile` has announced */
export async function finishFile(
  db: Database,
  env: Platform,
  { id, after, file_uuid }: { readonly id: number; readonly after: number; readonly file_uuid: string },
  now: string,
): Promise<ProgressStep> {
  const key = newBlobKey();
  await db.perform([expectBlob(db, key, now)]);
  const kept = await storeBlob(env.FILES, key, keptPieces(db, id), Number.POSITIVE_INFINITY, { r2_calls: 0 });
  return {
    statements: [
      ...completeFile(db, file_uuid, { key, ...kept }, now),
      db.build.run(sql`delete from gradebook_csv_pieces where progress_id = ${id}`),
    ],
    after: after + 1,
    completion: 100,
    end: {},
  };
}

/** Pieces of files that failed. */
export const pieceRetention: Retention = { table: 'gradebook_csv_pieces', by: 'created_at', isInIdOrder: true, days: 2 };
