// One query of the graph is many requests in this isolate. They share a database session: what all of them wait for is sent in one round trip, and
// what one has read is not read again for another.

import type { Meter } from './open';

/** A statement that was prepared by one of the requests. */
class SharedStatement {
  constructor(
    readonly text: string,
    readonly values: readonly unknown[] = [],
  ) {}
  bind(...values: unknown[]) {
    return new SharedStatement(this.text, values);
  }
  get key(): string {
    return `${this.text}\n${JSON.stringify(this.values)}`;
  }
}

interface Waiting {
  readonly owner: object;
  readonly statements: readonly SharedStatement[];
  resolve(results: D1Result[]): void;
  reject(error: unknown): void;
}

/** A request that takes part, with its view of the database. */
export interface TripParticipant {
  readonly DB: D1Database;
  /** Called when its response is complete. */
  end(): void;
}

/** D1 executes the statements of a batch one after another, while others wait. */
const mostInBatch = 200;

/** Failures one after another that count as those of the database. */
const mostFailures = 3;

const isRead = ({ text }: SharedStatement): boolean =>
  /^\s*(select|with)\b/i.test(text) && !/\b(insert into|update|delete from)\b/i.test(text);
const copied = (result: D1Result): D1Result => ({ ...result, results: result.results.map((row) => ({ ...(row as object) })) });

export class SharedTrips {
  private readonly active = new Set<object>();
  private waiting: Waiting[] = [];
  private known = new Map<string, D1Result>();
  /** Counts the writes: what was read before one is not known after it. */
  private writes = 0;
  private sending = false;
  private session: D1DatabaseSession | undefined;
  /** Statements sent so far. */
  statements = 0;

  /**
   * @param meter counts what is sent
   * @param mostStatements what one query may send
   * @param refusal is thrown where it would send more
   */
  constructor(
    private readonly d1: D1Database,
    private readonly meter: Meter,
    private readonly mostStatements: number,
    private readonly refusal: () => Error,
  ) {}

  begin(): TripParticipant {
    const owner = {};
    this.active.add(owner);
    const session = {
      prepare: (text: string) => new SharedStatement(text),
      batch: (statements: SharedStatement[]) => this.batch(owner, statements),
      getBookmark: () => this.bookmark(),
    };
    return {
      DB: { withSession: () => session as object } as D1Database,
      end: () => {
        this.active.delete(owner);
        void this.sendIfAllWait();
      },
    };
  }

  /** Where a later read must start to see what was written. */
  bookmark(): string | null {
    return this.session?.getBookmark() ?? null;
  }

  private real(): D1DatabaseSession {
    this.session ??= this.d1.withSession('first-primary');
    return this.session;
  }

  private async batch(owner: object, statements: SharedStatement[]): Promise<D1Result[]> {
    // Work after a response is nobody's round trip.
    if (!this.active.has(owner)) return this.real().batch(statements.map((one) => this.prepared(one)));
    if (!statements.every(isRead)) return this.write(statements);
    const read = statements.map((statement) => this.known.get(statement.key));
    if (read.every((one) => one !== undefined)) return read.map(copied);
    const { promise, resolve, reject } = Promise.withResolvers<D1Result[]>();
    this.waiting.push({ owner, statements, resolve, reject });
    void this.sendIfAllWait();
    return promise;
  }

  private prepared({ text, values }: SharedStatement): D1PreparedStatement {
    const prepared = this.real().prepare(text);
    return values.length === 0 ? prepared : prepared.bind(...values);
  }

  /** A write is a transaction of its own, and what was read before may have changed. */
  private async write(statements: readonly SharedStatement[]): Promise<D1Result[]> {
    const forget = () => {
      this.writes += 1;
      this.known = new Map();
    };
    forget();
    try {
      return await this.send(statements);
    } finally {
      // What was read meanwhile may be older.
      forget();
    }
  }

  private async send(statements: readonly SharedStatement[]): Promise<D1Result[]> {
    this.statements += statements.length;
    if (this.isExhausted()) throw this.refusal();
    this.meter.d1_trips += 1;
    this.meter.d1_statements += statements.length;
    const results = await this.real().batch(statements.map((one) => this.prepared(one)));
    for (const { meta } of results) {
      this.meter.rows_read += meta.rows_read ?? 0;
      this.meter.rows_written += meta.rows_written ?? 0;
      this.meter.d1_ms += meta.duration ?? 0;
    }
    return results;
  }

  private isEveryoneWaiting(): boolean {
    const owners = new Set(this.waiting.map(({ owner }) => owner));
    return this.waiting.length > 0 && [...this.active].every((owner) => owners.has(owner));
  }

  private async sendIfAllWait(): Promise<void> {
    if (this.sending || !this.isEveryoneWaiting()) return;
    this.sending = true;
    const sent = this.waiting;
    this.waiting = [];
    try {
      await this.readTogether(sent);
    } finally {
      this.sending = false;
    }
    void this.sendIfAllWait();
  }

  /** Sends what is not known of these, in as few batches as possible. */
  private async find(sent: readonly Waiting[]): Promise<ReadonlyMap<string, D1Result>> {
    const wanted = new Map(sent.flatMap(({ statements }) => statements.map((one) => [one.key, one] as const)));
    const found = new Map([...wanted.keys()].flatMap((key) => (this.known.has(key) ? [[key, this.known.get(key) as D1Result]] : [])));
    const unread = [...wanted].filter(([key]) => !found.has(key));
    const { writes } = this;
    for (let at = 0; at < unread.length; at += mostInBatch) {
      const part = unread.slice(at, at + mostInBatch);
      const results = await this.send(part.map(([, one]) => one));
      for (const [nth, [key]] of part.entries()) {
        found.set(key, results[nth] as D1Result);
        if (writes === this.writes) this.known.set(key, results[nth] as D1Result);
      }
    }
    return found;
  }

  private async readTogether(sent: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.find(sent);
      for (const { statements, resolve } of sent) resolve(statements.map(({ key }) => copied(found.get(key) as D1Result)));
    } catch (error) {
      if (sent.length === 1 || this.isExhausted()) for (const { reject } of sent) reject(error);
      else await this.readApart(sent);
    }
  }

  /** A batch fails as a whole, so each request is asked by itself for what it waits for. Where the database fails, not all of them are tried. */
  private async readApart(sent: readonly Waiting[]): Promise<void> {
    let failed = 0;
    let last: unknown;
    for (const one of sent) {
      if (failed >= mostFailures || this.isExhausted()) {
        one.reject(last ?? this.refusal());
        continue;
      }
      try {
        const found = await this.find([one]);
        one.resolve(one.statements.map(({ key }) => copied(found.get(key) as D1Result)));
        failed = 0;
      } catch (error) {
        [failed, last] = [failed + 1, error];
        one.reject(error);
      }
    }
  }

  private isExhausted(): boolean {
    return this.statements > this.mostStatements;
  }
}
