// Removes statuses that the institution has deleted from the submissions that have them.

import { sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import { countUpTo } from '../../../database/retention';
import { applyLatePolicy } from '../../late_policies/apply';

/** In one run. */
const most = 200;

/** Account 1 is the root account. */
const ofDeleted = sql`custom_grade_status_id in (select g.id from custom_grade_statuses g where g.account_id = 1 and g.workflow_state = 'deleted')`;
const left = sql`from submissions where custom_grade_status_id is not null and ${ofDeleted}`;

/** One bounded run, after which the late policy applies again. @returns how many submissions are left */
export async function removeDeletedStatuses(db: Database, now: string): Promise<number> {
  const [found] = await db.perform([
    db.build.all<{ id: number; assignment_id: number; user_id: number }>(
      sql`select id, assignment_id, user_id ${left} limit ${sql.raw(String(most))}`,
    ),
  ]);
  if (found.length === 0) return 0;
  const these = JSON.stringify(found);
  const ids = sql`select j.value ->> 'id' from json_each(${these}) j`;
  const scope = {
    existing: sql`s.id in (${ids})`,
    places: sql`select value ->> 'assignment_id' as assignment_id, value ->> 'user_id' as user_id from json_each(${these})`,
  };
  const results: readonly unknown[] = await db.perform([
    db.build.run(
      sql`update submissions set custom_grade_status_id = null, late_policy_status = null, updated_at = ${now} where id in (${ids}) and ${ofDeleted}`,
    ),
    ...applyLatePolicy(db, scope, now),
    countUpTo(db, left),
  ]);
  return (results.at(-1) as { count: number }[])[0]?.count ?? 0;
}
