// Access tokens as clients see them.

import { Token } from '@carrel/shared/resources/token';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { tokens } from './table';

export const token = serializer({
  resource: Token,
  table: tokens,
  json: (row: RowOf<typeof tokens>) => ({
    ...row,
    app_name: 'User-Generated',
    visible_token: row.token_hint,
    can_manually_regenerate: row.developer_key_id === null,
  }),
});
