// What the desk shows of the inbox.

import type { Attachment, Prose } from './reading';
import type { Unsent } from './work';

export interface LetterCard {
  readonly id: number;
  readonly subject: string | null;
  /** The others in it. */
  readonly people: readonly string[];
  readonly course_name: string | null;
  readonly at: string | null;
  readonly excerpt: string;
  readonly messages: number;
  readonly unread: boolean;
  readonly starred: boolean;
  readonly archived: boolean;
  /** Words of the person's own that the server does not have yet. */
  readonly unsent: boolean;
}

export interface Correspondence {
  readonly subject: string | null;
  readonly people: readonly string[];
  readonly course_name: string | null;
  readonly can_reply: boolean;
  readonly unread: boolean;
  readonly starred: boolean;
  readonly archived: boolean;
  /** Its messages have not been fetched yet. */
  readonly missing: boolean;
  /** The oldest first. */
  readonly messages: readonly {
    /** 0 while it is unsent. */
    readonly id: number;
    readonly author: string | null;
    readonly mine: boolean;
    readonly at: string;
    /** That somebody was added: said by the server. */
    readonly generated: boolean;
    readonly words: Prose;
    readonly attachments: readonly Attachment[];
    readonly unsent: Unsent | null;
  }[];
}

export interface PersonCard {
  readonly id: number;
  readonly name: string;
}

export interface GroupPeople {
  /** The leader first. */
  readonly people: readonly (PersonCard & { readonly is_me: boolean; readonly leads: boolean })[];
  /** More than are told. */
  readonly count: number;
  /** They have not been fetched yet. */
  readonly missing: boolean;
}

/** A file that goes with a letter. */
export interface LetterFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}
