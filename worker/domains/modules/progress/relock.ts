// Relocks modules: resets the progress of a module and of those that depend on it; and decides when to offer this.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { module_progressions } from '../table';

/** Locks every progression of a module and of its dependents. Recorded actions are kept, so evaluation unlocks what is already fulfilled. */
export const relockStatement = (db: Database, course_id: number, module_id: number, now: string): Statement =>
  db.build
    .update(module_progressions)
    .set({ state: 'locked', updated_at: now })
    .where(
      sql`state <> 'locked' and module_id in (with recursive reached(id) as (
        select ${module_id} union
        select m.id from reached join modules m on m.course_id = ${course_id} and m.workflow_state <> 'deleted' join json_each(m.prerequisite_module_ids) p on p.value = reached.id)
        select id from reached)`,
    );

interface Rules {
  readonly workflow_state: string;
  readonly unlock_at: string | null;
  readonly prerequisite_module_ids: readonly number[];
}

/** Whether students who are already past the module would be locked out by the new rules. */
export function needsRelock(before: Rules, after: Rules, facts: { hasRequirements: boolean; isPrerequisite: boolean }): boolean {
  if (after.workflow_state !== 'active') return false;
  const isGated = after.prerequisite_module_ids.length > 0 || facts.hasRequirements || after.unlock_at !== null;
  if (before.workflow_state !== 'active' && (facts.isPrerequisite || isGated)) return true;
  const isNewlyAsked = after.prerequisite_module_ids.some((id) => !before.prerequisite_module_ids.includes(id));
  return isNewlyAsked || (before.unlock_at === null && after.unlock_at !== null);
}
