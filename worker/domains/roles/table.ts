// Roles, and permission overrides of accounts. The defaults are data in contexts/permissions.ts.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, state, string } from '../../database/columns';

export const baseRoleTypes = [
  'AccountMembership',
  'StudentEnrollment',
  'TeacherEnrollment',
  'TaEnrollment',
  'DesignerEnrollment',
  'ObserverEnrollment',
] as const;

export const roles = sqliteTable(
  'roles',
  {
    id: id(),
    /** Null for a built-in role. */
    account_id: int(),
    name: string().notNull(),
    base_role_type: state(...baseRoleTypes).notNull(),
    workflow_state: state('built_in', 'active', 'inactive').notNull().default('active'),
    ...created(),
  },
  (role) => [uniqueIndex('roles_by_name').on(role.account_id, role.name), index('roles_in_account').on(role.account_id, role.id)],
);

export const role_overrides = sqliteTable(
  'role_overrides',
  {
    id: id(),
    account_id: int().notNull(),
    role_id: int().notNull(),
    permission: string().notNull(),
    /** Null: only the lock is set, the value is inherited. */
    enabled: bool(),
    locked: bool().notNull().default(false),
    applies_to_self: bool().notNull().default(true),
    applies_to_descendants: bool().notNull().default(true),
  },
  (override) => [
    uniqueIndex('role_overrides_once').on(override.account_id, override.role_id, override.permission),
    index('role_overrides_of_role').on(override.role_id),
  ],
);
