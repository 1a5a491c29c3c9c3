// Positions of modules in a course and items in a module: 1-based, unique, without gaps.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { module_items, modules } from './table';

interface Moved {
  /** An id, or an SQL expression for it. */
  readonly id: number | SQL;
  /** The current position; absent for a new member. */
  readonly from?: number;
  readonly to: number;
}

/** The sort key of the moved member: moving down puts it after the member at that position, moving up or inserting before it. */
const placeOf = ({ from, to }: Moved) => (from !== undefined && to > from ? to + 0.5 : to - 0.5);

const renumber = (scope: SQL, name: SQL, moved: Moved | undefined) => {
  const place = moved === undefined ? sql`position` : sql`case when id = ${moved.id} then ${placeOf(moved)} else position end`;
  return {
    ranked: sql`(select id as ranked_id, row_number() over (order by ${place}, id) as rank from ${name} where ${scope})`,
    changed: sql`rank <> position and ranked_id = ${name}.id`,
  };
};

/** Renumbers the modules of a course, with the moved one in its new position. */
export function renumberModules(db: Database, course_id: number, moved?: Moved): Statement {
  const { ranked, changed } = renumber(sql`course_id = ${course_id} and workflow_state <> 'deleted'`, sql.raw('modules'), moved);
  return db.build.update(modules).set({ position: sql`rank` }).from(sql`${ranked}`).where(changed);
}

/** Renumbers the items of a module, with the moved one in its new position. */
export function renumberItems(db: Database, module_id: number, moved?: Moved): Statement {
  const { ranked, changed } = renumber(sql`module_id = ${module_id} and workflow_state = 'active'`, sql.raw('module_items'), moved);
  return db.build.update(module_items).set({ position: sql`rank` }).from(sql`${ranked}`).where(changed);
}

/** On every save, drops prerequisites that are deleted or no longer before their module. */
export const dropVainPrerequisites = (db: Database, course_id: number): Statement => {
  const holds = sql`exists (select 1 from modules q where q.id = p.value and q.course_id = modules.course_id and q.workflow_state <> 'deleted' and q.position < modules.position)`;
  return db.build
    .update(modules)
    .set({
      prerequisite_module_ids: sql`(select json_group_array(p.value) from json_each(modules.prerequisite_module_ids) p where ${holds})`,
    })
    .where(
      sql`modules.course_id = ${course_id} and modules.workflow_state <> 'deleted' and exists (select 1 from json_each(modules.prerequisite_module_ids) p where not ${holds})`,
    );
};
