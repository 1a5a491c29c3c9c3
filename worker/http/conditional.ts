// Conditional writes (RFC 9110 §13.1), as pure rules and as SQL.

import { and, eq, getTableName, not, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Statement } from '../database/open';
import type { Call } from './call';
import type { Listing } from './listing';
import type { Conditional } from './operation';
import { found, Problem, refused } from './problem';
import type { Refusals } from './reply';
import { type AnySerializer, planListing } from './serializer';

type Version = number | string;

/** `*`: any version, but the resource must exist. */
type Tags<V extends Version> = '*' | readonly V[];

export interface Condition<V extends Version = number> {
  readonly match?: Tags<V>;
  readonly none_match?: Tags<V>;
}

/** How a resource reads its versions from tags. */
interface Versions<V extends Version> {
  read(text: string): V;
  /** Matches no version. */
  readonly unknown: V;
}
const numbers: Versions<number> = {
  read: (text) => (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : -1),
  unknown: -1,
};
const texts: Versions<string> = { read: (text) => text, unknown: '' };

const mostTags = 20;
const tag = /^(W\/)?"([\x21\x23-\x7e]*)"$/;

/** @throws Problem 400 for anything but `*` or quoted tags */
function tagsOf<V extends Version>(name: string, given: string, isWeak: boolean, { read, unknown }: Versions<V>): Tags<V> {
  if (given.trim() === '*') return '*';
  const parts = given.split(',').map((part) => tag.exec(part.trim()));
  if (parts.length > mostTags || parts.includes(null)) throw refused(400, `${name} is not * or a list of quoted versions`);
  return parts.map((part) => {
    const [, weak, text = ''] = part as RegExpExecArray;
    return isWeak || !weak ? read(text) : unknown;
  });
}

/** The call of an endpoint that declares `conditional`. */
export type ConditionalCall = Pick<Call, 'request'> & { readonly conditional: Conditional };

function readCondition<V extends Version>({ request: { headers } }: ConditionalCall, versions: Versions<V>): Condition<V> | undefined {
  const match = headers.get('if-match');
  const noneMatch = headers.get('if-none-match');
  if (match === null && noneMatch === null) return undefined;
  return {
    ...(match !== null && { match: tagsOf('If-Match', match, false, versions) }),
    ...(noneMatch !== null && { none_match: tagsOf('If-None-Match', noneMatch, true, versions) }),
  };
}

/** Parses `If-Match` and `If-None-Match`. @throws Problem 400 for a malformed header */
export const conditionOf = (call: ConditionalCall): Condition | undefined => readCondition(call, numbers);

/** The same for a resource whose versions are texts. */
export const textConditionOf = (call: ConditionalCall): Condition<string> | undefined => readCondition(call, texts);

const isNamed = <V extends Version>(tags: Tags<V>, version: V) => tags === '*' || tags.includes(version);

/** @param version of the existing resource, if any */
export const isMet = <V extends Version>({ match, none_match }: Condition<V>, version: V | undefined): boolean =>
  (match === undefined || (version !== undefined && isNamed(match, version))) &&
  (none_match === undefined || version === undefined || !isNamed(none_match, version));

const isNamedIn = (tags: Tags<Version>, version: SQL): SQL =>
  tags === '*' ? sql`${version} is not null` : sql`coalesce(${version} in (select value from json_each(${JSON.stringify(tags)})), 0)`;

/** The same in SQL, 1 or 0. @param version an expression that is null when the resource does not exist */
export const isMetBy = ({ match, none_match }: Condition<Version>, version: SQL): SQL =>
  sql`(${match === undefined ? sql`1` : isNamedIn(match, version)} and not ${none_match === undefined ? sql`0` : isNamedIn(none_match, version)})`;

const words = 'the precondition failed';

/** The body of a 412. @param copy the file with the bytes that were sent */
export const failedPrecondition = (current: object | undefined, copy?: object) => ({
  message: words,
  current: current ?? null,
  copy: copy ?? null,
});

/** The current resource for the 412 response. @throws Problem 404 when it does not exist */
export async function refusedBy(call: Call, of: AnySerializer, listing: Listing): Promise<Problem> {
  const plan = planListing(of, { ...listing, limit: 1 }, call);
  const [current] = plan.tell(await call.db.perform(plan.statements));
  return new Problem(412, failedPrecondition(found(current).json as object));
}

type Versioned = SQLiteTable & { readonly id: SQLiteColumn; readonly version: SQLiteColumn; readonly workflow_state: SQLiteColumn };

export interface Precondition {
  /** Breaks the batch when the row has another version. */
  readonly guard: readonly Statement[];
  /** The response when the guard has broken the batch. */
  readonly refusals: Refusals;
  /** @throws Problem 412 for a row that was read with another version */
  check(row: { readonly version: number }): Promise<void>;
}

/**
 * The precondition of a row's update; empty for an unconditional request.
 * @param alive the `workflow_state` of a live row
 * @param refusal reads the current row for the 412 response
 */
export function preconditionOf(
  call: ConditionalCall & Pick<Call, 'db'> & { readonly id: number },
  table: Versioned,
  alive: string,
  refusal: () => Promise<Problem>,
): Precondition {
  const { db, id } = call;
  const condition = conditionOf(call);
  if (!condition) return { guard: [], refusals: {}, check: async () => {} };
  const isAsBelieved = and(eq(table.workflow_state, alive), isMetBy(condition, sql`${table.version}`)) as SQL;
  return {
    guard: [
      db.build
        .update(table)
        .set({ version: sql`null` })
        .where(and(eq(table.id, id), not(isAsBelieved))),
    ],
    refusals: { [`${getTableName(table)}.version`]: refusal },
    async check({ version }) {
      if (!isMet(condition, version)) throw await refusal();
    },
  };
}
