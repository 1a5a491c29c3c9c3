// Groups and memberships. Triggers keep counts and leaders, and end a membership when the user joins another group of the set.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, folded, id, int, state, string } from '../../database/columns';

export const joinLevels = ['invitation_only', 'parent_context_request', 'parent_context_auto_join'] as const;
export const membershipStates = ['accepted', 'invited', 'requested', 'rejected', 'deleted'] as const;

export const groups = sqliteTable(
  'groups',
  {
    id: id(),
    context_type: state('Course', 'Account').notNull(),
    context_id: int().notNull(),
    group_category_id: int().notNull(),
    name: folded().notNull(),
    description: string(),
    is_public: bool().notNull().default(false),
    join_level: state(...joinLevels)
      .notNull()
      .default('invitation_only'),
    max_membership: int(),
    storage_quota_mb: int().notNull().default(50),
    avatar_id: int(),
    leader_id: int(),
    /** Number of accepted members. Kept by a trigger. */
    members_count: int().notNull().default(0),
    /** Copied from its category, where it never changes. */
    non_collaborative: bool().notNull().default(false),
    uuid: string().notNull(),
    sis_group_id: string(),
    sis_import_id: int(),
    /** Fields changed by hand (`,name,short_name,`); an SIS import leaves them alone. Kept by triggers. */
    stuck_sis_fields: string(),
    /** The SIS status: users cannot join a `closed` group by themselves, and a `completed` one is concluded. */
    standing: state('open', 'closed', 'completed').notNull().default('open'),
    workflow_state: state('available', 'deleted').notNull().default('available'),
    ...created(),
  },
  (group) => [
    index('groups_in_context')
      .on(group.context_type, group.context_id, group.group_category_id, group.name, group.id)
      .where(sql`workflow_state = 'available'`),
    index('groups_in_category').on(group.group_category_id, group.workflow_state, group.name, group.id),
    index('groups_by_leader').on(group.leader_id).where(sql`leader_id is not null`),
    index('groups_by_avatar').on(group.avatar_id).where(sql`avatar_id is not null`),
    uniqueIndex('groups_by_sis_id').on(group.sis_group_id).where(sql`sis_group_id is not null`),
    uniqueIndex('groups_by_uuid').on(group.uuid),
  ],
);

export const group_memberships = sqliteTable(
  'group_memberships',
  {
    id: id(),
    group_id: int().notNull(),
    user_id: int().notNull(),
    workflow_state: state(...membershipStates).notNull(),
    moderator: bool().notNull().default(false),
    /** Copied from the group, so that lists are one index walk. Kept in step by triggers. */
    group_category_id: int().notNull().default(0),
    group_name: folded().notNull().default(''),
    /** The sort key of the user's name. */
    sortable_name: folded().notNull().default(''),
    sis_import_id: int(),
    ...created(),
  },
  (membership) => [
    uniqueIndex('group_memberships_once')
      .on(membership.group_id, membership.user_id)
      .where(sql`workflow_state not in ('deleted', 'rejected')`),
    index('group_memberships_in_group').on(membership.group_id, membership.workflow_state, membership.sortable_name, membership.user_id),
    index('group_memberships_of_user').on(membership.user_id, membership.workflow_state, membership.group_name, membership.group_id),
    index('group_memberships_in_category').on(membership.group_category_id, membership.user_id, membership.workflow_state),
  ],
);
