// Comments on submissions, read with a page of submissions.

import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import type { Database, ResultOf } from '../../../database/open';
import type { Call } from '../../../http/call';
import { mediaCommentJson } from '../../../rules/media_comments';
import { isAnonymousReviewOf, isReviewOf } from '../../../rules/peer_reviews';
import { escapeHtml } from '../../../site/frame';
import { submission_comments } from '../../submissions/table';
import { userDisplay } from '../../users/display';
import { users } from '../../users/table';

/** Reads the comments on these submissions with their authors, oldest first. */
export const commentsOn = (db: Database, ids: SQL) =>
  db.build
    .select({
      comment_id: sql<number>`submission_comments.id`.as('comment_id'),
      submission_id: submission_comments.submission_id,
      comment: submission_comments.comment,
      attempt: submission_comments.attempt,
      attachment_ids: submission_comments.attachment_ids,
      media_comment_id: submission_comments.media_comment_id,
      media_comment_type: submission_comments.media_comment_type,
      is_draft: submission_comments.is_draft,
      edited_at: submission_comments.edited_at,
      created_at: submission_comments.created_at,
      author_id: submission_comments.author_id,
      short_name: users.short_name,
      avatar_url: users.avatar_url,
      pronouns: users.pronouns,
      is_test_student: users.is_test_student,
      is_anonymous: isAnonymousReviewOf('submission_comments').as('is_anonymous'),
      is_peer: isReviewOf('submission_comments').as('is_peer'),
    })
    .from(submission_comments)
    .innerJoin(users, eq(users.id, submission_comments.author_id))
    .where(and(isInSelect(submission_comments.submission_id, ids), eq(submission_comments.workflow_state, 'active')))
    .orderBy(asc(submission_comments.id));

export type CommentRow = ResultOf<ReturnType<typeof commentsOn>>[number];

/** Whether the caller may read a comment: drafts only by their author; comments of others are hidden until the grade is posted. */
export const readsComment = (comment: Pick<CommentRow, 'author_id' | 'is_draft'>, call: Pick<Call, 'me'>, isHeldBack: boolean): boolean =>
  comment.author_id === call.me.id || !(comment.is_draft || isHeldBack);

/** A comment is plain text; its HTML form keeps the line breaks. */
export const commentHtml = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>');

/** @param hidesAuthor the caller may not know who wrote it */
export const commentJson = (row: CommentRow, { origin }: Pick<Call, 'origin'>, hidesAuthor: boolean) => {
  const author = userDisplay(hidesAuthor ? undefined : { ...row, id: row.author_id }, origin);
  return {
    id: row.comment_id,
    author_id: hidesAuthor ? null : row.author_id,
    author_name: hidesAuthor ? 'Anonymous User' : row.short_name,
    author,
    comment: row.comment,
    created_at: row.created_at,
    edited_at: row.edited_at,
    attempt: row.attempt,
    avatar_path: author.avatar_image_url,
    media_comment: mediaCommentJson(row),
  };
};
