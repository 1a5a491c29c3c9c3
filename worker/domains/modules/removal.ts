// Deletes modules with their items.

import { and, eq } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import { dropVainPrerequisites, renumberModules } from './positions';
import { module_items, modules } from './table';

/** Deletes modules and items, renumbers the others, and removes them as prerequisites. */
export function deleteModules(db: Database, course_id: number, ids: readonly number[], now: string): Statement[] {
  return [
    db.build
      .update(module_items)
      .set({ workflow_state: 'deleted', updated_at: now })
      .where(and(among(module_items.module_id, ids), eq(module_items.workflow_state, 'active'))),
    db.build.update(modules).set({ workflow_state: 'deleted', updated_at: now }).where(among(modules.id, ids)),
    renumberModules(db, course_id),
    dropVainPrerequisites(db, course_id),
  ];
}
