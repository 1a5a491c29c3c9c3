// The sync feed's words: what `/api/sync/v1` sends and the desk reads.

/** What the feed carries. A kind is the singular of the resource's URL segment. */
export const kinds = [
  'user',
  'course',
  'enrollment',
  'group',
  'group_membership',
  'assignment_group',
  'assignment',
  'submission',
  'module',
  'page',
  'discussion_topic',
  'calendar_event',
  'planner_note',
  'planner_override',
  'bookmark',
  'folder',
  'file',
  'conversation',
  'account_notification',
] as const;

export type Kind = (typeof kinds)[number];

/**
 * One item as the caller may see it now. `upsert` carries the same JSON that the REST interface answers for it;
 * `delete` means that it is gone, hidden, or out of reach for this caller; of files and folders `withheld` says that they are still there.
 * Deleting a `course` takes with it everything that names it in `course_id`, and deleting a `group` what names it in `group_id`.
 */
export type Change =
  | {
      readonly kind: Kind;
      readonly id: number;
      readonly op: 'upsert';
      readonly course_id?: number;
      readonly group_id?: number;
      readonly resource: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: Kind;
      readonly id: number;
      readonly op: 'delete';
      readonly course_id?: number;
      readonly group_id?: number;
      readonly withheld?: Withheld;
    };

/**
 * Why the lists leave out a file or folder that is still there: asking for it by its id tells the same. What a client holds of it
 * is no longer current, and may stay.
 */
export interface Withheld {
  /** `unlisted`: the course shows none of its files. */
  readonly why: 'locked' | 'hidden' | 'unlisted';
  /** When it opens by itself. */
  readonly unlock_at?: string;
  /** HTML, as in `lock_explanation` of the resource. */
  readonly explanation?: string;
}

/**
 * `GET /api/sync/v1/changes?cursor=…&limit=…`. Without a cursor it starts a full snapshot, paged the same way.
 * The cursor is opaque; the client stores it in the transaction that stores the page's changes.
 * A cursor that cannot be followed answers 409 with `MustRefetch`: drop the cache and start without a cursor.
 */
export interface ChangesPage {
  readonly epoch: string;
  readonly cursor: string;
  readonly has_more: boolean;
  readonly changes: readonly Change[];
}

/**
 * Why a cursor cannot be followed.
 * - `epoch`: an operator changed the epoch, because the history was rewritten.
 * - `forked`: the cursor has seen changes that this log does not have: an older database was restored.
 * - `expired`: the cursor is older than the tombstones that it needs. The history is the same, so what is missing was deleted.
 * - `unreadable`: no cursor of ours, or one of an older format.
 *
 * Only after `expired` does a missing thing mean a deletion.
 */
export type RefetchReason = 'epoch' | 'forked' | 'expired' | 'unreadable';

/** The body of the 409. */
export interface MustRefetch {
  readonly error: 'must_refetch';
  readonly reason: RefetchReason;
}

/** The only thing that `GET /api/sync/v1/live` (a WebSocket) ever says: ask the feed again. */
export interface Nudge {
  readonly type: 'changed';
}

/** `GET /api/sync/v1/receipts/:submission_id?attempt=…`: proof of what was handed in, for whoever handed it in. */
export interface ReceiptAnswer {
  /** A JWT with `ReceiptClaims`, signed by one of the keys at `/.well-known/jwks`. */
  readonly receipt: string;
}

/** What the server has, at what time it came. Hashes are lower-case hex sha256; of a text as the server keeps it, in UTF-8. */
export interface ReceiptClaims {
  readonly iss: string;
  /** Nothing but a receipt: it opens no door. */
  readonly aud: 'receipt';
  readonly sub: string;
  readonly iat: number;
  readonly submission_id: number;
  readonly course_id: number;
  readonly assignment_id: number;
  readonly attempt: number;
  readonly submitted_at: string;
  readonly submission_type: string;
  /** Of the text, or of the address. */
  readonly sha256: string | null;
  readonly files: readonly { readonly id: number; readonly name: string; readonly size: number; readonly sha256: string }[];
}
