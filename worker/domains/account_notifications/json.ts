// Account notifications as clients see them.

import { AccountNotification } from '@carrel/shared/resources/account_notification';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { account_notifications } from './table';

type Told = RowOf<typeof account_notifications> & { role_names: string; author_name: string | null; is_closed: number | null };

export const accountNotification = serializer({
  resource: AccountNotification,
  table: account_notifications,
  columns: ({ me }) => ({
    role_names:
      sql<string>`(select json_group_array(r.name) from json_each(account_notifications.role_ids) j join roles r on r.id = j.value)`.as(
        'role_names',
      ),
    author_name: sql<string | null>`(select u.name from users u where u.id = account_notifications.user_id)`.as('author_name'),
    is_closed:
      sql`(select 1 from closed_account_notifications c where c.account_notification_id = account_notifications.id and c.user_id = ${me.id})`.as(
        'is_closed',
      ),
  }),
  json: (row: Told, { params }) => ({
    ...row,
    roles: JSON.parse(row.role_names) as string[],
    author: row.author_name === null ? null : { id: row.user_id, name: row.author_name },
    closed: (params as { show_is_closed?: boolean }).show_is_closed ? row.is_closed !== null : undefined,
  }),
});
