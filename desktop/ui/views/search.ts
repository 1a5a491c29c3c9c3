// What a search finds.

/** What can be found, as a person would call it. */
export type FoundKind = 'page' | 'assignment' | 'discussion' | 'announcement' | 'file' | 'message' | 'note' | 'event' | 'module' | 'course';

/** A text in pieces, and whether each is what was looked for. */
export type Marked = readonly (readonly [text: string, isHit: boolean])[];

export interface Hit {
  readonly kind: FoundKind;
  readonly id: number;
  /** Of a file: the page that holds the words. */
  readonly page: number | null;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly at: string | null;
  readonly title: Marked;
  readonly excerpt: Marked;
}
