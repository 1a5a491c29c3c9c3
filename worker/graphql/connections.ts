// Relay connections over the pages of REST. A cursor names a page by its bookmark and a place in it, so that any entry can be continued from.

import { GraphQLError } from 'graphql';

/** The most entries of a page, as in REST. */
export const mostEntries = 100;

export interface PagingArgs {
  readonly after?: string | null;
  readonly before?: string | null;
  readonly first?: number | null;
  readonly last?: number | null;
}

/** The number of entries of the page with this bookmark that are before the place. */
interface CursorPlace {
  readonly page: string | null;
  readonly at: number;
}

export const writePlaceCursor = ({ page, at }: CursorPlace): string => btoa(JSON.stringify([at, page]));

/** @throws GraphQLError for a text that is no cursor */
export function readPlaceCursor(cursor: string, name: string): CursorPlace {
  try {
    const [at, page] = JSON.parse(atob(cursor)) as unknown[];
    if (Number.isInteger(at) && (at as number) >= 0 && (at as number) <= mostEntries && (page === null || typeof page === 'string'))
      return { at: at as number, page };
  } catch {
    // Refused below.
  }
  throw new GraphQLError(`${name} is not a cursor of this list`);
}

const refuseNegative = (name: string, given: number | null | undefined) => {
  if (typeof given === 'number' && given < 0) throw new GraphQLError(`${name} must not be negative`);
};

/** What to read for a connection. */
export interface Window {
  /** The bookmark to start at; null for the first page. */
  readonly page: string | null;
  readonly size: number;
  /** Entries of that page to skip. */
  readonly skip: number;
  /** The end before which entries count, in the same page. */
  readonly until: number | undefined;
}

/**
 * @param isFiltered whether entries of the page may be left out, so that more have to be read
 * @throws GraphQLError for arguments that no page can meet
 */
export function windowOf({ after, before, first, last }: PagingArgs, isFiltered = false): Window {
  refuseNegative('first', first);
  refuseNegative('last', last);
  const start = after ? readPlaceCursor(after, 'after') : undefined;
  const end = before ? readPlaceCursor(before, 'before') : undefined;
  if (start && end && start.page !== end.page) throw new GraphQLError('after and before must be cursors of the same page');
  const page = (start ?? end)?.page ?? null;
  const skip = start?.at ?? 0;
  const wanted = typeof first === 'number' && typeof last !== 'number' && !isFiltered ? skip + first : mostEntries;
  // `before` is the cursor of the entry after the last one that counts.
  const until = end && Math.max(skip, end.at - 1);
  return { page, size: Math.min(mostEntries, Math.max(1, until ?? 0, wanted)), skip, until };
}

export interface Connection<T> {
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly nodes: readonly T[];
  readonly pageInfo: {
    readonly startCursor: string | null;
    readonly endCursor: string | null;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

/**
 * @param page the entries of the page of REST; those that are undefined are left out
 * @param next the bookmark of the next page of REST
 * @throws GraphQLError for `last` in a list that continues: its end is known only once it is reached
 */
export function connectionOf<T>(
  page: readonly (T | undefined)[],
  next: string | undefined,
  window: Window,
  { first, last, before }: PagingArgs,
): Connection<T> {
  const end = window.until ?? page.length;
  if (typeof last === 'number' && !before && next !== undefined)
    throw new GraphQLError(`last needs a list of at most ${mostEntries} entries; page with first and after`);
  const within = page
    .slice(window.skip, end)
    .flatMap((node, nth): { readonly node: T; readonly at: number }[] => (node === undefined ? [] : [{ node, at: window.skip + nth }]));
  const fromStart = typeof first === 'number' ? within.slice(0, first) : within;
  const kept = typeof last === 'number' ? fromStart.slice(Math.max(0, fromStart.length - last)) : fromStart;
  const cursorAfter = (at: number) =>
    at + 1 === page.length && next !== undefined
      ? writePlaceCursor({ page: next, at: 0 })
      : writePlaceCursor({ page: window.page, at: at + 1 });
  const edges = kept.map(({ node, at }) => ({ node, cursor: cursorAfter(at) }));
  const from = kept[0]?.at ?? window.skip;
  const follows = within.some(({ at }) => at > (kept.at(-1)?.at ?? window.skip - 1)) || end < page.length;
  return {
    edges,
    nodes: kept.map(({ node }) => node),
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? (next === undefined ? null : writePlaceCursor({ page: next, at: 0 })),
      hasNextPage: follows || next !== undefined,
      hasPreviousPage: from > 0 || window.page !== null,
    },
  };
}

/** A connection over a list that is complete. */
export function connectionOfAll<T>(all: readonly T[], args: PagingArgs): Connection<T> {
  refuseNegative('first', args.first);
  refuseNegative('last', args.last);
  const start = args.after ? Number(readOffset(args.after, 'after')) : 0;
  const end = args.before ? Number(readOffset(args.before, 'before')) - 1 : all.length;
  const within = all.slice(start, Math.max(start, end)).map((node, nth) => ({ node, at: start + nth }));
  const fromStart = within.slice(0, typeof args.first === 'number' ? args.first : mostEntries);
  const kept = typeof args.last === 'number' ? fromStart.slice(Math.max(0, fromStart.length - args.last)) : fromStart;
  const edges = kept.map(({ node, at }) => ({ node, cursor: btoa(String(at + 1)) }));
  return {
    edges,
    nodes: kept.map(({ node }) => node),
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasNextPage: (kept.at(-1)?.at ?? start - 1) + 1 < all.length,
      hasPreviousPage: (kept[0]?.at ?? start) > 0,
    },
  };
}

/** @throws GraphQLError for a text that is no cursor */
function readOffset(cursor: string, name: string): number {
  let text = '';
  try {
    text = atob(cursor);
  } catch {
    // Refused below.
  }
  if (!/^\d{1,7}$/.test(text)) throw new GraphQLError(`${name} is not a cursor of this list`);
  return Number(text);
}
