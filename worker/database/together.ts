// Combines statements about the same page into one, so that the page is read only once.

import { Column, is, SQL, Subquery, sql } from 'drizzle-orm';
import type { Database, Statement } from './open';
import { type RowValues, readerOf, type SelectedField } from './read_rows';
import { numberParameters } from './shared';
import { inGroupsOf, united } from './united';

/** A select as drizzle builds it. */
interface Built {
  getSQL(): SQL;
  readonly config: { readonly fields: Readonly<Record<string, unknown>> };
}

/** The columns of a select; undefined when they are unknown or nested. */
function fieldsOf({ config }: Built): SelectedField[] | undefined {
  const fields = Object.entries(config.fields ?? {}).map(([name, field]) => ({ path: [name], field }));
  const isColumn = ({ field }: SelectedField) => is(field, Column) || is(field, SQL) || is(field, SQL.Aliased) || is(field, Subquery);
  return fields.length > 0 && fields.every(isColumn) ? fields : undefined;
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

interface Part {
  readonly name: string;
  readonly text: SQL;
  /** Their names in SQL. */
  readonly columns: readonly string[] | undefined;
  read(values: RowValues): Record<string, unknown>;
}

/** The following parts use only the ids of a part, and the columns of a raw source: all others have short names, because the text is limited. */
const shortName = (nth: number) => `c${nth.toString(36)}`;

function partOf(statement: Statement, at: number, isSource: boolean): Part {
  const built = statement as unknown as Built;
  const name = `p${at}`;
  const text = built.getSQL();
  const given = columnsOfRaw.get(statement);
  if (given)
    return {
      name,
      text,
      columns: given.map((column, nth) => (isSource ? `"${column}"` : shortName(nth))),
      read: (values) => Object.fromEntries(given.map((column, nth) => [column, values[nth]])),
    };
  const fields = fieldsOf(built);
  const read = fields && readerOf(fields);
  if (!read) return { name, text, columns: undefined, read: () => ({}) };
  return { name, text, columns: fields.map(({ path }, nth) => (path[0] === 'id' ? 'id' : shortName(nth))), read };
}

/** SQLite functions take at most 32 arguments. */
const atOnce = 32;

/** Materialised, because SQLite then treats JSON values as text, as D1 would return them. */
const tableOf = ({ name, text, columns = [] }: Part) => sql`${sql.raw(`${name}(${columns.join(', ')})`)} as materialized (${text})`;

const toldOf = ({ name, columns = [] }: Part, at: number) => {
  const groups = inGroupsOf(columns, atOnce).map((group) => `json_array(${group.join(', ')})`);
  const told = groups.length === 1 ? groups[0] : `json_array(${groups.join(', ')})`;
  // The first select names the columns of a union.
  return sql.raw(at === 0 ? `select 0 as part, ${told} as told from ${name}` : `select ${at}, ${told} from ${name}`);
};

/** D1's limit per statement. */
const mostParameters = 100;
const mostBytes = 100_000;

interface Told {
  readonly part: number;
  /** JSON. */
  readonly told: string;
}

/** A statement as it was added: a part of its own, one that it shares with others, or one that stays apart. */
type Added = { readonly part: number } | { readonly key: string } | { readonly apart: number };

export class Together {
  private readonly parts: Part[] = [];
  private readonly added: Added[] = [];
  /** The statements that are sent beside the combined one. */
  readonly apart: Statement[] = [];
  private readonly shared = new Map<string, { readonly sharing: Sharing; readonly shares: SQL[] }>();
  private readonly partOfShared = new Map<string, number>();
  constructor(private readonly db: Database) {}

  /**
   * Adds a statement whose rows the following ones use.
   * @returns its rows as a table: with the columns of a raw statement, or with the id
   */
  source(statement: Statement): SQL {
    this.added.push({ part: this.parts.length });
    return sql.raw(this.append(statement, true).name);
  }

  add(statement: Statement): void {
    const sharing = sharingOf.get(statement);
    if (!sharing) {
      this.added.push({ part: this.parts.length });
      this.append(statement, false);
      return;
    }
    const { key, share } = sharing;
    const known = this.shared.get(key);
    if (known) known.shares.push(share);
    else this.shared.set(key, { sharing, shares: [share] });
    this.added.push({ key });
  }

  /** Adds a statement that does not use the rows of others, and would only make the combined one larger. */
  addApart(statement: Statement): void {
    this.added.push({ apart: this.apart.length });
    this.apart.push(statement);
  }

  private append(statement: Statement, isSource: boolean): Part {
    const part = partOf(statement, this.parts.length, isSource);
    this.parts.push(part);
    return part;
  }

  /** The combined statement, once all have been added; undefined when column names are unknown, or a limit of D1 is exceeded. */
  statement(): Statement | undefined {
    for (const [key, { sharing, shares }] of this.shared) {
      this.partOfShared.set(key, this.parts.length);
      this.append(sharing.whole(united(shares)), false);
    }
    if (this.parts.some(({ columns }) => !columns)) return undefined;
    const whole = this.db.build.all<Told>(sql`with ${sql.join(this.parts.map(tableOf), sql`, `)} ${united(this.parts.map(toldOf))}`);
    const { sql: text, params } = whole.getQuery();
    // A character has at most three bytes in UTF-8.
    const isShort = text.length * 3 <= mostBytes || new TextEncoder().encode(text).length <= mostBytes;
    return isShort && numberParameters(text, params).values.length <= mostParameters ? whole : undefined;
  }

  /** The rows of the statements, in the order in which they were added. @param apart the results of those that were sent beside */
  results(rows: readonly Told[], apart: readonly unknown[]): unknown[] {
    const found = this.parts.map((): Record<string, unknown>[] => []);
    for (const { part, told } of rows) {
      // Values are no arrays, so that this leaves a single group as it is.
      const values = (JSON.parse(told) as unknown[]).flat();
      found[part]?.push((this.parts[part] as Part).read(values));
    }
    return this.added.map((one) =>
      'apart' in one ? apart[one.apart] : found['part' in one ? one.part : (this.partOfShared.get(one.key) as number)],
    );
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
  const results = ([rows, ...apart]: readonly unknown[]) => all.results(rows as Told[], apart);
  return {
    ...planned,
    statements: [statement, ...all.apart],
    tell: (given: readonly unknown[]) => planned.tell(results(given)),
    lastPlace: (given: readonly unknown[]) => planned.lastPlace?.(results(given)),
  };
}
