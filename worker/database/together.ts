// Combines statements about the same page into one, so that the page is read only once.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from './open';
import { numberParameters } from './shared';
import { inGroupsOf } from './united';

/** What drizzle knows of a statement; the columns of raw ones are unknown. */
interface Built {
  getSQL(): SQL;
  _prepare(): { readonly fields?: readonly { readonly path: readonly string[] }[]; mapResult(result: unknown, isFromBatch: true): unknown };
}

const columnsOfRaw = new WeakMap<object, readonly string[]>();

/** A raw statement with its column names, so that it can be combined with others. */
export function withColumns<S extends Statement>(statement: S, columns: readonly string[]): S {
  columnsOfRaw.set(statement, columns);
  return statement;
}

interface Part {
  readonly text: SQL;
  readonly columns: readonly string[] | undefined;
  tell(rows: readonly Record<string, unknown>[]): unknown;
}

function partOf(statement: Statement): Part {
  const built = statement as unknown as Built;
  const columns = columnsOfRaw.get(statement);
  if (columns) return { text: built.getSQL(), columns, tell: (rows) => rows };
  const prepared = built._prepare();
  return {
    text: built.getSQL(),
    columns: prepared.fields?.map(({ path }) => path.join('.')),
    tell: (results) => prepared.mapResult({ results }, true),
  };
}

/** SQLite functions take at most 32 arguments. */
const atOnce = 32;

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`);

/** A row's columns in groups: an array of arrays. */
const cellsOf = (columns: readonly string[]) =>
  `json_array(${inGroupsOf(quoted(columns), atOnce)
    .map((group) => `json_array(${group.join(', ')})`)
    .join(', ')})`;

/**
 * A link of the chain: what the links before it found, and the rows of this part as one JSON text. Each link names the one before it once, because
 * SQLite compiles a table of a `with` again at every place that names it. Materialised, because SQLite then treats JSON values as text, as D1 would
 * return them.
 */
const linkOf = ({ text, columns = [] }: Part, at: number) => {
  const rows = sql`(with part(${sql.raw(quoted(columns).join(', '))}) as materialized (${text}) select json_group_array(${sql.raw(cellsOf(columns))}) from part)`;
  const before = at === 0 ? sql`` : sql`before.*, `;
  const source = at === 0 ? sql`` : sql.raw(` from link_${at - 1} before`);
  return sql`${sql.raw(`link_${at}`)} as materialized (select ${before}${rows} as ${sql.raw(`part_${at}`)}${source})`;
};

/** D1's limit per statement. */
const mostParameters = 100;
const mostBytes = 100_000;

type Row = Readonly<Record<string, string>>;

export class Together {
  private readonly parts: Part[] = [];
  constructor(private readonly db: Database) {}

  /** @returns the rows of the statement as a table for the following ones, with its column names */
  add(statement: Statement): SQL {
    const at = this.parts.length;
    const part = partOf(statement);
    this.parts.push(part);
    const columns = (part.columns ?? []).map((column, nth) => `value ->> '$[${Math.floor(nth / atOnce)}][${nth % atOnce}]' as "${column}"`);
    return sql.raw(`(select ${columns.join(', ')} from json_each(before.part_${at}))`);
  }

  /** The combined statement; undefined when column names are unknown, or a limit of D1 is exceeded. */
  statement(): Statement | undefined {
    if (this.parts.some(({ columns }) => !columns)) return undefined;
    const whole = this.db.build.all<Row>(
      sql`with ${sql.join(this.parts.map(linkOf), sql`, `)} select * from ${sql.raw(`link_${this.parts.length - 1}`)}`,
    );
    const { sql: text, params } = whole.getQuery();
    const fits = numberParameters(text, params).values.length <= mostParameters && new TextEncoder().encode(text).length <= mostBytes;
    return fits ? whole : undefined;
  }

  /** The results of the statements, in order. */
  results([row]: readonly Row[]): unknown[] {
    return this.parts.map(({ columns = [], tell }, at) => {
      const rows = JSON.parse(lookUp(row, `part_${at}`) ?? '[]') as unknown[][][];
      return tell(
        rows.map((groups) => {
          const values = groups.flat();
          return Object.fromEntries(columns.map((column, nth) => [column, values[nth]]));
        }),
      );
    });
  }
}

/**
 * Combines the statements of a plan.
 * @param plan adds its statements, in order, to the given collector
 */
export function together<
  P extends {
    readonly statements: readonly Statement[];
    tell(results: readonly unknown[]): unknown;
    lastPlace?(results: readonly unknown[]): unknown;
  },
>(db: Database, plan: (all: Together | undefined) => P): P {
  const all = new Together(db);
  const planned = plan(all);
  const statement = all.statement();
  if (!statement) return plan(undefined);
  const results = ([rows]: readonly unknown[]) => all.results(rows as Row[]);
  return {
    ...planned,
    statements: [statement],
    tell: (given: readonly unknown[]) => planned.tell(results(given)),
    lastPlace: (given: readonly unknown[]) => planned.lastPlace?.(results(given)),
  };
}
