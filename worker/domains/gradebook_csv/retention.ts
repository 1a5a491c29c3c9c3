// How long uploaded gradebooks are kept: long enough to see what was applied.

import type { Retention } from '../../database/retention';

export const uploadRetentions: readonly Retention[] = [
  { table: 'gradebook_upload_rows', by: 'created_at', isInIdOrder: true, days: 30 },
  { table: 'gradebook_uploads', by: 'created_at', isInIdOrder: true, days: 30 },
];
