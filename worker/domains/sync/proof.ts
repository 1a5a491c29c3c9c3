// Hashes of the files in a context as the feed has sent them: a client with the same hashes is up to date.

import { branchesOf, branchSize, type ProofLeaf, type ProofPage, placeInOrder } from '@carrel/shared/sync/proof';
import { and, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { sha256 } from '../../http/idempotency';
import { badParameter } from '../../http/problem';
import { thePlace } from '../files/place';
import { keptIn, listedFiles } from '../files/policy';
import { files } from '../files/table';

/** Files per response. A multiple of the branch size, so that branches do not depend on page borders. */
const mostFiles = 20 * branchSize;

/**
 * The files of the context that lists show the caller, from a position on.
 * @param after where the previous page ended
 * @throws Problem 400 for a position where no page ends
 */
export async function proofOf(call: Call, after = ''): Promise<ProofPage> {
  const { db, now } = call;
  const place = thePlace(call);
  const [, created_at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) (\d{1,16})$/.exec(after) ?? [];
  if (after !== '' && id === undefined) throw badParameter('after', 'is not a next value of an earlier page');
  const [found = []] = await db.perform([
    db.build
      .select({
        id: files.id,
        created_at: files.created_at,
        folder_id: files.folder_id,
        display_name: files.display_name,
        size: files.size,
        sha256: sql<string>`(select sha256 from blobs where blobs.id = ${files.blob_id})`.as('sha256'),
      })
      .from(files)
      .where(
        and(
          keptIn(place),
          place.lists ? listedFiles(place, now) : sql`0`,
          id === undefined ? undefined : sql`(${files.created_at}, ${files.id}) > (${created_at}, ${Number(id)})`,
        ),
      )
      .orderBy(files.created_at, files.id)
      .limit(mostFiles + 1),
  ]);
  const page: ProofLeaf[] = found.slice(0, mostFiles);
  const last = page.at(-1);
  return {
    branches: await branchesOf(page, sha256),
    ...(last && found.length > mostFiles && { next: placeInOrder(last) }),
  };
}
