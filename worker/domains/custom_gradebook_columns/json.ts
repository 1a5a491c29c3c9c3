// Custom gradebook columns and their data as clients see them.

import { ColumnDatum, CustomGradebookColumn } from '@carrel/shared/resources/custom_gradebook_column';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { custom_gradebook_columns, custom_gradebook_data } from './table';

export const customGradebookColumn = serializer({
  resource: CustomGradebookColumn,
  table: custom_gradebook_columns,
  json: (row: RowOf<typeof custom_gradebook_columns>) => row,
});

export const columnDatum = serializer({
  resource: ColumnDatum,
  table: custom_gradebook_data,
  json: (row: RowOf<typeof custom_gradebook_data>) => row,
});
