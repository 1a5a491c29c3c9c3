// The database as handlers see it: drizzle over a D1 session, with every round trip counted.

import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { KnownTexts } from './known_texts';
import { readerOf, type SelectedField } from './read_rows';
import { numberParameters } from './shared';
import { type PlainSelection, writeSelection } from './write_selection';
import { type Written, withoutLineBreaks, writeSql } from './write_sql';

/** The cost of a request so far; tests check the budgets of `Server-Timing` against it. */
export interface Meter {
  d1_trips: number;
  /** Statements in all trips. */
  d1_statements: number;
  rows_read: number;
  rows_written: number;
  object_calls: number;
  r2_calls: number;
  /** Milliseconds spent on statements in the database. */
  d1_ms: number;
  /** In tests: names in the statements that may be tables. */
  named?: Set<string>;
}

export const newMeter = (): Meter => ({
  d1_trips: 0,
  d1_statements: 0,
  rows_read: 0,
  rows_written: 0,
  object_calls: 0,
  r2_calls: 0,
  d1_ms: 0,
});

/** The cost of work after responses, since this isolate started: no request's meter counts it. */
export const afterResponses: Meter = newMeter();

/** A statement that is built but not sent yet. */
export type Statement = BatchItem<'sqlite'>;
export type ResultOf<S> = S extends PromiseLike<infer R> ? R : never;

/** The results of a batch, in order. */
export type ResultsOf<S extends readonly unknown[]> = { [K in keyof S]: ResultOf<S[K]> };

type Drizzle = DrizzleD1Database<Record<string, never>>;

export interface Database {
  /** Builds statements; `perform` sends them. */
  readonly build: Drizzle;
  /** A statement that was built before, with the values of this request. Its result are the rows. */
  again<Rows>(text: string, values: readonly unknown[]): Statement & PromiseLike<Rows>;
  /** One round trip and one transaction: all statements or none. */
  perform<const S extends readonly Statement[]>(statements: S): Promise<ResultsOf<S>>;
  /** The same database for work outside of the request, which its meter must not count. */
  readonly aside: Database;
  /** The bookmark of this session, for later reads that must see its writes. */
  bookmark(): string | null;
  /** Continues from the bookmark of another session: a Durable Object has written for this request. */
  continueFrom(bookmark: string): void;
}

interface Session {
  prepare(query: string): D1PreparedStatement;
  batch(statements: D1PreparedStatement[]): Promise<D1Result[]>;
  getBookmark?(): string | null;
}

