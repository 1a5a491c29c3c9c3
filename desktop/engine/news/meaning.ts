// Types of a change for the user: the old value, the new one, and what is shown of the difference. Pure.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { NewsItem, NewsWhat } from '../../contract/news';
import { plainText } from '../text/plain_text';
import { hashOfWording, wordingOf } from '../text/wording';

/** Without its id, the time it was noticed, and what is computed for display. */
export type News = Omit<NewsItem, 'id' | 'at' | 'course_name' | 'text' | 'rows' | 'earlier'> & {
  /** The file that this one has replaced, if any. */
  readonly was?: number;
  /** The folder of a file. */
  readonly folder?: number | null;
};
export type Said = Partial<Pick<News, 'title' | 'from' | 'to' | 'count' | 'who' | 'words' | 'titles' | 'folder'>>;
export type Row = Readonly<Record<string, unknown>>;

export interface Seeing {
  readonly kind: Kind;
  readonly id: number;
  readonly course_id: number | null;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
  /** The user of the desk: their own actions are not reported to them. */
  readonly me: number;
  /** The title of another item. */
  readonly titleOf: (kind: Kind, id: number) => string | undefined;
}

export type Told = readonly [NewsWhat, Said?];
export type Meaning = (before: Row | undefined, after: Row | undefined, seeing: Seeing) => readonly Told[];
type Maybe = Told | false | undefined | null;

export const told =
  <T>(meaning: (before: T | undefined, after: T | undefined, seeing: Seeing) => readonly Maybe[]): Meaning =>
  (before, after, seeing) =>
    meaning(before as unknown as T | undefined, after as unknown as T | undefined, seeing).filter((one): one is Told => !!one);

export const text = (value: unknown): string | null => (value == null ? null : String(value));

/** A value that has changed; a field that the response does not contain has not. */
export const change = (what: NewsWhat, before: unknown, after: unknown): Told | undefined =>
  before === undefined || after === undefined || text(before) === text(after) ? undefined : [what, { from: text(before), to: text(after) }];

/**
 * Changed words; a change of the markup alone is not reported. The hashes of both texts are kept, so that a change that is undone
 * is not reported.
 */
export function reworded(kind: Kind, before: unknown, after: unknown, what: NewsWhat = 'text'): Told | undefined {
  const was = wordingOf(kind, before as Row);
  const is = wordingOf(kind, after as Row);
  if (!was || !is || was.html === is.html || plainText(was.html) === plainText(is.html)) return undefined;
  return [what, { from: hashOfWording(was), to: hashOfWording(is) }];
}
