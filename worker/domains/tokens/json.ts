// Access tokens as clients see them.

import { Token } from '@carrel/shared/resources/token';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { tokens } from './table';

export const token = serializer({
  resource: Token,
  table: tokens,
  columns: () => ({
    application: sql`(select developer_keys.name from developer_keys where developer_keys.id = tokens.developer_key_id)`.as('application'),
  }),
  json: (row: RowOf<typeof tokens> & { application: string | null }) => ({
    ...row,
    app_name: row.developer_key_id === null ? 'User-Generated' : (row.application ?? ''),
    visible_token: row.token_hint,
    can_manually_regenerate: row.developer_key_id === null,
  }),
});
