// What SIS imports need not keep: messages and changes for 30 days, and what one that was aborted had noted for itself.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { offStage } from './stage';

const day = 86_400_000;

export function forgetImports(db: Database, now: string): Statement[] {
  const { build } = db;
  const old = wireTime(Date.parse(now) - 30 * day);
  // The oldest stand first, so that only so many rows are looked at each minute.
  const oldest = (table: string, most: number) =>
    build.run(
      sql`delete from ${sql.raw(table)} where id in (select id from (select id, created_at from ${sql.raw(table)} order by id limit ${most}) where created_at < ${old})`,
    );
  const aborted = sql`select id from sis_imports where workflow_state = 'aborted' and updated_at > ${wireTime(Date.parse(now) - 2 * day)}`;
  return [
    oldest('sis_import_errors', 200),
    oldest('sis_import_changes', 20),
    build.run(sql`delete from sis_import_seen where sis_import_id in (${aborted})`),
    build.run(sql`delete from sis_import_passages where sis_import_id in (${aborted})`),
    offStage(db, aborted),
  ];
}
