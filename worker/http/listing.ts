// A read as a value: which rows, in which order. The runner turns it into a page, with all includes, in one round trip.

import { lookUp } from '@carrel/shared/wire/look_up';
import { Column, getTableColumns, is, type SQL, type SQLWrapper, type Subquery, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { atMost, limitOf } from '../database/at_most';
import type { Database, Statement } from '../database/open';
import { sharedMark } from '../database/shared';
import { united } from '../database/united';
import { startAfter } from './page';

export interface Order {
  /** An expression that is never null, because bookmarks compare with it. */
  readonly by: SQLWrapper;
  readonly descending?: boolean;
}

type Columns = Record<string, SQLWrapper>;

// biome-ignore lint/suspicious/noExplicitAny: drizzle's select types cannot say "any table, joined or not".
type Select = any;

export interface Listing<Row = Record<string, unknown>> {
  readonly table: SQLiteTable & { id: SQLiteColumn };
  /** Columns besides the table's; each needs an alias equal to its key. */
  readonly columns?: Columns;
  /** The columns of the table that the serializer uses; all by default. */
  readonly only?: readonly string[];
  /** Joins for filters and sort keys only, `(select) => select.innerJoin(users, …)`. */
  readonly join?: (select: Select) => Select;
  /** Starts from another table, so that its index determines the order; or from a subquery. */
  readonly from?: SQLiteTable | Subquery | SQL;
  readonly where: SQL | undefined;
  /** By id when absent. Must end with a unique expression. */
  readonly order?: readonly Order[];
  /** A custom condition for the rows after a bookmark, when the default one would not use the indexes of several tables. */
  readonly after?: (values: readonly unknown[]) => SQL;
  readonly limit?: number;
  /** The page is expensive to find: it is read in one statement together with all included data. */
  readonly once?: boolean;
  /** For a list with scan windows: a select of the sort values of the window's last row. A page that is not full continues from there. */
  readonly upTo?: SQL;
  /** Type of the rows; never set. */
  readonly row?: Row;
}

export type RowOf<T extends SQLiteTable> = T['$inferSelect'];

/** Rows of a table with all its columns. */
export const rows = <T extends SQLiteTable & { id: SQLiteColumn }, X extends object = {}>(
  table: T,
  rest: Omit<Listing, 'table' | 'row'>,
): Listing<RowOf<T> & X> => ({ table, ...rest }) as Listing<RowOf<T> & X>;

export const ascending = (...by: SQLWrapper[]): Order[] => by.map((one) => ({ by: one }));
export const descending = (...by: SQLWrapper[]): Order[] => by.map((one) => ({ by: one, descending: true }));
/** Case-insensitive. */
export const collated = (by: SQLWrapper): SQL => sql`${by} collate nocase`;

export interface PageRequest {
  readonly per_page: number;
  readonly number?: number;
  readonly after?: readonly unknown[];
}

export interface Span {
  readonly limit: number;
  readonly offset?: number;
  /** The bookmark: sort values of the row after which the page starts. */
  readonly after?: readonly unknown[];
}

const orderOf = (listing: Pick<Listing, 'table' | 'order'>): readonly Order[] => listing.order ?? [{ by: listing.table.id }];

/** The condition for rows after a bookmark; a row comparison if all directions agree, so that an index is used. */
export function afterwards(order: readonly Order[], given: readonly unknown[]): SQL {
  const values = sharedMark(given);
  const isUniform = order.every((one) => Boolean(one.descending) === Boolean(order[0]?.descending));
  if (isUniform) {
    const left = sql.join(
      order.map((one) => sql`${one.by}`),
      sql`, `,
    );
    const right = sql.join(values, sql`, `);
    const beyond = order[0]?.descending ? sql`(${left}) < (${right})` : sql`(${left}) > (${right})`;
    if (!order[0] || is(order[0].by, Column)) return beyond;
    // SQLite uses no index for a row comparison that begins with an expression or a collation, but does for a simple comparison.
    return order[0].descending ? sql`${order[0].by} <= ${values[0]} and ${beyond}` : sql`${order[0].by} >= ${values[0]} and ${beyond}`;
  }
  const steps = order.map((one, depth) => {
    const equal = order.slice(0, depth).map((before, at) => sql`${before.by} = ${values[at]}`);
    return sql`(${sql.join([...equal, one.descending ? sql`${one.by} < ${values[depth]}` : sql`${one.by} > ${values[depth]}`], sql` and `)})`;
  });
  return sql`(${sql.join(steps, sql` or `)})`;
}

/** A way to find rows of a list: its `from` and condition, with the names that the order uses. */
export interface AccessPath {
  readonly from: SQL;
  readonly where: SQL | undefined;
  /** Whether to use this way at all. Applied as a limit, because a condition would be evaluated per row. */
  readonly when?: SQL;
  /** Its rows already come in list order, so sorting would only read all of them first. */
  readonly isInOrder?: boolean;
}

/** A limit that applies when the condition is true; otherwise nothing is read. */
export function limited(count: number, when: SQL | undefined): SQL {
  return when ? sql`(case when ${when} then ${atMost(count)} else 0 end)` : atMost(count);
}

/** A select of the ids of the first rows from several ways, each in list order and at most one page deep. */
export function firstPageSql(ways: readonly AccessPath[], id: SQL, order: readonly Order[], { per_page, number, after }: PageRequest): SQL {
  const start = startAfter({ after }, order.length);
  const beyond = start && afterwards(order, start);
  const by = sql.join(
    order.map((one) => (one.descending ? sql`${one.by} desc` : sql`${one.by}`)),
    sql`, `,
  );
  const walks = ways.map(
    ({ from, where, when, isInOrder }) =>
      sql`select first_id from (select ${id} as first_id from ${from} where ${sql.join(
        [where, beyond].filter((one) => one !== undefined),
        sql` and `,
      )}${isInOrder ? sql`` : sql` order by ${by}`} limit ${limited(per_page * (number ?? 1) + 1, when)})`,
  );
  return united(walks);
}

function select(db: Database, listing: Listing, fields: Columns, span: Span | undefined): Statement & SQLWrapper {
  const order = orderOf(listing);
  let query: Select = db.build
    .select(fields as Record<string, SQL>)
    .from(listing.from ?? listing.table)
    .$dynamic();
  if (listing.join) query = listing.join(query);
  const start = span && startAfter(span, order.length);
  const beyond = start && (listing.after?.(start) ?? afterwards(order, start));
  const condition = beyond ? (listing.where ? sql`${listing.where} and ${beyond}` : beyond) : listing.where;
  if (condition) query = query.where(condition);
  query = query.orderBy(...order.map((one) => (one.descending ? sql`${one.by} desc` : sql`${one.by}`)));
  const limit = span?.limit ?? listing.limit;
  if (limit !== undefined) query = query.limit(limitOf(limit));
  if (span?.offset) query = query.offset(span.offset);
  return query;
}

const marks = (listing: Listing): Columns =>
  Object.fromEntries(orderOf(listing).map((one, at) => [`mark_${at}`, sql`${one.by}`.as(`mark_${at}`)]));

function columnsOf({ table, only }: Listing): Columns {
  const all: Columns = getTableColumns(table);
  return only ? Object.fromEntries(Object.entries(all).filter(([name]) => only.includes(name))) : all;
}

/** The statement that reads the rows; with a span, including the sort values for the bookmark. */
export const selectRows = (db: Database, listing: Listing, span?: Span) =>
  select(db, listing, { ...columnsOf(listing), ...listing.columns, ...(span && marks(listing)) }, span);

/**
 * The ids of the same rows, for statements that read included data. A nested select, because subqueries in `from` do not count towards SQLite's
 * expression depth of 100.
 */
export const selectIds = (db: Database, listing: Listing, span?: Span): SQL =>
  sql`(select id from ${select(db, listing, { id: listing.table.id }, span)})`;

/** The last row of the scan window, if the page is not full. Decided outside of the select, whose limit cannot refer to the page. */
export function lastOfWindow(upTo: SQL, listing: Listing, isShort: SQL): SQL {
  const names = namesOfMarks(listing);
  const marks = names.map((name, at) => `marks ->> ${at} as ${name}`);
  return sql`select ${sql.raw(marks.join(', '))} from (select case when ${isShort} then (select json_array(${sql.raw(names.join(', '))}) from (${upTo})) end as marks) where marks is not null`;
}

export const namesOfMarks = (listing: Listing): string[] => orderOf(listing).map((_, at) => `mark_${at}`);

/** The sort values of a row read with a span. */
export const marksOf = (listing: Pick<Listing, 'table' | 'order'>, row: Record<string, unknown>): unknown[] =>
  orderOf(listing).map((_, at) => lookUp(row, `mark_${at}`));
