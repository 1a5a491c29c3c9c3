// Pagination and the Link header (reference 01 A5).

import type { FormTree } from '@carrel/shared/wire/form';
import { lookUp } from '@carrel/shared/wire/look_up';
import { seal, unseal } from '../database/seal';
import { notFound } from './problem';

export interface PageWanted {
  readonly per_page: number;
  /** 1-based, for numbered pages; else absent. */
  readonly number?: number;
  /** The sort values in a bookmark. */
  readonly after?: readonly unknown[];
  readonly bookmark?: string;
}

/** The last of repeated values; ignores anything but strings and numbers. */
const scalar = (value: unknown): string | undefined => {
  const one: unknown = Array.isArray(value) ? value.at(-1) : value;
  return typeof one === 'string' || typeof one === 'number' ? String(one) : undefined;
};

const prefix = 'bookmark:';
const purpose = 'bookmarks of lists';
/** Parameters that change the sort order. */
const ordering = ['sort', 'sort_by', 'order', 'order_by', 'order_direction', 'direction', 'scope', 'type', 'sort_column'];

/** The secret that seals bookmarks, and the list they belong to: its URL and order. */
export interface BookmarkSeal {
  readonly secret: string;
  readonly list: string;
}

export const sealFor = (secret: string, { pathname }: URL, tree: FormTree): BookmarkSeal => ({
  secret,
  list: JSON.stringify([pathname, ...ordering.map((name) => lookUp(tree, name) ?? null)]),
});

/** Sealed, because the caller may not be allowed to see the sort values of a row. */
export const writeBookmark = async (values: readonly unknown[], { secret, list }: BookmarkSeal): Promise<string> =>
  `${prefix}${await seal(secret, purpose, JSON.stringify(values), list)}`;

/** @throws Problem 404 for an invalid bookmark, or one of another list */
async function readBookmark(given: string, { secret, list }: BookmarkSeal): Promise<unknown[]> {
  const opened = await unseal(secret, purpose, given.slice(prefix.length), list);
  if (opened === undefined) throw notFound();
  return JSON.parse(opened) as unknown[];
}

/** @throws Problem 404 for a page that is neither a number nor a bookmark of this list */
export async function readPage(tree: FormTree, defaultSize: number, sealed: BookmarkSeal): Promise<PageWanted> {
  const size = scalar(tree.per_page);
  const per_page = size === undefined ? defaultSize : Math.min(100, Math.max(1, Math.trunc(Number(size)) || 1));
  const page = scalar(tree.page);
  if (page === undefined || page === '' || page === 'first') return { per_page };
  if (page.startsWith(prefix)) return { per_page, after: await readBookmark(page, sealed), bookmark: page };
  if (!/^-?\d{1,9}$/.test(page)) throw notFound();
  return { per_page, number: Math.max(1, Number(page)) };
}

/**
 * The sort values after which the page starts.
 * @throws Problem 404 for a bookmark of another list
 */
export function startAfter({ after }: Pick<PageWanted, 'after'>, count: number): readonly unknown[] | undefined {
  if (after && after.length !== count) throw notFound();
  return after;
}

const dropped = new Set(['page', 'per_page', 'access_token', 'api_key']);

/** Clients split the header at commas and semicolons, so these are escaped in its URLs. */
const unsplit = (pair: string) => pair.replaceAll(',', '%2C').replaceAll(';', '%3B');

interface LinkOptions {
  readonly unlinked?: readonly string[];
  readonly bookmarked?: true;
  /** Also the next page of a numbered one is linked by its bookmark. */
  readonly isNextBookmarked?: boolean;
}

/**
 * The Link header, in the order current, next, prev, first, last. The URLs contain every query parameter, because clients add none when they follow a
 * link. The first page is page 1, except in lists that Canvas pages by bookmarks: some clients read the number of the current page, and request
 * further pages by number only if it is 1.
 * @param next the bookmark of the next page; null on the last
 * @param unlinked parameters to omit
 */
export async function linkHeader(
  url: URL,
  origin: string,
  page: PageWanted,
  next: readonly unknown[] | null,
  sealed: BookmarkSeal,
  { unlinked = [], bookmarked, isNextBookmarked }: LinkOptions = {},
): Promise<string> {
  const nameOf = (pair: string) => [...new URLSearchParams(pair).keys()][0] ?? '';
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !dropped.has(nameOf(pair)) && !unlinked.includes(nameOf(pair)))
    .map(unsplit);
  const link = (to: string, rel: string) =>
    `<${origin}${url.pathname}?${[...kept, `page=${encodeURIComponent(to).replaceAll('%3A', ':')}`, `per_page=${page.per_page}`].join('&')}>; rel="${rel}"`;
  const first = bookmarked ? 'first' : '1';
  if (page.number !== undefined) {
    const at = page.number;
    return [
      link(String(at), 'current'),
      ...(next ? [link(isNextBookmarked ? await writeBookmark(next, sealed) : String(at + 1), 'next')] : []),
      ...(at > 1 ? [link(String(at - 1), 'prev')] : []),
      link(first, 'first'),
      ...(next ? [] : [link(String(at), 'last')]),
    ].join(',');
  }
  const current = page.bookmark ?? first;
  return [
    link(current, 'current'),
    ...(next ? [link(await writeBookmark(next, sealed), 'next')] : []),
    link(first, 'first'),
    ...(next ? [] : [link(current, 'last')]),
  ].join(',');
}

/** A page of a list that is in memory, and the bookmark of the next one. */
export function pageOf<T>(all: readonly T[], { per_page, number, after }: PageWanted): [page: readonly T[], next: [number] | null] {
  const start = number === undefined ? Number(startAfter({ after }, 1)?.[0] ?? 0) : (number - 1) * per_page;
  if (!Number.isSafeInteger(start) || start < 0) throw notFound();
  const end = start + per_page;
  return [all.slice(start, end), end < all.length ? [end] : null];
}
