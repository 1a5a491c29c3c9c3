// Trip 1 is one statement for all requests with the same kinds of credential and context. Building it takes longer than running it, so its text is
// built once per isolate, with marks where the values of a request belong.

import type { Database, Statement } from '../database/open';
import { type ContextQuery, selectContexts } from './context_query';
import { readId } from './references';

type Rows = readonly Readonly<Record<string, unknown>>[];

interface Shape {
  readonly text: string;
  /** Where each parameter comes from. */
  readonly values: readonly ((query: ContextQuery) => unknown)[];
}

/** About a hundred: one for each combination of credential and contexts. */
const shapes = new Map<string, Shape>();

const credentials = ['tokenHash', 'sessionHash', 'idempotencyKey', 'now'] as const;
const contexts = ['course_id', 'section_id', 'user_id', 'account_id', 'group_id'] as const;

/** What decides the text; undefined where the request is unusual, for example where it names contexts by SIS id. */
function shapeOf({ speaksFor, asUser, bySisId, within, path, ranks, ...query }: ContextQuery): string | undefined {
  if (speaksFor || asUser !== undefined || bySisId || Object.keys(within).length > 0) return undefined;
  const named = contexts.map((name) => {
    const given = path[name];
    if (given === undefined) return '-';
    if (name === 'user_id' && given === 'self') return 'self';
    return readId(given) === undefined ? undefined : 'id';
  });
  if (named.includes(undefined)) return undefined;
  return [...credentials.map((name) => query[name] !== undefined), ...named, ranks === true].join(' ');
}

/** Ids that no table has, so that each is recognised among the parameters. */
const markOf = (nth: number): number => Number.MAX_SAFE_INTEGER - nth;

function shapeFrom(db: Database, query: ContextQuery): Shape {
  const sources = new Map<unknown, (query: ContextQuery) => unknown>();
  const marked: Record<string, string> = {};
  for (const name of credentials)
    if (query[name] !== undefined) {
      marked[name] = `\0${name}`;
      sources.set(marked[name], (one) => one[name]);
    }
  const path: Record<string, string> = { ...query.path };
  for (const [nth, name] of contexts.entries())
    if (path[name] !== undefined && path[name] !== 'self') {
      path[name] = String(markOf(nth));
      sources.set(markOf(nth), (one) => readId(one.path[name] ?? ''));
    }
  const { sql: text, params } = selectContexts(db, { ...query, ...marked, path }).getQuery();
  return {
    text,
    values: params.map((value) => {
      if (typeof value === 'object' && value !== null) throw new Error('the statement of trip 1 has a parameter that is not a plain value');
      return sources.get(value) ?? (() => value);
    }),
  };
}

/** The statement of `selectContexts`. */
export function cachedContextQuery(db: Database, query: ContextQuery): Statement & PromiseLike<Rows> {
  const key = shapeOf(query);
  if (key === undefined) return selectContexts(db, query);
  const shape = shapes.get(key) ?? shapeFrom(db, query);
  shapes.set(key, shape);
  return db.again<Rows>(
    shape.text,
    shape.values.map((value) => value(query)),
  );
}
