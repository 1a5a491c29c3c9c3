// From rows to JSON: what else must be read for a page, and how one row is told. Never a query per row.

import type { Json, Resource } from '@carrel/shared/resources/resource';
import { cut } from '@carrel/shared/resources/resource';
import { getTableName, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { atMost } from '../database/at_most';
import { among, theIds } from '../database/ids';
import type { ResultOf, Statement } from '../database/open';
import { named, type Together, together } from '../database/together';
import type { Call } from './call';
import { type Listing, namesOfMarks, type Span, selectIds, selectRows } from './listing';

export interface Embedded<Row = never, R extends Resource = Resource> {
  readonly serializer: Serializer<Row, R>;
  readonly listing: Listing;
}

// biome-ignore lint/suspicious/noExplicitAny: an embedded serializer of any row type.
type AnyEmbedded = Embedded<any, any>;
export type Also = Readonly<Record<string, Statement | AnyEmbedded | undefined>>;

type FoundOf<S> = S extends Embedded<infer Row, infer R> ? { row: Row; json: Json<R> }[] : S extends Statement ? ResultOf<S> : never;
/** What was read beside the rows, under the names that `also` gave; absent names were not asked for. */
export type Found<A extends Also> = {
  [K in keyof A]: undefined extends A[K] ? FoundOf<Exclude<A[K], undefined>> | undefined : FoundOf<A[K]>;
};

export interface Serializer<Row, R extends Resource = Resource, A extends Also = Also> {
  readonly resource: R;
  /** Where its rows are kept: a repeated request reads them again by id. */
  readonly table: SQLiteTable & { id: SQLiteColumn };
  /** Columns that every reading of its rows computes, each under an alias of its own name. */
  columns?(call: Call): Record<string, SQLWrapper>;
  /** Statements that read what belongs to the rows with these ids; sent in the same round trip as the rows. */
  also?(ids: SQL, call: Call): A;
  json(row: Row, call: Call, found: Found<A>): object;
}

/** Declares a serializer, so that `json` knows what `also` reads. */
export const serializer = <Row, R extends Resource, const A extends Also = {}>(given: Serializer<Row, R, A>): Serializer<Row, R> =>
  given as unknown as Serializer<Row, R>;

/** Rows of another resource that are told inside this one. */
export const embed = <Row, R extends Resource>(of: Serializer<Row, R>, listing: Listing): Embedded<Row, R> => ({ serializer: of, listing });

const isEmbedded = (one: Statement | AnyEmbedded): one is AnyEmbedded => 'serializer' in one;

export interface Plan<Row> {
  readonly statements: Statement[];
  /** @param results of the statements, in their order */
  tell(results: readonly unknown[]): { row: Row; json: Record<string, unknown> }[];
  /** The order values of the last place that was looked at, where the rows do not fill the page and there is more. */
  lastPlace?(results: readonly unknown[]): Record<string, unknown> | undefined;
}

/**
 * Plans to tell rows that are still to be read.
 * @param all where the statements are put, if they are to be one
 */
export function planListing<Row>(of: Serializer<Row>, listing: Listing, call: Call, span?: Span, all?: Together): Plan<Row> {
  if (listing.once) return together(call.db, (one) => planListing(of, { ...listing, once: false }, call, span, one));
  const computed = of.columns ? { ...listing, columns: { ...of.columns(call), ...listing.columns } } : listing;
  const read = selectRows(call.db, computed, span);
  const page = all?.add(read);
  const ids = page ? sql`(select id from ${page})` : selectIds(call.db, listing, span);
  const place = span && listing.upTo?.(page ? sql`(select count(*) < ${span.limit} from ${page})` : sql`1`);
  const last = place ? [named(call.db.build.all(place), namesOfMarks(listing))] : [];
  for (const one of last) all?.add(one);
  const beside = planAlso(of, ids, call, all);
  return {
    statements: [read, ...last, ...beside.statements],
    tell: ([rows, ...results]) => beside.tell(rows as Row[], results.slice(last.length)),
    lastPlace: ([, place]) => (last.length > 0 ? (place as Record<string, unknown>[])[0] : undefined),
  };
}

/** Plans to tell those of a few rows that the listing holds. */
export function planChosen<Row>(of: Serializer<Row>, listing: Listing, ids: readonly number[], call: Call): Plan<Row> {
  const { table } = listing;
  // The limit keeps the planner from walking an index of the whole listing to find them.
  const few = call.db.build
    .select()
    .from(table)
    .where(among(table.id, ids))
    .limit(atMost(ids.length) as unknown as number)
    .as(getTableName(table));
  const chosen = { ...listing, from: few, order: undefined };
  const beside = planAlso(of, theIds(ids), call);
  const computed = of.columns ? { ...chosen, columns: { ...of.columns(call), ...listing.columns } } : chosen;
  return {
    statements: [selectRows(call.db, computed), ...beside.statements],
    tell: ([rows, ...results]) => beside.tell(rows as Row[], results),
  };
}

/** Plans to tell rows at hand; `ids` name them to the statements that read what belongs to them. */
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
      if (isEmbedded(part)) return { name, plan: planListing(part.serializer, part.listing, call, undefined, all) };
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
