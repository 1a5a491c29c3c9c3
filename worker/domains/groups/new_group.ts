// Creates a group: its context, its name, and its first member.

import { bool, idField, int, maybe, optional, text } from '@carrel/shared/wire/fields';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { CategoryRow, GroupContext } from '../../contexts/group';
import { differs } from '../../contexts/unchanged';
import type { Database, Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { invalid, Problem } from '../../http/problem';
import { oneOr, type Reply, write } from '../../http/reply';
import { allowsMany } from './policy';
import { group_memberships, groups, joinLevels } from './table';

export const groupFields = {
  name: optional(maybe(text)),
  description: optional(maybe(text)),
  is_public: optional(bool),
  join_level: optional(text),
  storage_quota_mb: optional(int),
  max_membership: optional(maybe(int)),
  sis_group_id: optional(maybe(text)),
  avatar_id: optional(maybe(idField('file'))),
};

interface Given {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly is_public?: boolean;
  readonly join_level?: string;
  readonly storage_quota_mb?: number;
  readonly max_membership?: number | null;
  readonly sis_group_id?: string | null;
  readonly avatar_id?: number | null;
}

type Caller = Pick<GroupContext, 'can'> | undefined;

/** The fields of a group from a request. @throws Problem 400 and 401 for invalid or forbidden values */
export function groupColumnsOf(
  given: Given,
  category: Pick<CategoryRow, 'role'>,
  around: { can(permission: string): boolean } | undefined | Caller,
  stored?: { readonly sis_group_id: string | null },
) {
  if ((given.name?.length ?? 0) > 255) throw invalid('name', 'too_long');
  if (given.max_membership != null && given.max_membership < 1) throw invalid('max_membership', 'invalid', 'must be greater than 0');
  if (differs(given.sis_group_id, stored?.sis_group_id) && !around?.can('manage_sis'))
    throw new Problem(401, { message: 'You must have manage_sis permission to set sis_group_id' });
  const quota = given.storage_quota_mb;
  return {
    name: given.name || undefined,
    description: given.description,
    is_public: category.role === 'communities' ? given.is_public : undefined,
    // An unknown join level is ignored.
    join_level: joinLevels.find((one) => one === given.join_level),
    storage_quota_mb: quota !== undefined && around?.can('manage_storage_quotas') ? Math.min(Math.max(quota, 0), 1_000_000) : undefined,
    max_membership: given.max_membership,
    sis_group_id: given.sis_group_id,
  };
}

/** The avatar must be one of the group's own files, so a new group cannot have one yet. */
export const pictureGiven = ({ avatar_id }: Given) =>
  avatar_id == null
    ? avatar_id
    : sql<number>`(select f.id from files f where f.id = ${avatar_id} and f.context_type = 'Group' and f.context_id = groups.id and f.workflow_state = 'available')`;

export const groupRefusals = { 'groups.sis_group_id': () => invalid('sis_group_id', 'taken') };

const newCode = () => randomText(24);

/** @param category a select of the category's columns, or its row */
export function makeGroup(
  { db, me, now }: Pick<Call, 'db' | 'me' | 'now'>,
  where: {
    readonly type: 'Course' | 'Account';
    readonly id: number;
    readonly role: CategoryRow['role'];
    readonly non_collaborative: boolean;
    readonly category: SQL | number;
    readonly quota: number;
  },
  columns: ReturnType<typeof groupColumnsOf>,
  before: readonly Statement[] = [],
): Reply {
  const uuid = newCode();
  const its = eq(groups.uuid, uuid);
  return write(
    [
      ...before,
      db.build.insert(groups).values({
        ...columns,
        context_type: where.type,
        context_id: where.id,
        group_category_id: where.category,
        name: columns.name ?? `Group ${uuid.slice(0, 6)}`,
        is_public: columns.is_public ?? false,
        storage_quota_mb: columns.storage_quota_mb ?? where.quota,
        non_collaborative: where.non_collaborative,
        uuid,
        created_at: now,
        updated_at: now,
      }),
      ...(allowsMany(where) ? [firstMember(db, uuid, me.id, now)] : []),
    ],
    oneOr(rows(groups, { where: its }), () => new Problem(400, {})),
    groupRefusals,
  );
}

const firstMember = (db: Database, uuid: string, user_id: number, now: string) =>
  db.build.insert(group_memberships).values({
    group_id: sql`(select id from groups where uuid = ${uuid})`,
    user_id,
    workflow_state: 'accepted',
    moderator: true,
    created_at: now,
    updated_at: now,
  });

/** The category for communities or for student-organised groups; created with its first group. */
export const ensureCategory = (
  db: Database,
  type: 'Course' | 'Account',
  id: number,
  role: 'communities' | 'student_organized',
  now: string,
) =>
  db.build.run(sql`insert into group_categories (context_type, context_id, name, role, created_at, updated_at)
    select ${type}, ${id}, ${role === 'communities' ? 'Communities' : 'Student Groups'}, ${role}, ${now}, ${now}
    where not exists (select 1 from group_categories where group_categories.context_type = ${type} and group_categories.context_id = ${id} and group_categories.role = ${role} and group_categories.workflow_state = 'available') on conflict do nothing`);
export const categoryOf = (type: 'Course' | 'Account', id: number, role: string): SQL =>
  sql`(select id from group_categories where context_type = ${type} and context_id = ${id} and role = ${role} and workflow_state = 'available')`;
