// Drafts, and what they belong to.

import type { AuthoredBase, AuthoredKind, AuthoredText } from './authoring';
import type { MessageFile, PersonCard } from './conversations';
import type { Reference } from './reading';

export type WritingPlace =
  /** `parent_id`: the entry it replies to; null: the topic itself. */
  | { readonly kind: 'reply'; readonly course_id: number; readonly id: number; readonly parent_id: number | null }
  /** A reply in a conversation. */
  | { readonly kind: 'letter'; readonly id: number }
  /** `to`: the recipients with whom it was started; empty when it was started in the inbox. */
  | { readonly kind: 'new letter'; readonly to: readonly number[] }
  /** Null: a new one. */
  | { readonly kind: 'note'; readonly id: number | null }
  /** A grader's comment for a student. */
  | { readonly kind: 'comment'; readonly course_id: number; readonly assignment_id: number; readonly user_id: number }
  /** A new announcement. */
  | { readonly kind: 'announcement'; readonly course_id: number }
  /** A page, or the description of an assignment. Negative: a new one. */
  | { readonly kind: 'authored'; readonly of: AuthoredKind; readonly course_id: number; readonly id: number };

/** The fields of a draft that are filled in. */
export interface Unfinished {
  readonly text: string;
  readonly files?: readonly MessageFile[];
  /** The title of a note or announcement, or the subject of a message. */
  readonly title?: string;
  readonly to?: readonly PersonCard[];
  readonly course_id?: number | null;
  readonly day?: string;
  readonly time?: string;
  /** Of a page or an assignment, whose `text` is HTML. */
  readonly authored?: Pick<AuthoredText, 'published' | 'facts'>;
  /** What the author began with. */
  readonly base?: AuthoredBase | null;
}

/** A draft in the list, even when the item it belongs to is gone. */
export interface UnfinishedItem {
  readonly place: WritingPlace | { readonly kind: 'work'; readonly course_id: number; readonly id: number };
  readonly words: Unfinished;
  /** The title of the item it belongs to; null when that is gone. */
  readonly title: string | null;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly changed_at: string;
  readonly open: Reference | null;
  readonly letter: number | null;
}
