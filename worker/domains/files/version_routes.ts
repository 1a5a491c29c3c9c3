// Earlier versions of a file: list, download, restore. Only for users who may change the file, because a replaced version may contain a mistake.

import { FileVersion } from '@carrel/shared/resources/file_version';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import type { ConditionalCall } from '../../http/conditional';
import { absolute, get, post } from '../../http/endpoint';
import { descending, type RowOf, rows } from '../../http/listing';
import { found, notFound, problem, unauthorized } from '../../http/problem';
import { list, one, type Reply, versioned, write } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { changeUnlocked } from '../../rules/blueprint_locks';
import { onCondition } from './change';
import { sendBytes } from './download/bytes';
import { syncedFile } from './json';
import { hereIfSeen, thePlace } from './place';
import { keptIn, ofFile } from './policy';
import { file_versions, files } from './table';
import { quotaOf } from './upload/parameters';
import { quotaSize, usedStorage } from './upload/quota';

const fileVersion = serializer({
  resource: FileVersion,
  table: file_versions,
  columns: () => ({ sha256: sql<string>`(select sha256 from blobs where blobs.id = ${file_versions.blob_id})`.as('sha256') }),
  json: (row: RowOf<typeof file_versions>, { origin }) => ({
    ...row,
    'content-type': row.content_type,
    url: `${origin}/api/sync/v1/files/${row.file_id}/versions/${row.id}/download`,
  }),
});

type Here = Call & { readonly id: number };

const ofPath = ({ id, path }: Here) => and(eq(file_versions.file_id, id), eq(file_versions.id, readId(path.version_id ?? '') ?? 0));

/** @throws Problem 404 for an unknown version */
async function download(call: Call & { readonly id: number }): Promise<Reply> {
  const { db } = call;
  const [[version]] = await db.perform([
    db.build
      .select({
        ...getTableColumns(file_versions),
        key: sql<string>`(select key from blobs where blobs.id = ${file_versions.blob_id})`.as('key'),
        sha256: sql<string>`(select sha256 from blobs where blobs.id = ${file_versions.blob_id})`.as('sha256'),
      })
      .from(file_versions)
      .where(ofPath(call)),
  ]);
  const stored = found(version);
  return sendBytes(call, stored, stored.updated_at, false);
}

/**
 * The file takes over the version's bytes, and its previous bytes become a version. Id, name and folder stay.
 * @throws Problem 404 for an unknown version, 400 when the quota is exceeded, 401 for a submitted file, 412 when the precondition fails
 */
async function restore(call: Here & ConditionalCall): Promise<Reply> {
  const { db, id, now } = call;
  const place = thePlace(call);
  const precondition = onCondition(call);
  const where = and(keptIn(place), eq(files.id, id));
  const [[current], [version], [used]] = await db.perform([
    db.build.select().from(files).where(where),
    db.build.select().from(file_versions).where(ofPath(call)),
    usedStorage(db, place),
  ]);
  const file = found(current);
  if (file.is_submitted) throw unauthorized();
  const { size, content_type } = found(version);
  await precondition.check(file);
  const others = (used?.bytes ?? 0) - (file.copied_from_id === null ? quotaSize(file.size) : 0);
  if (others + quotaSize(size) > quotaOf(place, call)) throw problem(400, 'file size exceeds quota');
  const blob_id = sql<number>`(select v.blob_id from file_versions v where v.id = ${version?.id} and v.file_id = ${id})`;
  return write(
    [
      ...precondition.guard,
      // The version may have expired meanwhile.
      db.build
        .update(files)
        .set({ folder_id: sql`null` })
        .where(and(eq(files.id, id), sql`${blob_id} is null`)),
      ...changeUnlocked(db, files, { blob_id, size, content_type, copied_from_id: null, modified_at: now, updated_at: now }, where),
    ],
    versioned(one(rows(files, { where: eq(files.id, id) }))),
    { ...precondition.refusals, 'files.folder_id': notFound },
  );
}

export const fileVersionRoutes = absolute(
  get(
    '/api/sync/v1/files/:id/versions',
    { can: hereIfSeen('edits'), within: ofFile, returns: [fileVersion], summary: 'List earlier versions of a file' },
    ({ id }) =>
      list(rows(file_versions, { where: eq(file_versions.file_id, id), order: descending(file_versions.version, file_versions.id) })),
  ),
  get(
    '/api/sync/v1/files/:id/versions/:version_id/download',
    {
      can: hereIfSeen('edits'),
      within: ofFile,
      returns: { json: null },
      conditional: 'bytes',
      summary: 'Download an earlier version of a file',
    },
    (call) => download(call),
  ),
  post(
    '/api/sync/v1/files/:id/versions/:version_id/restore',
    { can: hereIfSeen('edits'), within: ofFile, returns: syncedFile, conditional: 'item', summary: 'Restore an earlier version of a file' },
    restore,
  ),
);
