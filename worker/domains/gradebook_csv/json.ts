// Exports and uploads of gradebooks as clients see them.

import { GradebookExport, GradebookUpload, GradebookUploadRow } from '@carrel/shared/resources/gradebook_csv';
import { type SQL, sql } from 'drizzle-orm';
import { withColumns } from '../../database/together';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import type { ProgressRow } from '../progress/json';
import { progress } from '../progress/table';
import { gradebook_upload_rows, gradebook_uploads } from './table';

export const gradebookExport = serializer({
  resource: GradebookExport,
  table: progress,
  also: (ids: SQL, { db }) => ({
    files: withColumns(
      db.build.all<{ progress_id: number; id: number; display_name: string }>(
        sql`select p.id as progress_id, f.id, f.display_name from progress p join files f on f.uuid = p.arguments ->> '$.file_uuid' where p.id in (${ids})`,
      ),
      ['progress_id', 'id', 'display_name'],
    ),
  }),
  json(row: ProgressRow, _call, { files }) {
    const file = files.find((one) => one.progress_id === row.id);
    return { attachment_id: file?.id ?? 0, progress_id: row.id, filename: file?.display_name ?? '' };
  },
});

export const gradebookUpload = serializer({
  resource: GradebookUpload,
  table: gradebook_uploads,
  also: (ids: SQL, { db }) => ({
    failed: withColumns(
      db.build.all<{ id: number }>(
        sql`select u.id from gradebook_uploads u join progress p on p.id = u.progress_id where u.id in (${ids}) and p.workflow_state = 'failed'`,
      ),
      ['id'],
    ),
  }),
  json: (row: RowOf<typeof gradebook_uploads>, _call, { failed }) => ({
    ...row,
    workflow_state: failed.some(({ id }) => id === row.id) ? 'failed' : row.workflow_state,
  }),
});

export const gradebookUploadRow = serializer({
  resource: GradebookUploadRow,
  table: gradebook_upload_rows,
  json: (row: RowOf<typeof gradebook_upload_rows>) => ({ ...row, student: row.student.name }),
});
