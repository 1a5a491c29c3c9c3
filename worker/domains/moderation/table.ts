// Moderated grading: provisional grades of several graders, and which of them counts.

import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, state, string, time } from '../../database/columns';

export const provisional_grades = sqliteTable(
  'provisional_grades',
  {
    id: id(),
    submission_id: int().notNull(),
    scorer_id: int().notNull(),
    /** Of the final grader, in place of a choice among the others. */
    is_final: bool().notNull().default(false),
    /** Null aborts the write of a grader without a place among the graders of the assignment, and of a grade after publication. */
    is_admitted: bool().notNull(),
    score: number(),
    grade: string(),
    graded_attempt: int(),
    /** Whether the grader has graded without seeing names; null where the settings of the assignment tell. */
    graded_anonymously: bool(),
    graded_at: time(),
    ...created(),
  },
  (grade) => [uniqueIndex('provisional_grades_once').on(grade.submission_id, grade.scorer_id, grade.is_final)],
);

/** Comments of graders; the chosen grader's become comments of the submission when grades are published. */
export const provisional_comments = sqliteTable(
  'provisional_comments',
  {
    id: id(),
    provisional_grade_id: int().notNull(),
    comment: string().notNull(),
    attempt: int(),
    attachment_ids: json<number[]>().notNull().default([]),
    /** A recording in a media service. */
    media_comment_id: string(),
    media_comment_type: state('audio', 'video'),
    created_at: time().notNull(),
  },
  (comment) => [index('provisional_comments_of_grade').on(comment.provisional_grade_id, comment.id)],
);

/** The graders of an assignment, at most as many as its `grader_count`. */
export const moderation_graders = sqliteTable(
  'moderation_graders',
  { assignment_id: int().notNull(), user_id: int().notNull() },
  (grader) => [primaryKey({ columns: [grader.assignment_id, grader.user_id] })],
);

/** Submissions in the moderation set, with the selected grade. */
export const moderation_selections = sqliteTable('moderation_selections', {
  submission_id: int().primaryKey(),
  provisional_grade_id: int(),
  ...created(),
});

/** Assignments whose grades are published, which is irreversible. */
export const published_moderations = sqliteTable('published_moderations', {
  assignment_id: int().primaryKey(),
  published_at: time().notNull(),
});
