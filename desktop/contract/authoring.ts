// Texts that people who teach write: pages and the descriptions of assignments, with what else they decide on.

import type { Prose } from './reading';
import type { Hold } from './work';

export type { AuthoredKind, AuthoredPlace } from './authored_place';

/** Of an assignment only. */
export interface AssignedFacts {
  readonly points: number | null;
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
}

/** What an author decides on. */
export interface AuthoredText {
  readonly title: string;
  /** As the server stores it; images that are not sent yet have the address `unsent:<sha256>`. */
  readonly html: string;
  readonly published: boolean;
  readonly facts: AssignedFacts | null;
}

/** A text as the server has or had it. */
export interface AuthoredBase extends AuthoredText {
  /** For the conditional update; null where the server sends none. */
  readonly version: string | null;
}

export type AuthoredField = 'title' | 'published' | keyof AssignedFacts;

/** Both have changed it since, differently. */
export interface FieldConflict {
  readonly field: AuthoredField;
  readonly mine: string | number | boolean | null;
  readonly theirs: string | number | boolean | null;
}

export interface MergedPiece {
  readonly html: string;
  readonly words: Prose;
}

/** A run of paragraphs in a merge. `mine`, `theirs`: only that side has changed it; empty where it was removed. */
export type MergePart =
  | { readonly from: 'both'; readonly piece: MergedPiece }
  | { readonly from: 'mine' | 'theirs'; readonly piece: MergedPiece; readonly was: MergedPiece }
  | { readonly from: 'conflict'; readonly mine: MergedPiece; readonly theirs: MergedPiece };

/** Someone else has changed the text since. */
export interface MergeView {
  /** Who has changed it, if the server says so. */
  readonly who: string | null;
  readonly at: string | null;
  /** Without the fields in conflict, which are as the others have them. */
  readonly merged: Omit<AuthoredText, 'html'>;
  readonly fields: readonly FieldConflict[];
  readonly parts: readonly MergePart[];
}

/** The text while it waits to be sent. */
export interface WaitingText {
  readonly id: string;
  readonly text: AuthoredText;
  readonly base: AuthoredBase | null;
  readonly refused: string | null;
  readonly hold: Hold | null;
  /** It may have reached the server: what is written now is sent after it. */
  readonly is_under_way: boolean;
  readonly merge: MergeView | null;
}

export interface AuthoringView {
  readonly course_name: string;
  /** As this computer knows it from the server; null for a new text, and for one that was deleted. */
  readonly there: AuthoredBase | null;
  readonly waiting: WaitingText | null;
  /** The front page of a course stays published. */
  readonly is_front_page: boolean;
  /** Some students have other dates, so that the desk does not change the dates of all. */
  readonly has_other_dates: boolean;
  /** The grading period of its due date is closed. */
  readonly is_closed: boolean;
  /** Local addresses of the images in the text, by their address there. */
  readonly images: Readonly<Record<string, string>>;
}
