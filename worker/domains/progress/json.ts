// Progress of background work, as clients see it.

import { Progress } from '@carrel/shared/resources/progress';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { progress as table } from './table';

export type ProgressRow = RowOf<typeof table>;

export const progressJson = serializer({
  resource: Progress,
  table,
  json: (row: ProgressRow, { origin }) => ({ ...row, url: `${origin}/api/v1/progress/${row.id}` }),
});
