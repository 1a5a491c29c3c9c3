// View models of submissions and of the outbox.

import type { AuthoredPlace } from './authored_place';
import type { Reference } from './reading';

/** How a submission can be made here. */
export type WorkType = 'online_text_entry' | 'online_url' | 'online_upload';

/** Why an item stays in the outbox until the user decides. */
export type Hold =
  | 'gone'
  | 'not yet'
  | 'closed'
  | 'locked'
  | 'other kind'
  | 'attempts used'
  | 'newer attempt'
  /** Someone else has graded since the grade was entered. */
  | 'graded meanwhile'
  /** Someone else has changed the text since its author began. */
  | 'changed meanwhile'
  | 'no bytes'
  | 'declined'
  | 'trouble'
  /** Without idempotency keys the server may or may not have received it. */
  | 'unsure';

/** `waiting`: the server's signature is due; `unsigned`: this server does not sign; `differs`: it signed something else than was sent. */
export type ReceiptStatus = 'waiting' | 'signed' | 'unsigned' | 'differs';

export interface WorkFileView {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface WorkDraft {
  readonly type: WorkType;
  readonly text: string;
  readonly url: string;
  readonly files: readonly WorkFileView[];
}

/** What was submitted from this computer, and the server's receipt. */
export interface ReceiptView extends WorkDraft {
  readonly id: string;
  readonly attempt: number;
  readonly submitted_at: string;
  readonly sha256: string | null;
  /** `lost`: the server no longer has it. */
  readonly standing: ReceiptStatus | 'lost';
  /** The signed token, which can be verified elsewhere. */
  readonly token: string | null;
}

/** Something that is not sent yet. */
export interface OutboxItem {
  readonly id: string;
  readonly verb:
    | 'create'
    | 'update'
    | 'delete'
    | 'mark'
    | 'read'
    | 'read entries'
    | 'reply'
    | 'write'
    | 'open'
    | 'star'
    | 'archive'
    | 'view'
    | 'done'
    | 'undone'
    | 'compose'
    | 'announce'
    | 'author'
    | 'close'
    | 'hand in'
    | 'grade';
  /** Written by the user; otherwise only a read or view mark. */
  readonly is_word: boolean;
  readonly title: string;
  readonly excerpt: string | null;
  /** Names of its attachments. */
  readonly files: readonly string[];
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly since: string;
  /** Why the server rejected it; null while it waits. */
  readonly refused: string | null;
  readonly hold: Hold | null;
  readonly may_take_back: boolean;
  readonly may_rise: boolean;
  readonly may_sink: boolean;
  readonly open: Reference | null;
  /** Its conversation. */
  readonly letter: number | null;
  /** Where it was written. */
  readonly authored?: AuthoredPlace;
}

/** The user's work on an assignment: the draft, what waits to be sent, and the receipts. */
export interface WorkView {
  readonly types: readonly WorkType[];
  readonly allowed_extensions: readonly string[];
  readonly attempts_made: number;
  /** Null: unlimited. */
  readonly attempts_allowed: number | null;
  /** Why nothing can be submitted now, as far as is known here. The draft is kept. */
  readonly hold: Hold | null;
  readonly draft: WorkDraft & { readonly changed_at: string | null };
  readonly on_its_way:
    | (WorkDraft & { readonly unsent: Unsent; readonly hold: Hold | null; readonly since: string; readonly may_take_back: boolean })
    | null;
  readonly receipts: readonly ReceiptView[];
  /** It is handed in by taking this quiz. */
  readonly quiz_id?: number;
  /** It can only be submitted on the server, at this address. */
  readonly on_server?: string;
}

/** Text that is not sent yet. */
export interface Unsent {
  /** The id for `outbox.take_back`. */
  readonly id: string;
  /** Why the server rejected it; null while it waits. */
  readonly refused: string | null;
}
