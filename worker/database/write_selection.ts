// The columns of a select as few pieces of text. Drizzle makes several objects for each column again, for every statement.

import { Column, SQL, StringChunk } from 'drizzle-orm';
import type { SelectedField } from './read_rows';

interface SelectionOptions {
  /** Columns are written without their table. */
  readonly isSingleTable?: boolean;
}

/** How drizzle builds the list between `select` and `from`. */
export type PlainSelection = (fields: readonly SelectedField[], options?: SelectionOptions) => SQL;

/** The texts of columns, which belong to tables that live as long as the Worker. */
const [alone, qualified] = [new WeakMap<Column, string>(), new WeakMap<Column, string>()];

/**
 * The same list as drizzle's, with texts in place of columns.
 * @param plain decides the text of each column once, and everything that is not a column
 * @param write writes a list without parameters
 */
export function writeSelection(
  fields: readonly SelectedField[],
  options: SelectionOptions | undefined,
  plain: PlainSelection,
  write: (selection: SQL) => string,
): SQL {
  const known = options?.isSingleTable ? alone : qualified;
  const chunks: (StringChunk | SQL)[] = [];
  let text = '';
  for (const [at, one] of fields.entries()) {
    if (at > 0) text += ', ';
    const { field } = one;
    if (field instanceof Column) {
      const column = known.get(field) ?? write(plain([one], options));
      known.set(field, column);
      text += column;
      continue;
    }
    chunks.push(new StringChunk(text), plain([one], options));
    text = '';
  }
  return new SQL([...chunks, new StringChunk(text)]);
}
