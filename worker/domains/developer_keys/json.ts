// Developer keys and their bindings as clients see them.

import { DeveloperKey, DeveloperKeyAccountBinding } from '@carrel/shared/resources/developer_key';
import { sql } from 'drizzle-orm';
import type { DeveloperKeyRow } from '../../contexts/developer_key';
import { rowsAsJson, rowsOfJson } from '../../database/bundle';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { developer_key_account_bindings as bindings, developer_keys } from './table';

type BindingRow = RowOf<typeof bindings>;
type Told = DeveloperKeyRow & Record<'account_name' | 'user_name' | 'bindings', string | null>;

const bindingJson = (row: BindingRow, owner: number) => ({ ...row, account_owns_binding: row.account_id === owner });

export const developerKey = serializer({
  resource: DeveloperKey,
  table: developer_keys,
  columns: () => ({
    account_name: sql`(select accounts.name from accounts where accounts.id = developer_keys.account_id)`.as('account_name'),
    user_name: sql`(select users.name from users where users.id = developer_keys.user_id)`.as('user_name'),
    bindings: rowsAsJson(bindings, sql`developer_key_account_bindings.developer_key_id = developer_keys.id`).as('bindings'),
  }),
  json(row: Told, { account }) {
    const said = rowsOfJson(bindings, row.bindings);
    const heard = said.find((one) => one.account_id === account?.id) ?? said.find((one) => one.account_id === row.account_id);
    return {
      ...row,
      api_key: null,
      developer_key_account_binding: heard ? bindingJson(heard, row.account_id) : null,
    };
  },
});

export const developerKeyAccountBinding = serializer({
  resource: DeveloperKeyAccountBinding,
  table: bindings,
  columns: () => ({
    owner:
      sql`(select developer_keys.account_id from developer_keys where developer_keys.id = developer_key_account_bindings.developer_key_id)`.as(
        'owner',
      ),
  }),
  json: (row: BindingRow & { owner: number }) => bindingJson(row, row.owner),
});
