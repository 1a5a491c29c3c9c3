// Failed jobs as callers who run the service see them.

import { Chore } from '@carrel/shared/resources/chore';
import { DeadLetter } from '@carrel/shared/resources/dead_letter';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { chores, dead_letters } from './table';

export const chore = serializer({
  resource: Chore,
  table: chores,
  json: ({ lease, leased_until, ...row }: RowOf<typeof chores>) => ({ ...row, is_running: lease !== null }),
});

export const deadLetter = serializer({
  resource: DeadLetter,
  table: dead_letters,
  json: (row: RowOf<typeof dead_letters>) => ({ ...row, progress_id: row.message.progress_id ?? null, ids: row.message.ids ?? [] }),
});
