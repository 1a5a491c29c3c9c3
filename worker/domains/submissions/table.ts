// Submissions: one row per student and assignment, created on the first event; each attempt has a version.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state, string, time } from '../../database/columns';

/** Submitted and not graded since (defines needs_grading_count); literal, to match its partial index. */
export const awaitsGrade = sql`submission_type is not null and excused = 0 and (workflow_state = 'pending_review' or (workflow_state in ('submitted', 'graded') and (score is null or graded_attempt is not attempt)))`;

export const submissions = sqliteTable(
  'submissions',
  {
    /** Derived from assignment and student (rules/submission_ids.ts), so that a submission has an id before it has a row. */
    id: int().primaryKey(),
    course_id: int().notNull(),
    assignment_id: int().notNull(),
    user_id: int().notNull(),
    attempt: int(),
    submission_type: string(),
    body: string(),
    url: string(),
    attachment_ids: json<number[]>().notNull().default([]),
    /** A recording in a media service. */
    media_comment_id: string(),
    media_comment_type: state('audio', 'video'),
    /** The grader who submitted it on behalf of the student. */
    proxy_submitter_id: int(),
    submitted_at: time(),
    score: number(),
    grade: string(),
    /** The attempt that was graded. */
    graded_attempt: int(),
    graded_at: time(),
    grader_id: int(),
    posted_at: time(),
    excused: bool().notNull().default(false),
    late_policy_status: state('none', 'late', 'missing', 'extended'),
    seconds_late_override: int(),
    /** A status of the institution in place of `late_policy_status`, which then is `none`. */
    custom_grade_status_id: int(),
    points_deducted: number(),
    /** The grade before a deduction for lateness; null without one. `score` and `grade` are what counts. */
    entered_score: number(),
    entered_grade: string(),
    /** The late policy gave the score because nothing was submitted. */
    is_missing_score: bool().notNull().default(false),
    extra_attempts: int(),
    sticker: string(),
    /** When a grader asked the student to submit again; null once they have, by a trigger. */
    redo_requested_at: time(),
    workflow_state: state('unsubmitted', 'submitted', 'pending_review', 'graded', 'deleted').notNull().default('unsubmitted'),
    ...created(),
  },
  (submission) => [
    uniqueIndex('submissions_once').on(submission.assignment_id, submission.user_id),
    index('submissions_of_user_in_course').on(submission.user_id, submission.course_id),
    index('submissions_in_course').on(submission.course_id, submission.id),
    index('submissions_by_grading_date').on(submission.course_id, submission.graded_at).where(sql`graded_at is not null`),
    index('submissions_handed_in').on(submission.assignment_id).where(sql`submission_type is not null`),
    index('submissions_graded').on(submission.assignment_id, submission.posted_at).where(sql`graded_at is not null`),
    index('submissions_to_grade').on(submission.assignment_id, submission.user_id).where(awaitsGrade),
    index('submissions_by_custom_status').on(submission.custom_grade_status_id).where(sql`custom_grade_status_id is not null`),
    index('submissions_of_user_by_grade')
      .on(submission.user_id, submission.graded_at, submission.assignment_id)
      .where(sql`graded_at is not null`),
  ],
);

/** Earlier attempts and grades, newest attempt last. */
export const submission_versions = sqliteTable(
  'submission_versions',
  {
    submission_id: int().notNull(),
    attempt: int().notNull(),
    version: json<Record<string, unknown>>().notNull(),
    created_at: time().notNull(),
  },
  (version) => [primaryKey({ columns: [version.submission_id, version.attempt] })],
);

export const submission_comments = sqliteTable(
  'submission_comments',
  {
    id: id(),
    submission_id: int().notNull(),
    author_id: int().notNull(),
    comment: string().notNull(),
    attempt: int(),
    attachment_ids: json<number[]>().notNull().default([]),
    media_comment_id: string(),
    media_comment_type: state('audio', 'video'),
    is_draft: bool().notNull().default(false),
    edited_at: time(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    created_at: time().notNull(),
  },
  (comment) => [
    index('submission_comments_of_submission').on(comment.submission_id, comment.id),
    index('submission_comments_of_author').on(comment.author_id, comment.submission_id),
  ],
);

/** Items a user has read: `grade`, `comment`, `rubric`, or `submission` for all. */
export const submission_reads = sqliteTable(
  'submission_reads',
  { submission_id: int().notNull(), user_id: int().notNull(), item: string().notNull(), read: bool().notNull(), read_at: time().notNull() },
  (read) => [primaryKey({ columns: [read.submission_id, read.user_id, read.item] })],
);
