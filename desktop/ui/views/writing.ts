// What is being written, and where.

import type { LetterFile, PersonCard } from './letters';
import type { Reference } from './reading';

export type WritingPlace =
  /** `parent_id`: of the entry that it answers; null: the topic itself. */
  | { readonly kind: 'reply'; readonly course_id: number; readonly id: number; readonly parent_id: number | null }
  /** An answer in a conversation. */
  | { readonly kind: 'letter'; readonly id: number }
  /** `to`: those to whom it was begun; nobody yet, where it was begun in the inbox. */
  | { readonly kind: 'new letter'; readonly to: readonly number[] }
  /** Null: a new one. */
  | { readonly kind: 'note'; readonly id: number | null };

/** Of what a place asks for, so much as is there. */
export interface Unfinished {
  readonly text: string;
  readonly files?: readonly LetterFile[];
  /** Of a note; of a letter what it is about. */
  readonly title?: string;
  readonly to?: readonly PersonCard[];
  readonly course_id?: number | null;
  readonly day?: string;
  readonly time?: string;
}

/** As it is listed, wherever its place may be now. */
export interface UnfinishedItem {
  readonly place: WritingPlace | { readonly kind: 'work'; readonly course_id: number; readonly id: number };
  readonly words: Unfinished;
  /** Of where it is written; null where that is not here any more. */
  readonly title: string | null;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly changed_at: string;
  readonly open: Reference | null;
  readonly letter: number | null;
}
