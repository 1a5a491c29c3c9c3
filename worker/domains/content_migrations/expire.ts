// Gives up uploads that have not arrived, and deletes the packages of old migrations and what is left of imports. Called by the scheduled run.

import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import { countUpTo } from '../../database/retention';
import { forgetStaging } from './cartridge/forget_staging';
import { packagesSince, uploadsSince } from './json';

const mostAtOnce = 200;

/** @returns how many are left, as far as they were counted */
export async function expireMigrations(db: Database, now: string): Promise<number> {
  const late = sql`workflow_state = 'pre_processing' and updated_at < ${uploadsSince(now)}`;
  const old = sql`attachment_id is not null and created_at < ${packagesSince(now)} and workflow_state in ('created', 'pre_process_error', 'imported', 'failed')`;
  const someLate = sql`select id from content_migrations where ${late} order by updated_at limit ${atMost(mostAtOnce)}`;
  const someOld = sql`select id from content_migrations where ${old} order by created_at limit ${atMost(mostAtOnce)}`;
  const results: readonly unknown[] = await db.perform([
    db.build.run(
      sql`update progress set workflow_state = 'failed', message = 'The file was not uploaded.', updated_at = ${now}
        where id in (select progress_id from content_migrations where id in (${someLate})) and workflow_state in ('queued', 'running')`,
    ),
    db.build.run(
      sql`insert into migration_issues (content_migration_id, issue_type, description, workflow_state, created_at, updated_at)
        select id, 'error', 'The file was not uploaded within an hour.', 'active', ${now}, ${now} from content_migrations where id in (${someLate})`,
    ),
    db.build.run(
      sql`update content_migrations set workflow_state = 'pre_process_error', finished_at = ${now}, updated_at = ${now} where id in (${someLate})`,
    ),
    db.build.run(
      sql`update files set workflow_state = 'deleted', updated_at = ${now} where id in (select attachment_id from content_migrations where id in (${someOld})) and workflow_state <> 'deleted'`,
    ),
    db.build.run(sql`update content_migrations set attachment_id = null where id in (${someOld})`),
    countUpTo(db, sql`from content_migrations where ${late}`),
    countUpTo(db, sql`from content_migrations where ${old}`),
  ]);
  const left = (results.slice(-2) as { count: number }[][]).reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
  return left + (await forgetStaging(db, packagesSince(now)));
}
