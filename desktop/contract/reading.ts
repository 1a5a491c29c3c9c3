// View models of a reading, and of its bookmarks and highlights.

import type { FileViewer } from './file_types';
import type { FileView } from './files';

export type Reference =
  | { readonly kind: 'page'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'assignment'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'discussion_topic'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'file'; readonly course_id: number; readonly id: number }
  /** The course's id. */
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
  /** The observed student whose submission it is; null: the user's own. */
  readonly student: string | null;
  /** Of an assignment: how many submissions wait to be graded; null for others than graders. */
  readonly to_grade: number | null;
  /** Only the teachers see it. */
  readonly is_draft: boolean;
  /** The user may change the text. */
  readonly may_edit?: boolean;
  /** Comments on the submission, oldest first. */
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
  /** Of a file: its viewer, and the part of it that `html` shows. */
  readonly file: FileReading | null;
  /** Of a discussion topic. */
  readonly is_announcement: boolean;
  /** The number of earlier versions known here; null where there can be none. */
  readonly earlier: number | null;
  /** The module that requires "Mark as done"; null when none does. `done` is the user's last choice, `pending` until the server confirms it. */
  readonly to_mark: {
    readonly module_id: number;
    readonly item_id: number;
    readonly module_name: string;
    readonly done: boolean;
    readonly pending: boolean;
  } | null;
}

/** A course file, and how it is shown. */
export interface FileReading {
  readonly view: FileView;
  /** Null when only other programs can open it. */
  readonly viewer: FileViewer | null;
  /** Whether it is downloaded; then `/files/<id>` serves it. */
  readonly here: boolean;
  /** `html` has only the beginning. */
  readonly cut: boolean;
  /** Attached to a message or reply, so it belongs to no course. */
  readonly hangs: boolean;
}

/** A rubric; `earned` once the submission is assessed. */
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

/** A highlight in a text; stored only on this computer. */
export interface Highlight {
  readonly id: string;
  /** The highlighted words and some context, used to find them again. */
  readonly words: string;
  readonly before: string;
  readonly after: string;
}

/** A bookmark stored on the server. */
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

/** The elements that user-written text may contain. */
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

/** A user-written text as a tree. Addresses are as in `Reading.html`. */
export type Prose = readonly (string | ProseElement)[];

export interface ProseElement {
  readonly tag: ProseTag;
  readonly href?: string;
  readonly src?: string;
  readonly alt?: string;
  /** Of `math`: a MathML element and its attributes. */
  readonly math?: { readonly name: string; readonly given: Readonly<Record<string, string>> };
  readonly of: Prose;
}

export interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly size: number | null;
  /** Downloaded: it opens like a course file. */
  readonly here: boolean;
  /** Its address on the server. */
  readonly url: string | null;
  /** Attached to a text that is not sent yet. */
  readonly waits?: boolean;
}
