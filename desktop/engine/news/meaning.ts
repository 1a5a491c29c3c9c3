// The words in which meanings are told: what was, what is, and what somebody is told of the difference. Pure.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { NewsItem, NewsWhat } from '../../ui/views/news';
import { plainText } from '../text';
import { hashOfWording, wordingOf } from '../wording';

/** Without the number it is kept under, the time it was noticed, and what is worked out when one looks. */
export type News = Omit<NewsItem, 'id' | 'at' | 'course_name' | 'text' | 'rows' | 'earlier'> & {
  /** The file that this one has replaced, where it was another. */
  readonly was?: number;
  /** The folder that a file lies in. */
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
  /** Whose desk it is: what they have done is no news to them. */
  readonly me: number;
  /** What something else is called. */
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

/** A value that was one and is another; a field that was not told is not changed. */
export const change = (what: NewsWhat, before: unknown, after: unknown): Told | undefined =>
  before === undefined || after === undefined || text(before) === text(after) ? undefined : [what, { from: text(before), to: text(after) }];

/** Other words; markup that changes without its words is no news. From which wording to which, so that going back is nothing. */
export function reworded(kind: Kind, before: unknown, after: unknown, what: NewsWhat = 'text'): Told | undefined {
  const was = wordingOf(kind, before as Row);
  const is = wordingOf(kind, after as Row);
  if (!was || !is || was.html === is.html || plainText(was.html) === plainText(is.html)) return undefined;
  return [what, { from: hashOfWording(was), to: hashOfWording(is) }];
}
