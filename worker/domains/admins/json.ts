// Administrators as clients see them.

import { Admin } from '@carrel/shared/resources/admin';
import { sql } from 'drizzle-orm';
import { within } from '../../database/ids';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { roles } from '../roles/table';
import { user } from '../users/json';
import { users } from '../users/table';
import { admins } from './table';

export type AdminRow = RowOf<typeof admins>;

export const admin = serializer({
  resource: Admin,
  table: admins,
  also: (ids, { db }) => ({
    users: embed(user, rows(users, { where: within(users.id, sql`select user_id from admins where id in (${ids})`) })),
    roles: db.build
      .select({ id: roles.id, name: roles.name })
      .from(roles)
      .where(within(roles.id, sql`select role_id from admins where id in (${ids})`)),
  }),
  json: (row: AdminRow, _call, { users: people, roles: held }) => ({
    ...row,
    role: held.find((one) => one.id === row.role_id)?.name ?? '',
    user: people.find((one) => one.row.id === row.user_id)?.json,
  }),
});
