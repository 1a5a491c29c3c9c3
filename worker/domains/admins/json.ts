// Administrators as clients see them.

import { Admin } from '@carrel/shared/resources/admin';
import { cut } from '@carrel/shared/resources/resource';
import { User } from '@carrel/shared/resources/user';
import { sql } from 'drizzle-orm';
import { rowsAsJson, rowsOfJson } from '../../database/bundle';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { userJson } from '../users/json';
import { communication_channels, logins, users } from '../users/table';
import { admins } from './table';

export type AdminRow = RowOf<typeof admins>;
type Told = AdminRow & Record<'role' | 'person' | 'person_logins' | 'person_channels', string | null>;

export const admin = serializer({
  resource: Admin,
  table: admins,
  columns: () => ({
    role: sql`(select roles.name from roles where roles.id = admins.role_id)`.as('role'),
    person: rowsAsJson(users, sql`users.id = admins.user_id`).as('person'),
    person_logins: rowsAsJson(logins, sql`logins.user_id = admins.user_id and logins.workflow_state <> 'deleted'`).as('person_logins'),
    person_channels: rowsAsJson(
      communication_channels,
      sql`communication_channels.user_id = admins.user_id and communication_channels.type = 'email' and communication_channels.workflow_state <> 'deleted'`,
    ).as('person_channels'),
  }),
  json(row: Told, call) {
    const [person] = rowsOfJson(users, row.person);
    const besides = { logins: rowsOfJson(logins, row.person_logins), channels: rowsOfJson(communication_channels, row.person_channels) };
    return {
      ...row,
      role: row.role ?? '',
      user:
        person &&
        cut(
          User,
          userJson(person, call, besides, (field) => call.include.has(field)),
        ),
    };
  },
});
