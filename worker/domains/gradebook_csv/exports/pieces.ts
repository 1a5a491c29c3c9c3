// The pieces of a file that a job writes in steps, read back in their order.

import { sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import type { Database } from '../../../database/open';

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
