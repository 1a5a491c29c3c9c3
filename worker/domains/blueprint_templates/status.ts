// Blueprint status of items, for staff of a blueprint or an associated course: the source, and what is locked.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Database } from '../../database/open';
import { withColumns } from '../../database/together';
import type { CopiedKind } from '../course_copy/table';
import { restrictionsJson } from './restrictions';
import { type Lockable, lockables } from './table';

type StatusRow = { readonly id: number; readonly is_child: number } & { readonly [L in Lockable]: number | null };

/** Reads the locks on some items, for either side. */
export const statusRows = (db: Database, kind: CopiedKind, ids: SQL) =>
  withColumns(
    db.build.all<StatusRow>(
      sql`select l.item_id as id, 1 as is_child, b.content, b.points, b.due_dates, b.availability_dates, b.state from copied_items l
        join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
        join blueprint_templates t on t.id = s.template_id and t.course_id = l.source_course_id and t.workflow_state = 'active'
        left join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id where l.kind = ${kind} and l.item_id in (${ids})
        union all select b.item_id, 0, b.content, b.points, b.due_dates, b.availability_dates, b.state from blueprint_items b where b.kind = ${kind} and b.item_id in (${ids})`,
    ),
    ['id', 'is_child', ...lockables],
  );

/** The blueprint keys in an item's JSON. */
export function statusJson(rows: readonly StatusRow[] | undefined, id: number, course: CourseContext | undefined): object {
  const found = rows?.find((one) => one.id === id && (one.is_child === 1) !== (course?.is_blueprint ?? false));
  if (!rows || !(found || course?.is_blueprint)) return {};
  const locks = Object.fromEntries(lockables.map((name) => [name, found?.[name] === 1]));
  const isRestricted = lockables.some((name) => locks[name]);
  return {
    ...(course?.is_blueprint ? { is_master_course_master_content: true } : { is_master_course_child_content: true }),
    restricted_by_master_course: isRestricted,
    ...(isRestricted && { restrictions: restrictionsJson(locks) }),
  };
}

/** Reads the folders of a course that contain locked items. */
export const foldersWithLocks = (db: Database, course_id: number) =>
  withColumns(
    db.build.all<{ id: number }>(
      sql`select distinct f.folder_id as id from blueprint_subscriptions s join blueprint_templates t on t.id = s.template_id and t.workflow_state = 'active'
        cross join blueprint_items b on b.course_id = t.course_id and b.kind = 'file' and (b.content or b.state or b.availability_dates)
        cross join copied_items l on l.course_id = s.course_id and l.kind = 'file' and l.source_id = b.item_id cross join files f on f.id = l.item_id
        where s.course_id = ${course_id} and s.workflow_state = 'active' and f.workflow_state = 'available'`,
    ),
    ['id'],
  );
