// Analytics: counters of activity, and stored figures of courses, assignments and accounts.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, int, json, number, state, string, time } from '../../database/columns';

/** Views and participations in a course, by day (UTC). */
export const course_activity = sqliteTable(
  'course_activity',
  {
    course_id: int().notNull(),
    /** `YYYY-MM-DD`. */
    day: string().notNull(),
    views: int().notNull(),
    participations: int().notNull(),
  },
  (activity) => [primaryKey({ columns: [activity.course_id, activity.day] }), index('course_activity_by_day').on(activity.day)],
);

/** Views of a course by category. */
export const course_categories = sqliteTable(
  'course_categories',
  { course_id: int().notNull(), category: string().notNull(), views: int().notNull() },
  (count) => [primaryKey({ columns: [count.course_id, count.category] })],
);

/** What a student has done in a course in a week. Each pass of the counting chore appends to the texts, so that a row is not read first. */
export const student_weeks = sqliteTable(
  'student_weeks',
  {
    course_id: int().notNull(),
    user_id: int().notNull(),
    /** The start of the week, in Unix seconds. */
    week: int().notNull(),
    /** `495000 12,`: the hour (since 1970) and views in it; an hour may occur several times. */
    hours: string().notNull(),
    /** A line for each participation: its time in seconds, and the path of the request. */
    participated: string().notNull(),
  },
  (count) => [primaryKey({ columns: [count.course_id, count.user_id, count.week] }), index('student_weeks_by_week').on(count.week)],
);

/** The students of a course, with the sort keys of their list. Rows are made by triggers, and stay when a student leaves. */
export const course_students = sqliteTable(
  'course_students',
  {
    id: int().primaryKey(),
    course_id: int().notNull(),
    user_id: int().notNull(),
    /** Has an active or concluded enrollment. */
    is_student: bool().notNull(),
    page_views: int().notNull().default(0),
    participations: int().notNull().default(0),
    /** The current score as last computed; -1e9 without one. */
    sort_score: number().notNull().default(-1e9),
  },
  (student) => [
    uniqueIndex('course_students_once').on(student.course_id, student.user_id),
    index('course_students_by_views').on(student.course_id, student.page_views, student.user_id).where(sql`is_student = 1`),
    index('course_students_by_participations').on(student.course_id, student.participations, student.user_id).where(sql`is_student = 1`),
    index('course_students_by_score').on(student.course_id, student.sort_score, student.user_id).where(sql`is_student = 1`),
  ],
);

/** Quartiles and the maximum of a counter over the students of a course. */
export interface Spread {
  readonly first: number;
  readonly third: number;
  readonly max: number;
}

export interface CourseFigures {
  readonly page_views: Spread;
  readonly participations: Spread;
  readonly discussion_topics: number;
  readonly media_objects: number;
  readonly attachments: number;
  readonly assignments: number;
  /** How many students have each current score, rounded to an integer; others are absent. */
  readonly grades: Readonly<Record<string, number>>;
}

/** Figures of a course, computed by a chore some time after a change. */
export const course_figures = sqliteTable(
  'course_figures',
  {
    course_id: int().primaryKey(),
    figures: json<CourseFigures>(),
    /** `computing` from the start of a computation, so that a change during it is not lost. */
    workflow_state: state('current', 'stale', 'computing').notNull(),
    /** The student after whom the computation continues. */
    after_user: int().notNull().default(0),
    /** Blank before the first computation. */
    computed_at: string().notNull().default(''),
  },
  (figure) => [index('course_figures_stale').on(figure.computed_at, figure.course_id).where(sql`workflow_state <> 'current'`)],
);

export interface ScoreStatistics {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly first: number;
  readonly median: number;
  readonly third: number;
}

export interface AssignmentFigures {
  /** Over all scores; null without any. */
  readonly scores: ScoreStatistics | null;
  /** Over the scores that their students see. */
  readonly posted: ScoreStatistics | null;
  readonly on_time: number;
  readonly late: number;
  readonly missing: number;
  readonly floating: number;
}

/** Figures of an assignment, computed by a chore some minutes after a change. */
export const assignment_figures = sqliteTable(
  'assignment_figures',
  {
    assignment_id: int().primaryKey(),
    figures: json<AssignmentFigures>(),
    /** When it has to be computed again: the next due date of a student; blank at once, null never. */
    stale_at: time(),
  },
  (figure) => [index('assignment_figures_stale').on(figure.stale_at, figure.assignment_id).where(sql`stale_at is not null`)],
);

export interface AccountFigures {
  readonly courses: number;
  readonly teachers: number;
  readonly students: number;
  readonly discussion_topics: number;
  readonly media_objects: number;
  readonly attachments: number;
  readonly assignments: number;
  readonly grades: Readonly<Record<string, number>>;
  readonly by_date: Readonly<Record<string, number>>;
  readonly by_category: Readonly<Record<string, number>>;
}

/** Figures of the courses of a term in an account and the accounts below it, computed by a chore. */
export const account_figures = sqliteTable(
  'account_figures',
  {
    account_id: int().notNull(),
    term_id: int().notNull(),
    /** Which courses: available, concluded or both. */
    scope: state('current', 'completed', 'all').notNull(),
    figures: json<AccountFigures>().notNull(),
    computed_at: time().notNull(),
  },
  (figure) => [primaryKey({ columns: [figure.account_id, figure.term_id, figure.scope] })],
);

/** How far the chores of analytics have come: in the change log, and in the list of accounts. */
export const analytics_walks = sqliteTable('analytics_walks', {
  name: string().primaryKey(),
  position: int().notNull(),
  /** When the current round has begun. */
  began_at: time().notNull(),
});
