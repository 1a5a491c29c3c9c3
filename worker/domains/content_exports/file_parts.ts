// Files of a zip export, read some at a time. The restrictions of files and folders are those at the time of the step.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { shutFolders, subtree } from '../files/folders/policy';
import { archivePath } from './selection';
import type { content_exports } from './table';

type ExportRow = typeof content_exports.$inferSelect;

/** Files of the export that the user may have. The table is `f`. */
function exportedFiles(it: ExportRow, now: string): SQL {
  const { context_type, context_id, selection, withheld_file_ids } = it;
  const listed = (ids: readonly number[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;
  const { files, folders } = selection;
  const inFolders = folders && sql`f.folder_id in (${subtree(sql`select value as id from json_each(${JSON.stringify(folders)})`)})`;
  const chosen = [...(files ? [sql`f.id in ${listed(files)}`] : []), ...(inFolders ? [inFolders] : [])];
  const isOpen = sql`and f.hidden = 0 and f.locked = 0 and (f.unlock_at is null or f.unlock_at <= ${now}) and (f.lock_at is null or f.lock_at > ${now})
    and f.folder_id not in (${shutFolders({ context_type, context_id }, now)}) and f.id not in ${listed(withheld_file_ids)}`;
  return sql`f.context_type = ${context_type} and f.context_id = ${context_id} and f.workflow_state = 'available'
    ${chosen.length > 0 ? sql`and (${sql.join(chosen, sql` or `)})` : sql``} ${it.sees_all ? sql`` : isOpen}`;
}

export const fileIds = ({ build }: Database, it: ExportRow, now: string) =>
  build.all<{ id: number; size: number }>(sql`select f.id, f.size from files f where ${exportedFiles(it, now)} order by f.id`);

interface ExportedFile {
  readonly id: number;
  readonly path: string;
  readonly key: string;
  readonly size: number;
}

/** Those of the ids that are still there. */
export async function filesToExport(db: Database, it: ExportRow, ids: readonly number[], now: string): Promise<ExportedFile[]> {
  const [rows] = await db.perform([
    db.build.all<{ id: number; display_name: string; full_name: string; key: string; size: number }>(
      sql`select f.id, f.display_name, folders.full_name, b.key, b.size from json_each(${JSON.stringify(ids)}) j cross join files f on f.id = j.value
        join folders on folders.id = f.folder_id join blobs b on b.id = f.blob_id where ${exportedFiles(it, now)} order by f.id`,
    ),
  ]);
  return rows.map(({ full_name, key, size, ...file }) => ({ id: file.id, path: archivePath(full_name, file), key, size }));
}
