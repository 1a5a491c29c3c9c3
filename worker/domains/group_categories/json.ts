// Group categories as clients see them.

import { GroupCategory } from '@carrel/shared/resources/group';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { ascending, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { categoryFields, memberColumn, type ShownCategory } from '../groups/category_json';
import { group } from '../groups/json';
import { groups } from '../groups/table';
import { progressJson } from '../progress/json';
import { progress } from '../progress/table';
import { group_categories } from './table';

const students = sql`select distinct e.user_id from enrollments e where e.course_id = group_categories.context_id and e.type = 'StudentEnrollment' and e.enrollment_state in ('active', 'invited')`;
const unassigned = sql`case when group_categories.context_type = 'Course' then (select count(*) from (${students}) s where not exists (
  select 1 from group_memberships m where m.group_category_id = group_categories.id and m.user_id = s.user_id and m.workflow_state = 'accepted')) else 0 end`;
const counted = sql`(select count(*) from groups g where g.group_category_id = group_categories.id and g.workflow_state = 'available')`;

const columns = (call: Call, tellsCounts: boolean) => ({
  ...memberColumn(call),
  ...((tellsCounts || call.include.has('groups_count')) && { groups_count: sql<number>`${counted}`.as('groups_count') }),
  ...((tellsCounts || call.include.has('unassigned_users_count')) && {
    unassigned_users_count: sql<number>`${unassigned}`.as('unassigned_users_count'),
  }),
});

const distributions = (ids: SQL) =>
  embed(
    progressJson,
    rows(progress, {
      where: and(
        eq(progress.context_type, 'GroupCategory'),
        isInSelect(progress.context_id, ids),
        inArray(progress.workflow_state, ['queued', 'running']),
      ),
    }),
  );

const telling = (tellsCounts: boolean) =>
  serializer({
    resource: GroupCategory,
    table: group_categories,
    columns: (call) => columns(call, tellsCounts),
    also: (ids, call) => ({
      pending: distributions(ids),
      groups: call.include.has('groups')
        ? embed(
            group,
            rows(groups, {
              where: and(isInSelect(groups.group_category_id, ids), eq(groups.workflow_state, 'available')),
              order: ascending(groups.name, groups.id),
            }),
          )
        : undefined,
    }),
    json: (row: ShownCategory, call, { pending, groups: all }) => ({
      ...categoryFields(row, call, pending),
      ...(all && { groups: all.filter((one) => one.row.group_category_id === row.id).map(({ json }) => json) }),
    }),
  });

/** A group category in a list or by itself; counts and groups on request. */
export const groupCategory = telling(false);
/** A group category after an update. */
export const changedCategory = telling(true);
