// An import of outcomes as clients see it.

import { OutcomeImport } from '@carrel/shared/resources/outcome_import';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { displayRows, userDisplay } from '../../users/display';
import { outcome_imports } from '../table';

const importers = (ids: SQL) => sql`select user_id from outcome_imports where ${isInSelect(sql`id`, ids)}`;

export const outcomeImport = serializer({
  resource: OutcomeImport,
  table: outcome_imports,
  also: (ids, { db }) => ({ people: displayRows(db, importers(ids)) }),
  json: ({ errors, progress, ...row }: RowOf<typeof outcome_imports>, { origin }, { people }) => ({
    ...row,
    data: { import_type: 'instructure_csv' },
    progress: String(progress),
    user: userDisplay(
      people.find(({ id }) => id === row.user_id),
      origin,
    ),
    processing_errors: errors.length > 0 ? errors : undefined,
  }),
});
