// Attachments of comments: which files a caller may attach, and which a comment shows.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { badParameter } from '../../../http/problem';
import { submissionId } from '../../../rules/submission_ids';
import { files } from '../../files/table';

/** A file that the caller uploaded for comments, with the submission it was uploaded for. */
export interface CommentFile {
  readonly id: number;
  readonly comment_on: number | null;
}

/** Of these files, those that the caller uploaded. */
export const uploadedBy = ({ db, me }: Pick<Call, 'db' | 'me'>, ids: readonly number[]) =>
  db.build
    .select({ id: files.id, comment_on: sql<number | null>`json_extract(${files.upload}, '$.comment_on')`.as('comment_on') })
    .from(files)
    .where(and(among(files.id, ids), eq(files.user_id, me.id), eq(files.workflow_state, 'available')));

/** A comment on the submission of a student. */
interface Commented {
  readonly assignment: { readonly id: number };
  readonly user_id: number;
  readonly comment?: { readonly file_ids?: readonly number[] };
}

/** @throws Problem 400 for a file that the caller did not upload for a comment on that submission */
export function checkCommentFiles({ assignment, user_id, comment }: Commented, own: readonly CommentFile[], parameter: string): void {
  const submission = submissionId(assignment.id, user_id);
  const isOwn = (id: number) => own.some((one) => one.id === id && one.comment_on === submission);
  if (comment?.file_ids?.some((id) => !isOwn(id)))
    throw badParameter(parameter, 'includes a file that you did not upload for comments on this submission');
}

/**
 * The files that a comment shows: uploads of its author for submissions. This is the only place that discloses such a file's uuid.
 * @param author the column with the author of the comment
 * @param file the alias of the file's row
 */
export const shownBy = (author: string, file: string): SQL =>
  sql.raw(`${file}.is_submitted = 1 and ${file}.context_type = 'User' and ${file}.context_id = ${author}`);
