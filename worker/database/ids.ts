// Lists of ids in SQL: bound as one JSON text, because D1 allows 100 parameters per query.

import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { shared } from './shared';

/** `column in (…)` for any number of values. */
export const among = (column: SQLWrapper, values: readonly (number | string)[]): SQL<boolean> =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;

/** `column in (select …)` for a statement that selects one column. */
export const isInSelect = (column: SQLWrapper, ids: SQLWrapper): SQL<boolean> => sql`${column} in (${ids})`;

/** A select of the given ids, for statements that expect the ids of a page. */
export const theIds = (values: readonly number[]): SQL => sql`select value from json_each(${JSON.stringify(values)})`;

/** Case-insensitive substring search; LIKE fails for patterns over 50 bytes. */
export const contains = (column: SQLWrapper, term: string): SQL<boolean> =>
  sql`instr(lower(${column}), ${shared('term', term.toLowerCase())}) > 0`;
