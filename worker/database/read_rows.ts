// Reads rows by the declared types of their columns. Drizzle looks up the type of each value again; here each column is looked up once.

import { Column, is, SQL, Subquery } from 'drizzle-orm';

/** A selected column: where it goes, and what it is. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** The values of a row, in the order of the columns. */
export type RowValues = readonly unknown[];

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

function decoderOf(field: unknown): Decoder {
  if (field instanceof Column) return field as unknown as Decoder;
  const expression = field instanceof SQL ? field : is(field, Subquery) ? field._.sql : (field as SQL.Aliased).sql;
  return (expression as unknown as { decoder: Decoder }).decoder;
}

/** Most columns are stored as they are read. */
const isPlain = (decoder: Decoder): boolean => decoder.mapFromDriverValue === (Column.prototype as unknown as Decoder).mapFromDriverValue;

/** Reads rows with these columns, by name. */
export function readColumns(named: readonly (readonly [name: string, field: unknown])[]): (values: RowValues) => Record<string, unknown> {
  const columns = named.map(([name, field]) => {
    const decoder = decoderOf(field);
    return { name, decoder: isPlain(decoder) ? undefined : decoder };
  });
  return (values) => {
    const row: Record<string, unknown> = {};
    for (let nth = 0; nth < columns.length; nth++) {
      const { name, decoder } = columns[nth] as (typeof columns)[number];
      const value = values[nth];
      row[name] = value === null || decoder === undefined ? value : decoder.mapFromDriverValue(value);
    }
    return row;
  };
}

/** Reads the rows of a select whose columns are not nested; undefined for others, which drizzle reads. */
export const readerOf = (fields: readonly SelectedField[]): ReturnType<typeof readColumns> | undefined =>
  fields.some(({ path }) => path.length !== 1) ? undefined : readColumns(fields.map(({ path, field }) => [path[0] as string, field]));
