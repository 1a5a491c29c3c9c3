// Types of a change for the user: the old value, the new one, and what is shown of the difference. Pure.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { NewsItem, NewsWhat } from '../../contract/news';
import { plainText } from '../text/plain_text';
import { hashOfWording, wordingOf } from '../text/wording';

/** Without its id, the time it was noticed, and what is computed for display. */
export type NewsDraft = Omit<NewsItem, 'id' | 'at' | 'course_name' | 'text' | 'rows' | 'earlier'> & {
  /** The file that this one has replaced, if any. */
  readonly was?: number;
  /** The folder of a file. */
  readonly folder?: number | null;
};
type Said = Partial<Pick<NewsDraft, 'title' | 'from' | 'to' | 'count' | 'who' | 'words' | 'titles' | 'folder'>>;
type Row = Readonly<Record<string, unknown>>;

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
  /** The name of an observed student; undefined for anyone else. */
  readonly studentName: (id: number) => string | undefined;
}

export type NewsReport = readonly [NewsWhat, Said?];
export type Meaning = (before: Row | undefined, after: Row | undefined, seeing: Seeing) => readonly NewsReport[];
type Maybe = NewsReport | false | undefined | null;

export const newsMeaning =
  <T>(meaning: (before: T | undefined, after: T | undefined, seeing: Seeing) => readonly Maybe[]): Meaning =>
  (before, after, seeing) =>
    meaning(before as unknown as T | undefined, after as unknown as T | undefined, seeing).filter((one): one is NewsReport => !!one);

export const textOrNull = (value: unknown): string | null => (value == null ? null : String(value));

/** A value that has changed; a field that the response does not contain has not. */
export const changeNews = (what: NewsWhat, before: unknown, after: unknown): NewsReport | undefined =>
  before === undefined || after === undefined || textOrNull(before) === textOrNull(after)
    ? undefined
    : [what, { from: textOrNull(before), to: textOrNull(after) }];

/**
 * Changed words; a change of the markup alone is not reported. The hashes of both texts are kept, so that a change that is undone
 * is not reported.
 */
export function reworded(kind: Kind, before: unknown, after: unknown, what: NewsWhat = 'text'): NewsReport | undefined {
  const was = wordingOf(kind, before as Row);
  const is = wordingOf(kind, after as Row);
  if (!was || !is || was.html === is.html || plainText(was.html) === plainText(is.html)) return undefined;
  return [what, { from: hashOfWording(was), to: hashOfWording(is) }];
}
