// Types of the sync feed: what `/api/sync/v1` sends and the desktop app reads.

/** The kinds of items in the feed. A kind is the singular of the resource's URL segment. */
export const kinds = [
  'user',
  'course',
  'enrollment',
  'group',
  'group_membership',
  'assignment_group',
  'assignment',
  'submission',
  'peer_review',
  'quiz',
  'quiz_submission',
  'new_quiz_session',
  'outcome_group',
  'outcome_link',
  'outcome_result',
  'poll_session',
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
 * An item as the caller may see it now. `upsert` has the same JSON as the REST API;
 * `delete` means that it was deleted, hidden, or is no longer visible to the caller; for files and folders, `withheld` means that they still exist.
 * Deleting a `course` also deletes everything with its `course_id`, and deleting a `group` everything with its `group_id`.
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

/** Why lists omit a file or folder that still exists: a request by id gives the same reason. A client's copy is outdated, but may be kept. */
export interface Withheld {
  /** `unlisted`: the course shows none of its files. */
  readonly why: 'locked' | 'hidden' | 'unlisted';
  /** When it becomes available by itself. */
  readonly unlock_at?: string;
  /** HTML, as in `lock_explanation` of the resource. */
  readonly explanation?: string;
}

/**
 * `GET /api/sync/v1/changes?cursor=…&limit=…`. Without a cursor it starts a full snapshot, paged the same way.
 * The cursor is opaque; the client stores it in the same transaction as the page's changes.
 * An unusable cursor is answered with 409 and `MustRefetch`: drop the cache and start without a cursor.
 */
export interface ChangesPage {
  readonly epoch: string;
  readonly cursor: string;
  readonly has_more: boolean;
  readonly changes: readonly Change[];
}

/**
 * Why a cursor is unusable.
 * - `epoch`: an operator changed the epoch, because the history was rewritten.
 * - `forked`: the cursor has seen changes that are not in this log, because an older database was restored.
 * - `expired`: the cursor is older than the tombstones it needs. The history is the same, so items missing from the snapshot were deleted.
 * - `unreadable`: an invalid cursor, or one of an older format.
 *
 * Only after `expired` does a missing item mean a deletion.
 */
export type RefetchReason = 'epoch' | 'forked' | 'expired' | 'unreadable';

/** The body of the 409. */
export interface MustRefetch {
  readonly error: 'must_refetch';
  readonly reason: RefetchReason;
}

/** The only message of `GET /api/sync/v1/live` (a WebSocket): query the feed again. */
export interface ChangeSignal {
  readonly type: 'changed';
  /** Sent as `X-D1-Bookmark` with the next requests, so that a read replica answers with the change. Null where the database has none. */
  readonly bookmark?: string | null;
  /** Milliseconds: wait for a random part of them before the request, because many clients receive the same signal. */
  readonly spread?: number;
}

/** `GET /api/sync/v1/receipts/:submission_id?attempt=…`: proof of a submission, for the submitter. */
export interface ReceiptAnswer {
  /** A JWT with `ReceiptClaims`, signed by one of the keys at `/.well-known/jwks`. */
  readonly receipt: string;
}

/** The submission as stored on the server, and its time. Hashes are lower-case hex SHA-256; for texts, of their UTF-8 bytes as stored. */
export interface ReceiptClaims {
  readonly iss: string;
  /** Only a receipt, not valid as a token. */
  readonly aud: 'receipt';
  readonly sub: string;
  readonly iat: number;
  readonly submission_id: number;
  readonly course_id: number;
  readonly assignment_id: number;
  readonly attempt: number;
  readonly submitted_at: string;
  readonly submission_type: string;
  /** Of the text, or of the URL. */
  readonly sha256: string | null;
  readonly files: readonly { readonly id: number; readonly name: string; readonly size: number; readonly sha256: string }[];
}
