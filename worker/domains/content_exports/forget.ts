// Deletes the files of old exports, and the exports after half a year.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import { countUpTo, type Retention } from '../../database/retention';
import { isToExpire } from './policy';

const mostAtOnce = 200;

/** @returns how many are left, as far as they were counted */
export async function expireExports(db: Database, now: string): Promise<number> {
  const daysAgo = (days: number) => wireTime(Date.parse(now) - days * 86_400_000);
  const old = sql`from content_exports where ${isToExpire(daysAgo(30), daysAgo(exportRetention.days - 1))}`;
  const some = (column: string) => sql`select ${sql.raw(column)} ${old} order by created_at limit ${atMost(mostAtOnce)}`;
  const [, , , counted] = await db.perform([
    db.build.run(
      sql`update files set workflow_state = 'deleted', updated_at = ${now} where uuid in (select companion_uuid from content_exports where companion_uuid is not null and id in (${some('id')})) and workflow_state = 'available'`,
    ),
    db.build.run(
      sql`update files set workflow_state = 'deleted', updated_at = ${now} where uuid in (${some('file_uuid')}) and workflow_state = 'available'`,
    ),
    db.build.run(sql`update content_exports set is_expired = 1 where id in (${some('id')})`),
    countUpTo(db, old),
  ]);
  return counted[0]?.count ?? 0;
}

/** Long after its file is deleted, and while its Progress still exists. */
export const exportRetention: Retention = { table: 'content_exports', by: 'created_at', isInIdOrder: true, days: 180 };