/** D1 returns rows by column name, so two columns of the same name would silently become one. Computed columns come last and have aliases. */
function twinIn(query: string): { readonly name?: string } {
  const chosen = /^select ([^(]*?)(?: from |\()/i.exec(query)?.[1];
  if (!chosen || !/ join /i.test(query)) return {};
  const names = [...chosen.matchAll(/"[^"]+"\."([^"]+)"(?=,|$)/g)].map((match) => match[1]);
  return { name: names.find((name, at) => names.indexOf(name) !== at) };
}

const twins = new KnownTexts(twinIn);

function refuseTwins(query: string): string {
  const { name } = twins.of(query);
  if (name) throw new Error(`two selected columns are named ${name}; give one an alias`);
  return query;
}

const namesIn = new Map<string, readonly string[]>();

/** Names at positions where a table may be, and possibly others. */
function tablesIn(query: string): readonly string[] {
  const known = namesIn.get(query);
  if (known) return known;
  const names = [...new Set([...query.matchAll(/(?:\b(?:from|join|into|update|in)|,)\s+"?([a-z_]+)/gi)].map(([, name]) => name as string))];
  namesIn.set(query, names);
  return names;
}

class MeteredStatement {
  constructor(
    private readonly session: MeteredSession,
    private readonly query: string,
    private readonly given: readonly unknown[] = [],
  ) {}
  bind(...given: unknown[]) {
    return new MeteredStatement(this.session, this.query, given);
  }
  /** The statement as D1 receives it. */
  prepared(session: Session): D1PreparedStatement {
    const { text, values } = numberParameters(this.query, this.given);
    const prepared = session.prepare(text);
    return values.length === 0 ? prepared : prepared.bind(...values);
  }
  async all() {
    return (await this.session.batch([this]))[0] as D1Result;
  }
  run() {
    return this.all();
  }
  async raw() {
    return (await this.all()).results.map((row) => Object.values(row as object));
  }
}

class MeteredSession {
  constructor(
    public session: Session,
    private readonly meter: Meter,
  ) {}
  prepare(query: string) {
    if (this.meter.named) for (const name of tablesIn(query)) this.meter.named.add(name);
    return new MeteredStatement(this, refuseTwins(query));
  }
  async batch(statements: MeteredStatement[]): Promise<D1Result[]> {
    this.meter.d1_trips += 1;
    this.meter.d1_statements += statements.length;
    const results = await this.session.batch(statements.map((statement) => statement.prepared(this.session)));
    for (const { meta } of results) {
      this.meter.rows_read += meta.rows_read ?? 0;
      this.meter.rows_written += meta.rows_written ?? 0;
      this.meter.d1_ms += meta.duration ?? 0;
    }
    return results;
  }
}

/** A statement as drizzle prepares it. */
interface Prepared {
  getQuery(): Written;
  mapResult(result: unknown, isFromBatch: true): unknown;
  /** The columns of a select, or of what a write returns. */
  readonly fields?: readonly SelectedField[];
  readonly executeMethod?: string;
}

interface Dialect {
  sqlToQuery(query: SQL): Written;
  buildSelection: PlainSelection;
  /** The names of columns, which do not depend on the request. */
  casing: unknown;
}

let casing: unknown;

/** Writes with `writeSql` and `writeSelection`. In tests every new text is compared with what drizzle would have written. */
function withOwnWriter(build: Drizzle, meter: Meter): Drizzle {
  const { dialect } = build as unknown as { dialect: Dialect };
  casing ??= dialect.casing;
  dialect.casing = casing;
  const plain = dialect.sqlToQuery.bind(dialect);
  const plainSelection = dialect.buildSelection.bind(dialect);
  dialect.buildSelection = (fields, options) => {
    const written = writeSelection(fields, options, plainSelection, (list) => plain(list).sql);
    if (meter.named) compareSelection(written, () => plainSelection(fields, options), plain);
    return written;
  };
  dialect.sqlToQuery = (query) => {
    const written = writeSql(query, plain);
    if (meter.named && !compared.has(written.sql)) {
      compared.add(written.sql);
      const { sql, params } = plain(query);
      const asOne = (text: string, values: unknown[]) => JSON.stringify([withoutLineBreaks(text), values]);
      if (asOne(sql, params) !== asOne(written.sql, written.params)) throw new Error(`drizzle writes this as ${sql}`);
    }
    return written;
  };
  return build;
}

/** Texts that are equal to drizzle's. */
const compared = new Set<string>();
const comparedSelections = new Set<string>();

/** @throws Error when drizzle's own list has another text */
function compareSelection(written: SQL, plainly: () => SQL, plain: (query: SQL) => Written): void {
  const { sql } = writeSql(written, plain);
  if (comparedSelections.has(sql)) return;
  const [ours, theirs] = [written, plainly()].map((list) => JSON.stringify(plain(list)));
  if (ours !== theirs) throw new Error(`drizzle selects ${theirs}`);
  comparedSelections.add(sql);
}

/** Drizzle writes a raw statement again each time it is asked for its text. */
function withRaw(build: Drizzle): Drizzle {
  for (const name of ['all', 'run', 'get'] as const) {
    const plain = build[name].bind(build) as (query: SQLWrapper) => Prepared;
    const prepared = (query: SQLWrapper) => {
      const raw = plain(query);
      const write = raw.getQuery.bind(raw);
      let written: Written | undefined;
      return Object.assign(raw, { getQuery: () => (written ??= write()) });
    };
    Object.assign(build, { [name]: prepared });
  }
  return build;
}

const preparedOf = (statement: Statement): Prepared => (statement as unknown as { _prepare(): Prepared })._prepare();

function resultOf(prepared: Prepared, result: D1Result): unknown {
  const read = prepared.fields && prepared.executeMethod === 'all' ? readerOf(prepared.fields) : undefined;
  return read ? result.results.map((row) => read(Object.values(row as object))) : prepared.mapResult(result, true);
}

/** @param start a bookmark, `first-primary` or `first-unconstrained` */
export function open(d1: D1Database, meter: Meter, start: string): Database {
  const sessionFrom = (bookmark: string) => (d1.withSession ? d1.withSession(bookmark) : d1) as Session;
  const metered = new MeteredSession(sessionFrom(start), meter);
  const build = withRaw(withOwnWriter(drizzle(metered as unknown as D1Database) as Drizzle, meter));
  return {
    build,
    again: <Rows>(text: string, values: readonly unknown[]) => {
      const prepared = { getQuery: () => ({ sql: text, params: values }), mapResult: ({ results }: D1Result) => results };
      return { _prepare: () => prepared } as unknown as Statement & PromiseLike<Rows>;
    },
    perform: async <const S extends readonly Statement[]>(statements: S) => {
      const prepared = statements.map(preparedOf);
      const sent = prepared.map((one) => {
        const { sql, params } = one.getQuery();
        return metered.prepare(sql).bind(...params);
      });
      const results = sent.length === 0 ? [] : await metered.batch(sent);
      return results.map((result, nth) => resultOf(prepared[nth] as Prepared, result)) as { [K in keyof S]: ResultOf<S[K]> };
    },
    bookmark: () => metered.session.getBookmark?.() ?? null,
    get aside() {
      return open(d1, afterResponses, metered.session.getBookmark?.() ?? 'first-primary');
    },
    continueFrom(bookmark) {
      metered.session = sessionFrom(bookmark);
    },
  };
}
