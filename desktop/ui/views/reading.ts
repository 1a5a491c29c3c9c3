// What the desk shows of a reading, and what its reader marks in it.

import type { Viewer } from '../../file_types';
import type { FileView } from './files';

export type Reference =
  | { readonly kind: 'page'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'assignment'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'discussion_topic'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'file'; readonly course_id: number; readonly id: number }
  /** Its id is the course’s. */
  | { readonly kind: 'syllabus'; readonly course_id: number; readonly id: number };

/**
 * A text to read. `html` is sanitised. Its images and file links are `/files/<id>`, which every host serves from the study folder;
 * its links to other readings are `#/read/<kind>/<course_id>/<id>` with the kinds of `Reference`; everything else is http(s) or mailto.
 */
export interface Reading {
  readonly reference: Reference;
  readonly title: string;
  readonly html: string;
  readonly course_name: string;
  readonly updated_at: string | null;
  readonly author: string | null;
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
  readonly points_possible: number | null;
  readonly submission: {
    readonly workflow_state: string;
    readonly submitted_at: string | null;
    readonly grade: string | null;
    readonly score: number | null;
  } | null;
  readonly locked: string | null;
  /** What is said about one's own work, the oldest first. */
  readonly comments: readonly {
    readonly id: number;
    readonly author: string | null;
    readonly mine: boolean;
    readonly at: string;
    readonly words: Prose;
  }[];
  readonly rubric: RubricView | null;
  readonly bookmark: BookmarkView | null;
  readonly attachments: readonly Attachment[];
  /** Of a file: how it opens, and what `html` is of it. */
  readonly file: FileReading | null;
  /** Of a discussion topic. */
  readonly is_announcement: boolean;
  /** So many texts that it had before are known here; null where there is nothing to look for. */
  readonly earlier: number | null;
  /** The module that asks to mark it as done; null when none does. `done` is the person's last word, `pending` until the server has it. */
  readonly to_mark: {
    readonly module_id: number;
    readonly item_id: number;
    readonly module_name: string;
    readonly done: boolean;
    readonly pending: boolean;
  } | null;
}

/** A file of a course, and how it is shown. */
export interface FileReading {
  readonly view: FileView;
  /** Null for what only another program opens. */
  readonly viewer: Viewer | null;
  /** Whether its bytes are on this computer: then `/files/<id>` has them. */
  readonly here: boolean;
  /** `html` holds its beginning only. */
  readonly cut: boolean;
  /** On a letter or a reply: it lies in no course. */
  readonly hangs: boolean;
}

/** By what work is judged; `earned` once it was. */
export interface RubricView {
  readonly points: number;
  readonly earned: number | null;
  readonly criteria: readonly {
    readonly id: string;
    readonly title: string;
    readonly description: Prose;
    readonly points: number | null;
    readonly earned: number | null;
    readonly comment: Prose;
    readonly ratings: readonly {
      readonly id: string;
      readonly title: string;
      readonly description: Prose;
      readonly points: number | null;
      readonly is_given: boolean;
    }[];
  }[];
}

/** A place in a text that the person has marked; known on this computer alone. */
export interface Highlight {
  readonly id: string;
  /** The marked words, and some of what stands before and after, by which they are found again. */
  readonly words: string;
  readonly before: string;
  readonly after: string;
}

/** A bookmark of the server's. */
export interface KeptAddress {
  readonly id: number;
  readonly name: string;
  readonly href: string;
}

export interface BookmarkView {
  readonly note: string;
  readonly is_marked: boolean;
  readonly highlights: readonly Highlight[];
}

/** The elements that the desk draws in what people write to each other. */
export type ProseTag =
  | 'p'
  | 'h3'
  | 'strong'
  | 'em'
  | 'u'
  | 'del'
  | 'sub'
  | 'sup'
  | 'code'
  | 'pre'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'br'
  | 'hr'
  | 'a'
  | 'img'
  | 'table'
  | 'tbody'
  | 'thead'
  | 'tr'
  | 'td'
  | 'th'
  | 'math';

/** What a person wrote, as a tree. Addresses are as in `Reading.html`. */
export type Prose = readonly (string | ProseElement)[];

export interface ProseElement {
  readonly tag: ProseTag;
  readonly href?: string;
  readonly src?: string;
  readonly alt?: string;
  /** Of `math`: an element of MathML and what it is given. */
  readonly math?: { readonly name: string; readonly given: Readonly<Record<string, string>> };
  readonly of: Prose;
}

export interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly size: number | null;
  /** On this computer: it opens as a file of the course does. */
  readonly here: boolean;
  /** Where the server has it. */
  readonly url: string | null;
  /** It goes with words that are not sent yet. */
  readonly waits?: boolean;
}
