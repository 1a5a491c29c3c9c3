// Deletes old data of SIS imports: files, messages and changes after 30 days, and working data of aborted imports.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import { countUpTo } from '../../database/retention';
import { offStage } from './files/sort_by_course';

const day = 86_400_000;

const errorsAtOnce = 2000;
/** Each holds the changes of a whole step of an import. */
const changesAtOnce = 200;
const importsAtOnce = 20;

/** @returns how many rows are left, at least */
export async function forgetImports(db: Database, now: string): Promise<number> {
  const { build } = db;
  const old = wireTime(Date.parse(now) - 30 * day);
  // Oldest first, so that each run reads a limited number of rows.
  const oldest = (table: string, most: number) =>
    sql`from (select id, created_at from ${sql.raw(table)} order by id limit ${atMost(most)}) where created_at < ${old}`;
  const forget = (table: string, most: number) =>
    build.run(sql`delete from ${sql.raw(table)} where id in (select id ${oldest(table, most)})`);
  // Kept: the import that the next one of the same data set is compared with.
  const isBase = sql`i.diffing_data_set_identifier is not null and i.workflow_state in ('imported', 'imported_with_messages') and not exists (select 1 from sis_imports n
    where n.diffing_data_set_identifier = i.diffing_data_set_identifier and n.id > i.id and n.workflow_state in ('imported', 'imported_with_messages') and coalesce(n.diffing_threshold_exceeded, 0) = 0)`;
  const over = sql`select i.id from sis_imports i where i.keeps_files = 1 and i.updated_at < ${old} and i.workflow_state not in ('initializing', 'created', 'importing', 'cleanup_batch', 'restoring') and not (${isBase}) order by i.updated_at limit ${atMost(importsAtOnce)}`;
  const aborted = sql`select id from sis_imports where workflow_state = 'aborted' and updated_at > ${wireTime(Date.parse(now) - 2 * day)}`;
  const results = await db.perform([
    forget('sis_import_errors', errorsAtOnce),
    forget('sis_import_changes', changesAtOnce),
    build.run(sql`update files set workflow_state = 'deleted', updated_at = ${now} where workflow_state <> 'deleted' and id in (
      select file_id from sis_import_files where sis_import_id in (${over}) union select attachment_id from sis_imports where id in (${over})
      union select errors_attachment_id from sis_imports where id in (${over}))`),
    build.run(sql`update sis_imports set keeps_files = 0 where id in (${over})`),
    build.run(sql`delete from sis_import_seen where sis_import_id in (${aborted})`),
    build.run(sql`delete from sis_import_passages where sis_import_id in (${aborted})`),
    offStage(db, aborted),
    countUpTo(db, oldest('sis_import_errors', errorsAtOnce)),
    countUpTo(db, oldest('sis_import_changes', changesAtOnce)),
    countUpTo(db, sql`from (${over})`),
  ]);
  const counts = results.slice(-3) as { count: number }[][];
  return counts.reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
}
