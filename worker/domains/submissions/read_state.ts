// Read state of submissions per user (reference 03 §4.7).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { notFound } from '../../http/problem';
import { submissionIdOf } from '../../rules/submission_ids';
import { submission_reads } from './table';

/** Items with a read state of their own. */
export const items = ['grade', 'comment', 'rubric'] as const;
export type ReadItem = (typeof items)[number];

type Around = Pick<Call, 'db' | 'me' | 'now'>;

/** @param assignment a select of its id */
export const submissionAt = (assignment: SQL, user_id: number): SQL => submissionIdOf(sql`(${assignment})`, sql`${user_id}`);

const mark = ({ db, me, now }: Around, submission: SQL, item: string, read: boolean): Statement =>
  db.build
    .insert(submission_reads)
    .values({ submission_id: submission, user_id: me.id, item, read, read_at: now })
    .onConflictDoUpdate({
      target: [submission_reads.submission_id, submission_reads.user_id, submission_reads.item],
      set: { read, read_at: now },
    });

/** Marks all items of it as read by the caller. */
export const markSubmissionRead = (around: Around, submission: SQL): Statement[] => [
  around.db.build
    .update(submission_reads)
    .set({ read: true, read_at: around.now })
    .where(
      and(eq(submission_reads.submission_id, submission), eq(submission_reads.user_id, around.me.id), eq(submission_reads.read, false)),
    ),
  mark(around, submission, 'submission', true),
];

export const markUnread = (around: Around, submission: SQL): Statement[] => [mark(around, submission, 'submission', false)];
export const markItem = (around: Around, submission: SQL, item: string): Statement[] => [mark(around, submission, item, true)];

/** Whether an item is read; one that was never unread counts as read. No row without a submission. */
export const readState = (db: Database, submission: SQL, user_id: number, item: string) =>
  db.build.all<{ is_read: number }>(
    sql`select coalesce((select r.read from submission_reads r where r.submission_id = found.id and r.user_id = ${user_id} and r.item = ${item}), 1) as is_read
      from (select ${submission} as id) found where found.id is not null`,
  );

/** The id is null when the submission is not visible to the caller. */
export const unmarkable = { 'submission_reads.submission_id': notFound };

/** Marks the caller's own submissions among these ids, or all submissions of a student in the course. */
export const markMany = ({ db, now }: Pick<Around, 'db' | 'now'>, user_id: number, which: SQL): Statement =>
  db.build
    .update(submission_reads)
    .set({ read: true, read_at: now })
    .where(and(eq(submission_reads.user_id, user_id), eq(submission_reads.read, false), which));
