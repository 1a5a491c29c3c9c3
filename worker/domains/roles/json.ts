// Roles as clients see them, in an account: with every applicable permission.

import { Role } from '@carrel/shared/resources/role';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import type { RoleRow } from '../../contexts/viewer';
import { among } from '../../database/ids';
import { rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { account } from '../accounts/json';
import { accounts } from '../accounts/table';
import { labels, rolePermissions } from './role_permissions';
import { role_overrides, roles } from './table';

const roleJson = (isNew: boolean) =>
  serializer({
    resource: Role,
    table: roles,
    also: (_ids, { db, account: here }) => ({
      // Roles are shown in their own account or one below it.
      accounts: embed(account, rows(accounts, { where: among(accounts.id, here?.chain ?? []) })),
      // Read again, because the same batch may have changed them.
      overrides: db.build
        .select()
        .from(role_overrides)
        .where(sql`${role_overrides.account_id} in (select value from json_each(${JSON.stringify(here?.chain ?? [])}))`),
    }),
    json(row: RoleRow, { account: here, institution }, { accounts: owners, overrides }) {
      const label = row.workflow_state === 'built_in' ? (lookUp(labels, row.name) ?? row.name) : row.name;
      return {
        ...row,
        label,
        role: row.name,
        is_account_role: row.base_role_type === 'AccountMembership',
        last_updated_at: row.updated_at,
        account: owners.find((one) => one.row.id === row.account_id)?.json,
        permissions: rolePermissions(row, here?.chain ?? [], overrides, institution),
        base_role_type_label: isNew ? labels[row.base_role_type] : undefined,
      };
    },
  });

export const role = roleJson(false);
export const newRole = roleJson(true);
