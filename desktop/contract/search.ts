// View models of search results.

/** The kinds of results, in the order in which the UI offers them. */
export const foundKinds = [
  'page',
  'assignment',
  'discussion',
  'announcement',
  'file',
  'message',
  'note',
  'event',
  'module',
  'course',
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** A text in pieces, each marked as a match or not. */
export type Marked = readonly (readonly [text: string, isHit: boolean])[];

export interface Hit {
  readonly kind: FoundKind;
  readonly id: number;
  /** Of a file: the page with the match. */
  readonly page: number | null;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly at: string | null;
  readonly title: Marked;
  readonly excerpt: Marked;
}
