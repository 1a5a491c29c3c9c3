// Combines statements about the same page into one, so that the page is read only once.

import { Column, is, SQL, Subquery, sql } from 'drizzle-orm';
import type { Database, Statement } from './open';
import { type RowValues, readerOf, type SelectedField } from './read_rows';
import { numberParameters } from './shared';
import { inGroupsOf, united } from './united';

/** A select as drizzle builds it. */
interface Built {
  getSQL(): SQL;
  readonly config: {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly joins?: readonly unknown[];
    readonly setOperators: readonly unknown[];
  };
  readonly dialect: {
    buildSelection(fields: readonly SelectedField[], options: { readonly isSingleTable: boolean }): SQL;
    buildSelectQuery(config: object): SQL;
  };
}

/** The columns of a select; undefined when they are unknown or nested. */
function fieldsOf({ config }: Built): SelectedField[] | undefined {
  const fields = Object.entries(config.fields ?? {}).map(([name, field]) => ({ path: [name], field }));
  const isColumn = ({ field }: SelectedField) => is(field, Column) || is(field, SQL) || is(field, SQL.Aliased) || is(field, Subquery);
  return fields.length > 0 && config.setOperators.length === 0 && fields.every(isColumn) ? fields : undefined;
}

const columnsOfRaw = new WeakMap<object, readonly string[]>();

/** A raw statement with its column names, so that it can be combined with others. */
export function withColumns<S extends Statement>(statement: S, columns: readonly string[]): S {
  columnsOfRaw.set(statement, columns);
  return statement;
}

/** A statement that is the same for several selects of what it is about. */
interface Sharing {
  readonly key: string;
  readonly share: SQL;
  whole(shares: SQL): Statement;
}

const sharingOf = new WeakMap<object, Sharing>();

/**
 * A statement that is combined with others of its kind into one. Its result then also contains the rows of the others.
 * @param key equal for statements that differ only in `share`
 * @param share a select
 * @param whole the statement for a union of such selects
 */
export function sharing<S extends Statement>(key: string, share: SQL, whole: (shares: SQL) => S): S {
  const statement = whole(share);
  sharingOf.set(statement, { key, share, whole });
  return statement;
}

/** A table of the combined statement, with the rows as JSON in the column `told`. */
interface Part {
  readonly name: string;
  /** The table, and a select of its rows as JSON; undefined when the columns are unknown. */
  readonly texts: { readonly table: SQL; readonly told: SQL } | undefined;
  read(values: RowValues): Record<string, unknown>;
}

/** SQLite functions take at most 32 arguments. */
const atOnce = 32;

const asJson = (columns: readonly SQL[]): SQL => {
  const groups = inGroupsOf(columns, atOnce).map((group) => sql`json_array(${sql.join(group, sql`, `)})`);
  return sql`json_array(${sql.join(groups, sql`, `)})`;
};

/** The same select with its columns as JSON and, for the parts that use its rows, the id. Each column is named once. */
function withRowsAsJson({ config, dialect }: Built, fields: readonly SelectedField[]): SQL {
  const isSingleTable = !config.joins?.length;
  const columnOf = ({ path, field }: SelectedField) =>
    dialect.buildSelection([{ path, field: is(field, SQL.Aliased) ? field.sql : field }], { isSingleTable });
  const id = fields.find(({ path }) => path[0] === 'id');
  const told = { path: ['told'], field: asJson(fields.map(columnOf)).as('told') };
  return dialect.buildSelectQuery({ ...config, fieldsFlat: id ? [id, told] : [told] });
}

/** A column that SQLite knows to be JSON is a part of the row's JSON, where D1 would return its text. */
const asText = (value: unknown): unknown => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);

