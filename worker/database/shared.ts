// Values that a statement uses several times. D1 allows 100 parameters per statement, and the text of a statement must not contain the values:
// SQLite compiles a new text, and finds a known one compiled.

import { type SQL, sql } from 'drizzle-orm';
import { KnownTexts } from './known_texts';

/** What a shared value is: equal values of different kinds stay different parameters, so that the text does not depend on the values. */
export type SharedKind =
  | 'user'
  | 'users'
  | 'sections'
  | 'types'
  | 'accounts'
  | 'course'
  | 'account'
  | 'group'
  | 'item'
  | 'time'
  | 'start'
  | 'end'
  | 'term'
  | 'periods'
  | 'slug'
  | `mark_${number}`;

/** A chunk of SQL that is one of the values of `numberParameters`. */
export class SharedValue {
  constructor(
    readonly kind: SharedKind,
    readonly value: number | string | null,
  ) {}
}

/** A value that is one parameter, however often the statement contains it. */
export const shared = (kind: SharedKind, value: number | string | null): SQL => sql`${new SharedValue(kind, value)}`;

/** The values of a page's bookmark, each as one parameter, however many kinds of item are compared with it. */
export const sharedMark = (after: readonly unknown[]): SQL[] =>
  after.map((value, nth) => (typeof value === 'string' || typeof value === 'number' ? shared(`mark_${nth}`, value) : sql`${value}`));

export interface NumberedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** String literals, quoted names and parameters. */
const marks = /'(?:[^']|'')*'|"[^"]*"|\?/g;

/** The text between the parameters. */
function splitAtParameters(query: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: mark, index } of query.matchAll(marks))
    if (mark === '?') {
      pieces.push(query.slice(from, index));
      from = index + 1;
    }
  return [...pieces, query.slice(from)];
}

/** A text depends on the shape of its statement only, so there are few, and each is searched once. */
const split = new KnownTexts(splitAtParameters);

/** Numbers the parameters of a statement, so that a shared value is sent once. */
export function numberParameters(query: string, given: readonly unknown[]): NumberedStatement {
  if (!given.some((value) => value instanceof SharedValue)) return { text: query, values: given };
  const values: unknown[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (value: unknown) => {
    if (!(value instanceof SharedValue)) return values.push(value);
    const key = `${value.kind} ${value.value}`;
    const number = numbers.get(key) ?? values.push(value.value);
    numbers.set(key, number);
    return number;
  };
  const [start = '', ...rest] = split.of(query);
  let text = start;
  for (const [nth, piece] of rest.entries()) text += `?${numberOf(given[nth])}${piece}`;
  return { text, values };
}

/** For `in (…)`: ids as one parameter. A single id is compared directly, because reading a list costs a row each time. */
export const sharedIds = (kind: SharedKind, ids: readonly number[]): SQL =>
  ids.length === 1 ? shared(kind, ids[0] as number) : sql`select value from json_each(${new SharedValue(kind, JSON.stringify(ids))})`;
