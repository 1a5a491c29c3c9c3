// What is written and handed in here, and what waits to be sent.

import type { Reference } from './reading';

/** How work is handed in here. */
export type WorkType = 'online_text_entry' | 'online_url' | 'online_upload';

/** What keeps something in the outbox until the person says what to do. */
export type Hold =
  | 'gone'
  | 'not yet'
  | 'closed'
  | 'locked'
  | 'other kind'
  | 'attempts used'
  | 'newer attempt'
  | 'no bytes'
  | 'declined'
  | 'trouble'
  /** A server without idempotency keys may have heard it, or not. */
  | 'unsure';

/** `waiting` for the server's signature; `unsigned`: this server signs nothing; `differs`: it has signed something else than was sent. */
export type ReceiptStanding = 'waiting' | 'signed' | 'unsigned' | 'differs';

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

/** What was handed in through this desk, and the server's word for it. */
export interface ReceiptView extends WorkDraft {
  readonly id: string;
  readonly attempt: number;
  readonly submitted_at: string;
  readonly sha256: string | null;
  /** `lost`: the server has it no more. */
  readonly standing: ReceiptStanding | 'lost';
  /** The signed token, for whoever wants to have it verified elsewhere. */
  readonly token: string | null;
}

/** Something that is here and not yet there. */
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
    | 'close'
    | 'hand in';
  /** The person's own word; else only that something was looked at. */
  readonly is_word: boolean;
  readonly title: string;
  readonly excerpt: string | null;
  /** Names of the files that go with it. */
  readonly files: readonly string[];
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly since: string;
  /** Why the server did not take it; null while it waits. */
  readonly refused: string | null;
  readonly hold: Hold | null;
  readonly may_take_back: boolean;
  readonly may_rise: boolean;
  readonly may_sink: boolean;
  readonly open: Reference | null;
  /** The conversation that it belongs to. */
  readonly letter: number | null;
}

/** One's own work for an assignment: what is written, what is on its way, what has arrived. */
export interface WorkView {
  readonly types: readonly WorkType[];
  readonly allowed_extensions: readonly string[];
  readonly attempts_made: number;
  /** Null: without limit. */
  readonly attempts_allowed: number | null;
  /** Why nothing can be handed in now, as far as is known here. What is written is kept all the same. */
  readonly hold: Hold | null;
  readonly draft: WorkDraft & { readonly changed_at: string | null };
  readonly on_its_way:
    | (WorkDraft & { readonly unsent: Unsent; readonly hold: Hold | null; readonly since: string; readonly may_take_back: boolean })
    | null;
  readonly receipts: readonly ReceiptView[];
  /** It is handed in there, and not from here. */
  readonly on_server?: string;
}

/** Words that are here and not yet there. */
export interface Unsent {
  /** Names it to `outbox.take_back`. */
  readonly id: string;
  /** Why the server did not take it; null while it waits. */
  readonly refused: string | null;
}
