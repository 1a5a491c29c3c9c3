// A double of D1 whose replicas lag: a read that asks for no bookmark sees the database as it was some commits ago. Commits are replayed into a
// second database; a bookmark is the number of a commit.

import { env } from 'cloudflare:test';

interface Sent {
  readonly sql: string;
  readonly params: readonly unknown[];
}
type Send = (this: Session, endpoint: string, sql: string | string[], params: unknown[], format: string, span: unknown) => Promise<unknown>;
interface Session {
  readonly fetcher: unknown;
  bookmarkOrConstraint: string;
  _sendOrThrow: Send;
}
interface Opened {
  readonly fetcher: unknown;
  readonly alwaysPrimarySession: Session;
  withSession(start?: string): Session;
}

const isWrite = ({ sql }: Sent) => /^\s*(insert|update|delete|replace|create|drop|alter)\b|\b(insert into|delete from)\b/i.test(sql);
const nameOf = (commit: number) => `${String(commit).padStart(8, '0')}-00000000`;
const commitOf = (start: string) => (/^\d{8}-0{8}$/.test(start) ? Number(start.slice(0, 8)) : 0);

/** How far replicas lag, in commits; undefined: this runtime has no replicas. */
let lag: number | undefined;
const commits: Sent[][] = [];
let applied = 0;
/** A request that was cancelled while it had its turn has lost it after this many milliseconds. */
const longestTurn = 5000;

/**
 * One piece of work at a time. The others ask again and again: a request that waited for another one's promise would wait for ever if that request
 * was cancelled.
 */
function turnstile() {
  let since: number | undefined;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    while (since !== undefined && Date.now() - since < longestTurn) await new Promise((resume) => setTimeout(resume, 2));
    const started = Date.now();
    since = started;
    try {
      return await work();
    } finally {
      if (since === started) since = undefined;
    }
  };
}

/** Commits are numbered in the order in which they are made. */
const inOrder = turnstile();
const replaying = turnstile();
/** What sessions have read at the replica, and at the primary. */
export const readsAt = { replica: 0, primary: 0 };

/** Log marks have a random number and the second of the commit, so a replayed commit has others. */
let marks: () => Promise<readonly (readonly unknown[])[]> = async () => [];

const catchUp = (replica: D1Database, commit: number): Promise<void> =>
  replaying(async () => {
    if (applied >= commit) return;
    while (applied < commit) {
      const statements = commits[applied] as Sent[];
      await replica.batch(statements.map(({ sql, params }) => replica.prepare(sql).bind(...params)));
      applied += 1;
    }
    const add = replica.prepare(
      'insert into log_marks (changed_at, nonce, first_seq) select ?1, ?2, ?3 where ?3 <= (select max(seq) from changes)',
    );
    await replica.batch([replica.prepare('delete from log_marks'), ...(await marks()).map((mark) => add.bind(...mark))]);
  });

const sentIn = (sql: string | string[], params: unknown[]): Sent[] =>
  Array.isArray(sql) ? sql.map((one, at) => ({ sql: one, params: params[at] as unknown[] })) : [{ sql, params }];

const noSpan = { setAttribute: () => undefined };

/** Installs the double once per runtime. From now on replicas lag; call it before anything is written. */
export async function lagBehind(count: number): Promise<void> {
  const [database, replica] = [env.DB as unknown as Opened, env.REPLICA];
  const other = (replica as unknown as Opened).withSession('first-primary');
  await replica.batch(env.SCHEMA.map((statement) => replica.prepare(statement)));
  // Their values are random.
  const facts = await env.DB.prepare('select name, value from facts').all<{ name: string; value: unknown }>();
  await replica.batch(
    facts.results.map(({ name, value }) => replica.prepare('update facts set value = ? where name = ?').bind(value, name)),
  );
  commits.length = 0;
  applied = 0;
  const isInstalled = lag !== undefined;
  lag = count;
  if (isInstalled) return;
  const prototype = Object.getPrototypeOf(database.withSession('first-primary')) as Session;
  const plain = prototype._sendOrThrow;
  const primary = database.withSession('first-primary');
  marks = async () => {
    const [{ results }] = (await plain.call(
      primary,
      '/query',
      ['select changed_at, nonce, first_seq from log_marks'],
      [[]],
      'ROWS_AND_COLUMNS',
      noSpan,
    )) as [{ results: { rows: unknown[][] } }];
    return results.rows;
  };
  prototype._sendOrThrow = async function (endpoint, sql, params, format, span) {
    const send = (to: Session) => plain.call(to, endpoint, sql, params, format, span);
    if (lag === undefined || this.fetcher === other.fetcher) return send(this);
    const sent = sentIn(sql, params);
    await catchUp(replica, commits.length - lag);
    // Statements without a session are always sent to the primary, and so are reads of what the replica does not have.
    const isSession = Object.getPrototypeOf(this) === prototype;
    const isAhead = commitOf(this.bookmarkOrConstraint) > applied;
    if (!isSession || isAhead || this.bookmarkOrConstraint === 'first-primary' || sent.some(isWrite)) {
      readsAt.primary += 1;
      return inOrder(async () => {
        const result = await send(this);
        if (sent.some(isWrite)) commits.push(sent);
        if (isSession) this.bookmarkOrConstraint = nameOf(commits.length);
        return result;
      });
    }
    readsAt.replica += 1;
    const result = await send(other);
    this.bookmarkOrConstraint = nameOf(applied);
    return result;
  };
}

/** Replicas have every commit that was made so far. */
export const replicated = (): Promise<void> => catchUp(env.REPLICA, commits.length);

/** There are no replicas any more. */
export const noLag = (): void => {
  lag = undefined;
};
