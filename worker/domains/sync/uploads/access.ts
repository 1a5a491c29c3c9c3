// Whose upload it is, and whether they may still store the file there. Decided again in every request.

import { and, eq, getTableColumns, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import type { ResultsOf } from '../../../database/open';
import type { Call } from '../../../http/call';
import { notFound } from '../../../http/problem';
import { assignmentOfSubmission, studentOfSubmission } from '../../../rules/submission_ids';
import { hereIfSeen } from '../../files/place';
import { files, type Upload } from '../../files/table';
import { upload_parts, uploads } from './table';

const submission_id = sql.raw('submission_id');

/**
 * For `within`: the context of a pending file. A file for a submission is in the student's own files and has the course of the assignment, too.
 * @param file a condition on the table of files
 */
const contextsOf = (file: SQL) => {
  const context = (type: string) =>
    sql`select context_id from files where ${file} and upload is not null and workflow_state <> 'deleted' and submission_id is null and context_type = ${type}`;
  const submission = (column: SQL) => sql`select ${column} from files where ${file} and upload is not null and submission_id is not null`;
  const course = sql`(select course_id from assignments where assignments.id = ${assignmentOfSubmission(submission_id)})`;
  return {
    course: sql`${context('Course')} union all ${submission(course)}`,
    user: sql`${context('User')} union all ${submission(studentOfSubmission(submission_id))}`,
    group: context('Group'),
  };
};

export const ofUpload = ({ id = '' }: Readonly<Record<string, string>>) => contextsOf(sql`id = ${readId(id) ?? 0}`);

export const ofTicket = (_: unknown, { uuid }: Readonly<Record<string, unknown>>) =>
  contextsOf(sql`uuid = ${typeof uuid === 'string' ? uuid : ''}`);

/** The right that the ticket asked for; whether a submission is still open is decided when it is submitted. */
export const mayStore = (call: Call): boolean => {
  const { course, user, me } = call;
  if (course && user) return (user.id === me.id && course.participates) || course.can('manage_grades');
  return hereIfSeen('adds')(call);
};

/** With the row of the blob that it becomes. */
export type RunningUpload = typeof uploads.$inferSelect & { readonly blob_id: number };

export interface FoundUpload {
  readonly file: typeof files.$inferSelect;
  readonly upload: Upload;
  /** Undefined when the file is complete, and when it was never begun in parts. */
  readonly running: RunningUpload | undefined;
  readonly parts: readonly (typeof upload_parts.$inferSelect)[];
}

const ofCaller = ({ me }: Pick<Call, 'me'>) =>
  and(eq(files.user_id, me.id), isNotNull(files.upload), ne(files.workflow_state, 'deleted'), ne(files.workflow_state, 'failed')) as SQL;

/** The rows of a file's upload, for `uploadIn`. @param file a condition on the table of files, by id or uuid */
export const uploadRows = ({ db: { build }, ...call }: Pick<Call, 'db' | 'me' | 'now'>, file: SQL) =>
  [
    build
      .select()
      .from(files)
      .where(and(file, ofCaller(call))),
    build
      .select({ ...getTableColumns(uploads), blob_id: sql<number>`(select b.id from blobs b where b.key = uploads.key)`.as('blob_id') })
      .from(uploads)
      .where(sql`${uploads.id} in (select id from files where ${file}) and ${uploads.expires_at} > ${call.now}`),
    build
      .select()
      .from(upload_parts)
      .where(sql`${upload_parts.upload_id} in (select id from files where ${file})`)
      .orderBy(upload_parts.number),
  ] as const;

/** @throws Problem 404 for uploads of others, and for those that have expired or were aborted */
export function uploadIn([[file], [running], parts]: ResultsOf<ReturnType<typeof uploadRows>>): FoundUpload {
  if (!file?.upload) throw notFound();
  return { file, upload: file.upload, running, parts };
}

/** @throws Problem 404 as `uploadIn` */
export const readUpload = async (call: Pick<Call, 'db' | 'me' | 'now'> & { readonly id: number }): Promise<FoundUpload> =>
  uploadIn(await call.db.perform(uploadRows(call, eq(files.id, call.id))));

/** @throws Problem 404 when the file is complete already, or the upload is gone */
export function stillRunning({ running }: FoundUpload): RunningUpload {
  if (!running) throw notFound();
  return running;
}
