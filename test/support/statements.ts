// Collects every statement that the Worker sends in these tests, once each: requests, queue jobs, scheduled work and Durable Objects all open
// sessions.

import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';

export interface SentStatement {
  readonly statement: string;
  readonly params: readonly unknown[];
}

interface Session {
  batch(statements: readonly SentStatement[]): Promise<unknown>;
}

/** Ids and times are literals in statements: two that differ only in them have the same plan. */
const alike = (statement: string) =>
  statement
    .replace(/'\d{4}-\d\d-\d\d[^']*'/g, "''")
    .replace(/'([a-z_]+)_\d+'/g, "'$1_0'")
    .replace(/\b\d+\b/g, '0')
    .replace(/(\?,\s*)+\?/g, '?');

/** The statements not examined yet, by their common form. */
const waiting = new Map<string, SentStatement>();
const known = new Set<string>();
/** Texts that need no second look. */
const examined = new Set<string>();
const isNoted = new WeakSet<object>();
/** All statements, in order, while `sentDuring` records them. */
let all: SentStatement[] | undefined;

/** What is left of a predicate, a column, a function or a missing value that a plain template string has converted to text. */
const converted = /\[object \w+\]|=>|\bundefined\b|\bNaN\b/;
/** Tests send this as a text of a client, and it is stored. */
const isClientText = (param: unknown) => param === '[object Object]';
const isConverted = (param: unknown) => typeof param === 'string' && param.includes('[object ') && !isClientText(param);

const conversionInParams = (params: readonly unknown[]) => (params.some(isConverted) ? 'has [object …] in a parameter' : undefined);

/** Why a statement was built by a plain template string instead of `sql`; undefined if it was not. */
export function conversionIn({ statement, params }: SentStatement): string | undefined {
  const [found] = converted.exec(statement) ?? [];
  return found ? `has ${found} in its text` : conversionInParams(params);
}

const conversions = new Set<string>();

/** The statements with a value converted to text that were sent since the last call. */
export function newConversions(): readonly string[] {
  const found = [...conversions];
  conversions.clear();
  return found;
}

/** A text without what may be literal: limits, conditions that always or never hold, and how many parameters a list has. */
const shapeOf = (statement: string) =>
  statement
    .replace(/\b(limit|offset|then) \d+/g, '$1 0')
    .replace(/\b1\b/g, '0')
    .replace(/\?\d+/g, '?')
    .replace(/(\?,\s*)+\?/g, '?');

const shapes = new Map<string, string>();
const valued = new Map<string, string>();

/** The texts that contain a value, with what another text has there. */
export function newValuesInTexts(): readonly string[] {
  const found = [...valued.values()];
  valued.clear();
  return found;
}

/** Remembers a text that is like an earlier one, but for a value. */
function compareShapes(key: string, statement: string): void {
  const shape = shapeOf(statement);
  const before = shapes.get(key) ?? shape;
  shapes.set(key, before);
  if (before === shape) return;
  let at = 0;
  while (before[at] === shape[at]) at++;
  valued.set(key, `${shape.slice(0, 60)}…${shape.slice(Math.max(0, at - 60), at + 30)} | ${before.slice(at, at + 30)}`);
}

function examine(sent: SentStatement): void {
  const { statement, params } = sent;
  const isNew = !examined.has(statement);
  const why = isNew ? conversionIn(sent) : conversionInParams(params);
  if (why) conversions.add(`${why}: ${statement}`);
  if (!isNew) return;
  examined.add(statement);
  const key = alike(statement);
  compareShapes(key, statement);
  if (!known.has(key)) waiting.set(key, { statement, params });
  known.add(key);
}

/** Records what sessions of this runtime send from now on. Writes by the tests themselves do not use a session. */
export function noteStatements(d1: D1Database): void {
  const prototype = Object.getPrototypeOf(d1) as D1Database;
  if (isNoted.has(prototype)) return;
  isNoted.add(prototype);
  const plain = prototype.withSession;
  prototype.withSession = function (this: D1Database, ...start) {
    const session = plain.apply(this, start);
    const send = (session as unknown as Session).batch;
    (session as unknown as Session).batch = (statements) => {
      for (const { statement, params } of statements) {
        all?.push({ statement, params });
        examine({ statement, params });
      }
      return send.call(session, statements);
    };
    return session;
  };
}

/** The statements sent for the first time since the last call. */
export function newStatements(): readonly SentStatement[] {
  const found = [...waiting.values()];
  waiting.clear();
  return found;
}

/** Every statement that is sent while the work runs. */
export async function sentDuring(work: () => Promise<unknown>): Promise<readonly SentStatement[]> {
  const sent: SentStatement[] = [];
  all = sent;
  try {
    await work();
  } finally {
    all = undefined;
  }
  return sent;
}

const atOnce = 50;

/** D1's query plans of the statements. */
export async function explained<Row>(
  d1: D1Database,
  how: 'explain' | 'explain query plan',
  sent: readonly SentStatement[],
): Promise<Row[][]> {
  const plans: Row[][] = [];
  for (let at = 0; at < sent.length; at += atOnce) {
    const some: D1PreparedStatement[] = sent
      .slice(at, at + atOnce)
      .map(({ statement, params }) => d1.prepare(`${how} ${statement}`).bind(...params));
    for (const { results } of await d1.batch<Row>(some)) plans.push(results);
  }
  return plans;
}
