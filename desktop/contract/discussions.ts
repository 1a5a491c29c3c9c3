// View models of discussions.

import type { Attachment, Prose } from './reading';
import type { Unsent } from './work';

export interface ReplyView {
  /** 0 while it is unsent. */
  readonly id: number;
  readonly author: string | null;
  readonly mine: boolean;
  readonly at: string;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly unread: boolean;
  readonly words: Prose;
  readonly attachments: readonly Attachment[];
  readonly unsent: Unsent | null;
  readonly replies: readonly ReplyView[];
}

export interface RepliesView {
  readonly replies: readonly ReplyView[];
  readonly count: number;
  readonly unread: number;
  readonly can_reply: boolean;
  /** Whether a reply may have an attachment. */
  readonly can_attach: boolean;
  /** Drafts, by the reply they answer; null: the topic itself. */
  readonly unfinished: readonly (number | null)[];
  /** Replies are visible only to users who have posted one. */
  readonly write_first: boolean;
  /** Some replies have not been downloaded yet. */
  readonly missing: boolean;
}

export interface DiscussionCard {
  readonly id: number;
  readonly title: string;
  readonly author: string | null;
  readonly at: string | null;
  readonly last_reply_at: string | null;
  readonly replies: number;
  /** The number of unread replies. */
  readonly unread: number;
  readonly read: boolean;
  readonly pinned: boolean;
  readonly locked: boolean;
  readonly graded: boolean;
  readonly excerpt: string;
}
