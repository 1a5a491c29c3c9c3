// Statements that ask for the same page, as one: the page is read once, however much belongs to it.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from './open';
import { groupsOf, united } from './united';

/** What drizzle knows of a statement; of a raw one it knows no columns. */
interface Built {
  getSQL(): SQL;
  _prepare(): { readonly fields?: readonly { readonly path: readonly string[] }[]; mapResult(result: unknown, isFromBatch: true): unknown };
}

const columnsOfRaw = new WeakMap<object, readonly string[]>();

/** A raw statement with the names of its columns, so that it can be read together with others. */
export function named<S extends Statement>(statement: S, columns: readonly string[]): S {
  columnsOfRaw.set(statement, columns);
  return statement;
}

interface Part {
  readonly name: string;
  readonly text: SQL;
  readonly columns: readonly string[] | undefined;
  tell(rows: readonly Record<string, unknown>[]): unknown;
}

function partOf(statement: Statement, at: number): Part {
  const built = statement as unknown as Built;
  const name = `part_${at}`;
  const columns = columnsOfRaw.get(statement);
  if (columns) return { name, text: built.getSQL(), columns, tell: (rows) => rows };
  const prepared = built._prepare();
  return {
    name,
    text: built.getSQL(),
    columns: prepared.fields?.map(({ path }) => path.join('.')),
    tell: (results) => prepared.mapResult({ results }, true),
  };
}

/** Functions take at most 32 arguments. */
const atOnce = 32;

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`);

/** The rows of a part are materialized: what SQLite knows to be JSON is a text from there on, as D1 would answer it. */
const tableOf = ({ name, text, columns = [] }: Part) => sql`${sql.raw(`${name}(${quoted(columns).join(', ')})`)} as materialized (${text})`;

const toldOf = ({ name, columns = [] }: Part, at: number) => {
  const groups = groupsOf(quoted(columns), atOnce).map((group) => `json_array(${group.join(', ')})`);
  return sql.raw(`select ${at} as part, json_array(${groups.join(', ')}) as told from ${name}`);
};

/** What D1 takes in one statement. */
const mostParameters = 100;
const mostBytes = 100_000;

interface Told {
  readonly part: number;
  /** JSON. */
  readonly told: string;
}

export class Together {
  private readonly parts: Part[] = [];
  constructor(private readonly db: Database) {}

  /** @returns what the statement has read, as a table for those that follow; its columns are called as in the statement's results */
  add(statement: Statement): SQL {
    const part = partOf(statement, this.parts.length);
    this.parts.push(part);
    return sql.raw(part.name);
  }

  /** All of them as one; nothing where one does not tell its columns, or where D1 would not take it. */
  statement(): Statement | undefined {
    if (this.parts.some(({ columns }) => !columns)) return undefined;
    const whole = this.db.build.all<Told>(sql`with ${sql.join(this.parts.map(tableOf), sql`, `)} ${united(this.parts.map(toldOf))}`);
    const { sql: text, params } = whole.getQuery();
    return params.length <= mostParameters && new TextEncoder().encode(text).length <= mostBytes ? whole : undefined;
  }

  /** The results of the statements, in their order. */
  results(rows: readonly Told[]): unknown[] {
    const found = this.parts.map((): Record<string, unknown>[] => []);
    for (const { part, told } of rows) {
      const columns = this.parts[part]?.columns ?? [];
      const values = (JSON.parse(told) as unknown[][]).flat();
      found[part]?.push(Object.fromEntries(columns.map((column, at) => [column, values[at]])));
    }
    return this.parts.map((part, at) => part.tell(found[at] ?? []));
  }
}

/**
 * Makes one statement of those of a plan.
 * @param plan puts each of its statements in, in their order, where it is given something to put them into
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
