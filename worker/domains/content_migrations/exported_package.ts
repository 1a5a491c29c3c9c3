// The archive of a content export as the package of a migration.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import { folderAt, makePath } from '../files/folders/paths';
import { isCartridge, qtiType, zipType } from './migrators';
import { packageFolder } from './package/folder';
import { type MigrationWork, Unimportable } from './work';

/** The type of an export whose archive a migration can read; undefined for none. Pure. */
export const exportTypeFor = (migration_type: string): 'common_cartridge' | 'qti' | 'zip' | undefined =>
  isCartridge(migration_type) ? 'common_cartridge' : migration_type === qtiType ? 'qti' : migration_type === zipType ? 'zip' : undefined;

export interface ExportFound {
  readonly id: number;
  readonly export_type: string;
  readonly context_type: string;
  readonly context_id: number;
  readonly user_id: number;
  /** Whether someone has shared its content with the user. */
  readonly is_received: 0 | 1;
}

/** An export whose archive still exists. @param id SQL */
export const selectExport = ({ build }: Database, id: SQL, user_id: number) =>
  build.all<ExportFound>(
    sql`select x.id, x.export_type, x.context_type, x.context_id, x.user_id,
      exists (select 1 from content_shares s where s.content_export_id = x.id and s.user_id = ${user_id} and s.kind = 'received') as is_received from content_exports x join files f on f.uuid = x.file_uuid and f.workflow_state = 'available' where x.id = ${id}`,
  );

/**
 * The first phase of a migration from an export: its archive becomes the package, and remains the file of the export, too.
 * @throws Unimportable when the archive was deleted meanwhile
 */
export async function takeExport(work: MigrationWork, id: number): Promise<void> {
  const { db, it } = work;
  const now = work.now();
  const { holder, levels } = packageFolder(it.uuid);
  const uuid = randomText(40);
  const [[found]] = await db.perform([selectExport(db, sql`${id}`, it.user_id)]);
  if (!found) throw new Unimportable('the archive of the export was deleted');
  const statements: Statement[] = [
    ...makePath(db, holder, levels, now),
    db.build.run(
      sql`insert into files (context_type, context_id, folder_id, uuid, display_name, filename, content_type, size, blob_id, user_id, category, modified_at, workflow_state, created_at, updated_at)
        select ${holder.context_type}, ${holder.context_id}, (${folderAt(holder, levels)}), ${uuid}, f.display_name, f.filename, f.content_type, f.size, f.blob_id, ${it.user_id}, 'uncategorized', ${now}, 'available', ${now}, ${now}
        from content_exports x join files f on f.uuid = x.file_uuid and f.workflow_state = 'available' where x.id = ${id}`,
    ),
    db.build.run(sql`update content_migrations set attachment_id = (select f.id from files f where f.uuid = ${uuid}) where id = ${it.id}`),
  ];
  await work.commit(statements, {});
  const [[row]] = await db.perform([
    db.build.all<{ attachment_id: number | null }>(sql`select attachment_id from content_migrations where id = ${it.id}`),
  ]);
  work.it = { ...work.it, attachment_id: row?.attachment_id ?? null };
}
