// The content of a folder as one paginated list: folders first, then files.

import type { Shape } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { contains } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { ascending, collated, descending, type Listing, marksOf, rows } from '../../../http/listing';
import { notFound, unauthorized } from '../../../http/problem';
import { pageOfRows, type Reply } from '../../../http/reply';
import { type Plan, planListing } from '../../../http/serializer';
import { fileHere } from '../json';
import { fileFilter, fileListing, type listParams } from '../listing';
import { thePlace } from '../place';
import { keptIn, listedFiles } from '../policy';
import { files } from '../table';
import { folder } from './json';
import { listedFolders, shutFolders } from './policy';
import { folders } from './table';

type Params = Shape<typeof listParams>;

/** Folders have no size, type or author; for these sort keys they are sorted by name. */
function orderOfFolders({ sort, sort_by, order }: Params): Listing['order'] {
  const wanted = sort ?? sort_by;
  const by = wanted === 'created_at' ? folders.created_at : wanted === 'updated_at' ? folders.updated_at : collated(folders.name);
  return order === 'desc' ? descending(by, folders.id) : ascending(by, folders.id);
}

const sortOfFiles = (params: Params): Params => {
  const wanted = params.sort ?? params.sort_by;
  return { ...params, sort: wanted === 'modified_by' ? 'user' : wanted };
};

/** @throws Problem 401 for a folder that is locked for the caller, 404 for a bookmark of another list */
export async function contentsOf(call: Call & { readonly id: number; readonly params: Params }): Promise<Reply> {
  const { db, id, now, params } = call;
  const place = thePlace(call);
  const { per_page, after, number } = call.page;
  const [phase, ...values] = after ?? ['folder'];
  if ((phase !== 'folder' && phase !== 'file') || (after && values.length !== 2)) throw notFound();

  const below: Listing = rows(folders, {
    where: and(
      eq(folders.parent_folder_id, id),
      listedFolders(place, now),
      params.search_term ? contains(folders.name, params.search_term) : undefined,
    ),
    order: orderOfFolders(params),
  });
  const inside = fileListing(and(eq(files.folder_id, id), keptIn(place), listedFiles(place, now), fileFilter(params)), sortOfFiles(params));
  // A numbered page is cut from everything before it, because the number of folders is not known beforehand.
  const skipped = number === undefined ? 0 : (number - 1) * per_page;
  const limit = skipped + per_page + 1;
  const start = { limit };
  const from = (kind: string) => ({ limit, after: after && phase === kind ? values : undefined });
  const shut = db.build.select({ shut: sql<number>`${id} in (${shutFolders(place, now)})`.as('shut') }).from(sql`(select 1)`);
  const ofFolders = phase === 'folder' ? planListing(folder, below, call, from('folder')) : undefined;
  const ofFiles = planListing(fileHere, inside, call, phase === 'file' ? from('file') : start);

  const [[state], ...results] = await db.perform([shut, ...(ofFolders?.statements ?? []), ...ofFiles.statements]);
  if (state?.shut && !place.seesAll) throw unauthorized();
  const count = ofFolders?.statements.length ?? 0;
  const tell = (plan: Plan<unknown> | undefined, kind: string, listing: Listing, found: readonly unknown[]) =>
    (plan?.tell(found) ?? []).map(({ row, json }) => ({ json, mark: [kind, ...marksOf(listing, row as Record<string, unknown>)] }));
  const all = [
    ...tell(ofFolders, 'folder', below, results.slice(0, count)),
    ...tell(ofFiles as Plan<unknown>, 'file', inside, results.slice(count)),
  ].slice(skipped);
  const shown = all.slice(0, per_page);
  return pageOfRows(
    shown.map(({ json }) => json),
    all.length > per_page ? (shown.at(-1)?.mark ?? null) : null,
  );
}
