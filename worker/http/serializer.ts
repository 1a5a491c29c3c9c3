// From rows to JSON: what else to read for a page, and how to serialise a row. Never a query per row.

import type { Json, Resource } from '@carrel/shared/resources/resource';
import { cut } from '@carrel/shared/resources/resource';
import { getTableName, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { limitOf } from '../database/at_most';
import { among, theIds } from '../database/ids';
import type { ResultOf, Statement } from '../database/open';
import { type Together, together, withColumns } from '../database/together';
import type { Call } from './call';
import { type Listing, lastOfWindow, namesOfMarks, type Span, selectIds, selectRows } from './listing';

export interface Embedded<Row = never, R extends Resource = Resource> {
  readonly serializer: Serializer<Row, R>;
  readonly listing: Listing;
  /** Its listing does not use the ids of the page: it is read by statements of its own, also where the others are combined into one. */
  readonly isApart?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: an embedded serializer of any row type.
type AnyEmbedded = Embedded<any, any>;
export type Also = Readonly<Record<string, Statement | AnyEmbedded | undefined>>;

type FoundOf<S> = S extends Embedded<infer Row, infer R> ? { row: Row; json: Json<R> }[] : S extends Statement ? ResultOf<S> : never;
/** What was read with the rows, under the names in `also`; names that were not requested are absent. */
type Found<A extends Also> = {
  [K in keyof A]: undefined extends A[K] ? FoundOf<Exclude<A[K], undefined>> | undefined : FoundOf<A[K]>;
};

export interface Serializer<Row, R extends Resource = Resource, A extends Also = Also> {
  readonly resource: R;
  /** The table of its rows: a repeated request reads them again by id. */
  readonly table: SQLiteTable & { id: SQLiteColumn };
  /** Computed columns of every read, each with an alias equal to its key. */
  columns?(call: Call): Record<string, SQLWrapper>;
  /** Statements that read data of the rows with these ids; sent in the same round trip as the rows. */
  also?(ids: SQL, call: Call): A;
  json(row: Row, call: Call, found: Found<A>): object;
}

// biome-ignore lint/suspicious/noExplicitAny: serializers of any row.
export type AnySerializer = Serializer<any, any>;

/** Declares a serializer, so that the type of `json` follows from `also`. */
export const serializer = <Row, R extends Resource, const A extends Also = {}>(given: Serializer<Row, R, A>): Serializer<Row, R> =>
  given as Serializer<Row, R>;

/** Rows of another resource embedded in this one. */
export const embed = <Row, R extends Resource>(of: Serializer<Row, R>, listing: Listing): Embedded<Row, R> => ({ serializer: of, listing });
export const embedApart = <Row, R extends Resource>(of: Serializer<Row, R>, listing: Listing): Embedded<Row, R> => ({
  serializer: of,
  listing,
  isApart: true,
});

const isEmbedded = (one: Statement | AnyEmbedded): one is AnyEmbedded => 'serializer' in one;

export interface Plan<Row> {
  readonly statements: Statement[];
  /** @param results of the statements, in order */
  tell(results: readonly unknown[]): { row: Row; json: Record<string, unknown> }[];
  /** For scan windows: the sort values of the last scanned row, when the page is not full and the list continues. */
  lastPlace?(results: readonly unknown[]): Record<string, unknown> | undefined;
}

/**
 * Plans to read and serialise rows.
 * @param all collects the statements, if they are to be combined into one
 */
export function planListing<Row>(of: Serializer<Row>, listing: Listing, call: Call, span?: Span, all?: Together): Plan<Row> {
  if (listing.once) return together(call.db, (one) => planListing(of, { ...listing, once: false }, call, span, one));
  const computed = of.columns ? { ...listing, columns: { ...of.columns(call), ...listing.columns } } : listing;
  const read = selectRows(call.db, computed, span);
  const page = all?.source(read);
  const ids = page ? sql`(select id from ${page})` : selectIds(call.db, listing, span);
  const isShort = page && span ? sql`(select count(*) < ${span.limit} from ${page})` : sql`1`;
  const place = span && listing.upTo && lastOfWindow(listing.upTo, listing, isShort);
  const last = place ? [withColumns(call.db.build.all(place), namesOfMarks(listing))] : [];
  for (const one of last) all?.add(one);
  const beside = planAlso(of, ids, call, all);
  return {
    statements: [read, ...last, ...beside.statements],
    tell: ([rows, ...results]) => beside.tell(rows as Row[], results.slice(last.length)),
    lastPlace: ([, place]) => (last.length > 0 ? (place as Record<string, unknown>[])[0] : undefined),
  };
}

/** Plans to serialise those of a few rows that the listing contains. */
export function planChosen<Row>(of: Serializer<Row>, listing: Listing, ids: readonly number[], call: Call): Plan<Row> {
  const { table } = listing;
  // The limit keeps SQLite from walking an index of the whole listing to find them.
  const few = call.db.build.select().from(table).where(among(table.id, ids)).limit(limitOf(ids.length)).as(getTableName(table));
  const chosen = { ...listing, from: few, order: undefined };
  const beside = planAlso(of, theIds(ids), call);
  const computed = of.columns ? { ...chosen, columns: { ...of.columns(call), ...listing.columns } } : chosen;
  return {
    statements: [selectRows(call.db, computed), ...beside.statements],
    tell: ([rows, ...results]) => beside.tell(rows as Row[], results),
  };
}

/** Plans to serialise loaded rows; `ids` selects them for the statements that read related data. */
export function planRows<Row extends object>(of: Serializer<Row>, rows: readonly Row[], call: Call): Plan<Row> {
  const ids = rows.map((row) => (row as { id?: number }).id ?? 0);
  const beside = planAlso(of, theIds(ids), call);
  return {
    statements: rows.length === 0 ? [] : beside.statements,
    tell: (results) => (rows.length === 0 ? [] : beside.tell(rows, results)),
  };
}

function planAlso<Row>(of: Serializer<Row>, ids: SQL, call: Call, all?: Together) {
  const parts = Object.entries(of.also?.(ids, call) ?? {})
    .filter((part): part is [string, Statement | AnyEmbedded] => part[1] !== undefined)
    .map(([name, part]) => {
      if (isEmbedded(part)) {
        const plan = planListing(part.serializer, part.listing, call, undefined, part.isApart ? undefined : all);
        if (part.isApart) for (const one of plan.statements) all?.addApart(one);
        return { name, plan };
      }
      all?.add(part);
      return { name, plan: { statements: [part], tell: ([rows]: readonly unknown[]) => rows } };
    });
  return {
    statements: parts.flatMap(({ plan }) => plan.statements),
    tell(rows: readonly Row[], results: readonly unknown[]) {
      const found: Record<string, unknown> = {};
      let at = 0;
      for (const { name, plan } of parts) {
        found[name] = plan.tell(results.slice(at, at + plan.statements.length));
        at += plan.statements.length;
      }
      return rows.map((row) => ({ row, json: cut(of.resource, of.json(row, call, found as Found<Also>)) as Record<string, unknown> }));
    },
  };
}
