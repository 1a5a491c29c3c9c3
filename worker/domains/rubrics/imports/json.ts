// An import of rubrics as clients see it.

import { RubricImport } from '@carrel/shared/resources/rubric_import';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { displayRows, userDisplay } from '../../users/display';
import { rubric_imports } from '../table';

const importers = (ids: SQL) => sql`select user_id from rubric_imports where ${isInSelect(sql`id`, ids)}`;

export const rubricImport = serializer({
  resource: RubricImport,
  table: rubric_imports,
  also: (ids, { db }) => ({ people: displayRows(db, importers(ids)) }),
  json: (row: RowOf<typeof rubric_imports>, { institution, origin }, { people }) => ({
    ...row,
    root_account_id: institution.root.id,
    ...(row.context_type === 'Course' ? { course_id: row.context_id } : { account_id: row.context_id }),
    // The file is kept only until it is imported.
    attachment_id: null,
    attachment: { id: null, filename: row.filename, size: row.size },
    user: userDisplay(
      people.find(({ id }) => id === row.user_id),
      origin,
    ),
  }),
});
