// A group set as clients see it inside a group, and the fields that every showing of one has.

import { PlainGroupCategory } from '@carrel/shared/resources/group';
import { sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { group_categories } from '../group_categories/table';
import { allowsMany, isProtected } from './policy';

export type ShownCategory = RowOf<typeof group_categories> & {
  readonly is_member?: number;
  readonly groups_count?: number;
  readonly unassigned_users_count?: number;
};

export const memberColumn = ({ me }: Pick<Call, 'me'>) => ({
  is_member:
    sql<number>`exists (select 1 from group_memberships m where m.group_category_id = group_categories.id and m.user_id = ${me.id} and m.workflow_state = 'accepted')`.as(
      'is_member',
    ),
});

/** The fields that every showing of a group set has. */
export const categoryFields = (
  row: ShownCategory,
  { course, account, group: place }: Call,
  pending: readonly { row: { context_id: number }; json: object }[] = [],
) => {
  const around = course ?? account ?? place;
  return {
    ...row,
    ...(row.context_type === 'Course' ? { course_id: row.context_id } : { account_id: row.context_id }),
    protected: isProtected(row),
    allows_multiple_memberships: allowsMany(row),
    is_member: row.is_member === 1,
    progress: pending.find((one) => one.row.context_id === row.id)?.json ?? null,
    sis_group_category_id: around?.can('read_sis') ? row.sis_group_category_id : undefined,
    sis_import_id: around?.can('manage_sis') ? row.sis_import_id : undefined,
  };
};

/** A group set inside a group. */
export const plainCategory = serializer({
  resource: PlainGroupCategory,
  table: group_categories,
  columns: memberColumn,
  json: (row: ShownCategory, call) => categoryFields(row, call),
});
