// Carrel with a recording database: the statements of a request, trip by trip, and the rows that each read.

import carrel from '../../../worker/index';
import type { Platform } from '../../../worker/platform';

export * from '../../../worker/index';

export interface Recorded {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly rows_read: number;
  readonly rows_written: number;
  /** How many rows came back, and their size as JSON. */
  readonly rows: number;
  readonly bytes: number;
}

/** The trips of the last request; requests are sequential. */
let trips: Recorded[][] = [];

class Statement {
  constructor(
    readonly inner: D1PreparedStatement,
    readonly sql: string,
    readonly params: readonly unknown[] = [],
  ) {}
  bind(...params: unknown[]) {
    return new Statement(this.inner.bind(...params), this.sql, params);
  }
}

const recorded = (sql: string, params: readonly unknown[], result: D1Result | undefined): Recorded => ({
  sql,
  params,
  rows_read: result?.meta.rows_read ?? 0,
  rows_written: result?.meta.rows_written ?? 0,
  rows: result?.results.length ?? 0,
  bytes: new TextEncoder().encode(JSON.stringify(result?.results ?? [])).length,
});

interface Source {
  prepare(sql: string): D1PreparedStatement;
  batch(statements: D1PreparedStatement[]): Promise<D1Result[]>;
}

const through = (source: Source) => ({
  prepare: (sql: string) => new Statement(source.prepare(sql), sql),
  async batch(statements: Statement[]) {
    const results = await source.batch(statements.map(({ inner }) => inner));
    trips.push(statements.map(({ sql, params }, at) => recorded(sql, params, results[at])));
    return results;
  },
});

/** Only the methods that `database/open.ts` uses. */
const seenThrough = (d1: D1Database): D1Database =>
  ({
    withSession(start: string) {
      const session = d1.withSession(start);
      return { ...through(session), getBookmark: () => session.getBookmark() };
    },
    prepare: (sql: string) => d1.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => d1.batch(statements),
  }) as unknown as D1Database;

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === '/bench/trips') return Response.json(trips);
    if (pathname === '/bench/plan') {
      const { sql, params } = await request.json<Recorded>();
      const { results } = await env.DB.prepare(`explain query plan ${sql}`)
        .bind(...params)
        .all();
      return Response.json(results);
    }
    trips = [];
    return carrel.fetch(request, { ...env, DB: seenThrough(env.DB) }, context);
  },
} satisfies ExportedHandler<Platform>;