function partOf(statement: Statement, at: number): Part {
  const built = statement as unknown as Built;
  const name = `part_${at}`;
  const rowsOf = (told: SQL) => sql`select ${sql.raw(String(at))} as part, ${told} as told from ${sql.raw(name)}`;
  const given = columnsOfRaw.get(statement);
  if (given) {
    const columns = given.map((column) => sql`${sql.identifier(column)}`);
    // Materialised, because SQLite then treats JSON values as text, as D1 would return them.
    const table = sql`${sql.raw(name)}(${sql.join(columns, sql`, `)}) as materialized (${built.getSQL()})`;
    const read = (values: RowValues) => Object.fromEntries(given.map((column, nth) => [column, values[nth]]));
    return { name, texts: { table, told: rowsOf(asJson(columns)) }, read };
  }
  const fields = fieldsOf(built);
  const read = fields && readerOf(fields);
  if (!read) return { name, texts: undefined, read: () => ({}) };
  const table = sql`${sql.raw(name)} as materialized (${withRowsAsJson(built, fields)})`;
  return { name, texts: { table, told: rowsOf(sql.raw('told')) }, read: (values) => read(values.map(asText)) };
}

/** D1's limit per statement. */
const mostParameters = 100;
const mostBytes = 100_000;

interface Told {
  readonly part: number;
  /** JSON. */
  readonly told: string;
}

/** A statement as it was added: a part of its own, or one that it shares with others. */
type Added = { readonly part: number } | { readonly key: string };

export class Together {
  private readonly parts: Part[] = [];
  private readonly added: Added[] = [];
  private readonly shared = new Map<string, { readonly sharing: Sharing; readonly shares: SQL[] }>();
  private readonly partOfShared = new Map<string, number>();
  constructor(private readonly db: Database) {}

  /**
   * Adds a statement whose rows the following ones use.
   * @returns its rows as a table: with the columns of a raw statement, or with the id
   */
  source(statement: Statement): SQL {
    this.added.push({ part: this.parts.length });
    return sql.raw(this.append(statement).name);
  }

  add(statement: Statement): void {
    const sharing = sharingOf.get(statement);
    if (!sharing) {
      this.source(statement);
      return;
    }
    const { key, share } = sharing;
    const known = this.shared.get(key);
    if (known) known.shares.push(share);
    else this.shared.set(key, { sharing, shares: [share] });
    this.added.push({ key });
  }

  private append(statement: Statement): Part {
    const part = partOf(statement, this.parts.length);
    this.parts.push(part);
    return part;
  }

  /** The combined statement, once all have been added; undefined when column names are unknown, or a limit of D1 is exceeded. */
  statement(): Statement | undefined {
    for (const [key, { sharing, shares }] of this.shared) {
      this.partOfShared.set(key, this.parts.length);
      this.append(sharing.whole(united(shares)));
    }
    const texts = this.parts.flatMap((part) => part.texts ?? []);
    if (texts.length < this.parts.length) return undefined;
    const tables = sql.join(
      texts.map(({ table }) => table),
      sql`, `,
    );
    const whole = this.db.build.all<Told>(sql`with ${tables} ${united(texts.map(({ told }) => told))}`);
    const { sql: text, params } = whole.getQuery();
    // A character has at most three bytes in UTF-8.
    const isShort = text.length * 3 <= mostBytes || new TextEncoder().encode(text).length <= mostBytes;
    return isShort && numberParameters(text, params).values.length <= mostParameters ? whole : undefined;
  }

  /** The rows of the statements, in the order in which they were added. */
  results(rows: readonly Told[]): unknown[] {
    const found = this.parts.map((): Record<string, unknown>[] => []);
    for (const { part, told } of rows) {
      const values = (JSON.parse(told) as unknown[][]).flat();
      found[part]?.push((this.parts[part] as Part).read(values));
    }
    return this.added.map((one) => found['part' in one ? one.part : (this.partOfShared.get(one.key) as number)]);
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
  const results = ([rows]: readonly unknown[]) => all.results(rows as Told[]);
  return {
    ...planned,
    statements: [statement],
    tell: (given: readonly unknown[]) => planned.tell(results(given)),
    lastPlace: (given: readonly unknown[]) => planned.lastPlace?.(results(given)),
  };
}
