// Tables about groups in `sis_export_csv` and `provisioning_csv`: group categories, groups, memberships. Differentiation tags are excluded, because
// only teachers may see them.

import { type SQL, sql } from 'drizzle-orm';
import { bySis, columnsIf, conditionIf, courseHere, courseRequested, fromSisIf, type PartOf, sisIdOf } from './part';
import type { ReportRequest } from './table';

/** The course or account of a row, for a table that has a context. */
const placed = (table: string): SQL =>
  sql.raw(
    `left join courses c on ${table}.context_type = 'Course' and c.id = ${table}.context_id left join accounts a on ${table}.context_type = 'Account' and a.id = ${table}.context_id`,
  );

/** When a term or course is named, only groups of courses. */
const here = (wanted: ReportRequest, table: string): (SQL | undefined)[] => [
  courseHere(wanted, `iif(${table}.context_type = 'Course', c.account_id, ${table}.context_id)`),
  ...courseRequested({ ...wanted, isRoot: true }),
];

/** A context that an import can refer to: the root account needs no id. */
const isNamed = '(c.sis_course_id is not null or a.sis_account_id is not null or a.parent_account_id is null and a.id is not null)';
const isThere = "coalesce(c.workflow_state, a.workflow_state) <> 'deleted'";
const contextColumns = (isExport: boolean, table: string) => ({
  ...columnsIf(!isExport, { canvas_account_id: `iif(${table}.context_type = 'Account', ${table}.context_id, null)` }),
  account_id: 'iif(a.parent_account_id is not null, a.sis_account_id, null)',
  ...columnsIf(!isExport, { canvas_course_id: `iif(${table}.context_type = 'Course', ${table}.context_id, null)` }),
  course_id: 'c.sis_course_id',
});

export const groupCategories: PartOf = (wish, isExport) => ({
  name: 'group_categories',
  from: sql`group_categories k ${placed('k')}`,
  mark: 'k.id',
  last: 'select max(id) from group_categories',
  where: [
    sql`k.non_collaborative = 0`,
    conditionIf(isExport, sql.raw(`k.sis_group_category_id is not null and ${isNamed} and ${isThere}`)),
    conditionIf(!wish.include_deleted, sql.raw(`k.workflow_state <> 'deleted' and ${isThere}`)),
    fromSisIf(wish, 'k'),
    ...here(wish, 'k'),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_group_category_id: 'k.id' }),
    group_category_id: 'k.sis_group_category_id',
    ...contextColumns(isExport, 'k'),
    category_name: 'k.name',
    ...columnsIf(!isExport, { role: 'k.role', self_signup: 'k.self_signup', group_limit: 'k.group_limit', auto_leader: 'k.auto_leader' }),
    status: "iif(k.workflow_state = 'deleted', 'deleted', 'active')",
    ...columnsIf(!isExport, { created_by_sis: bySis('k') }),
  },
});

export const groupsPart: PartOf = (wish, isExport) => ({
  name: 'groups',
  from: sql`groups g join group_categories k on k.id = g.group_category_id ${placed('g')}`,
  mark: 'g.id',
  last: 'select max(id) from groups',
  where: [
    sql`g.non_collaborative = 0`,
    conditionIf(isExport, sql.raw(`g.sis_group_id is not null and ${isNamed} and ${isThere}`)),
    conditionIf(!wish.include_deleted, sql.raw(`g.workflow_state <> 'deleted' and ${isThere}`)),
    fromSisIf(wish, 'g'),
    ...here(wish, 'g'),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_group_id: 'g.id' }),
    group_id: 'g.sis_group_id',
    ...columnsIf(!isExport, { canvas_group_category_id: 'k.id' }),
    // A deleted category, or one without an SIS id, is left blank: an import then leaves the group where it is.
    group_category_id: isExport ? "iif(k.workflow_state = 'available', k.sis_group_category_id, null)" : 'k.sis_group_category_id',
    ...contextColumns(isExport, 'g'),
    name: 'g.name',
    status: "case when g.workflow_state = 'deleted' then 'deleted' when g.standing = 'open' then 'available' else g.standing end",
    ...columnsIf(!isExport, { max_membership: 'g.max_membership', created_by_sis: bySis('g') }),
  },
});

export const groupMembershipReport: PartOf = (wish, isExport) => ({
  name: 'group_membership',
  from: sql`group_memberships m join groups g on g.id = m.group_id ${placed('g')}`,
  mark: 'm.id',
  last: 'select max(id) from group_memberships',
  where: [
    sql`g.non_collaborative = 0`,
    // For a user who left and rejoined, only the current membership.
    wish.include_deleted
      ? sql`m.workflow_state in ('accepted', 'deleted') and (m.workflow_state = 'accepted' or not exists (select 1 from group_memberships x where x.group_id = m.group_id and x.user_id = m.user_id and (x.workflow_state = 'accepted' or x.id > m.id)))`
      : sql.raw(`m.workflow_state = 'accepted' and g.workflow_state = 'available' and ${isThere}`),
    conditionIf(isExport, sql.raw(`g.sis_group_id is not null and ${sisIdOf('m.user_id')} is not null and g.workflow_state = 'available'`)),
    fromSisIf(wish, 'm'),
    ...here(wish, 'g'),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_group_id: 'g.id' }),
    group_id: 'g.sis_group_id',
    ...columnsIf(!isExport, { canvas_user_id: 'm.user_id' }),
    user_id: sisIdOf('m.user_id'),
    status: 'm.workflow_state',
    ...columnsIf(!isExport, { created_by_sis: bySis('m') }),
  },
});
