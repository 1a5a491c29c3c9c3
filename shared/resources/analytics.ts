// What clients see of analytics (reference of the API: Analytics).

import { bool, date, int, listOf, mapOf, maybe, number, object, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const CourseActivity = resource('CourseActivity', { date, views: int, participations: int });

export const StudentActivity = resource('StudentActivity', {
  /** By the start of the hour. */
  page_views: mapOf(int),
  /** Oldest first. */
  participations: listOf(object({ created_at: time, url: text })),
});

const tardiness = { on_time: number, late: number, missing: number, floating: number, total: int };

/** Absent where the caller may not see them. */
const statistics = {
  min_score: optional(maybe(number)),
  max_score: optional(maybe(number)),
  first_quartile: optional(maybe(number)),
  median: optional(maybe(number)),
  third_quartile: optional(maybe(number)),
};

const assignment = {
  assignment_id: int,
  title: text,
  points_possible: maybe(number),
  due_at: maybe(time),
  unlock_at: maybe(time),
  muted: bool,
  multiple_due_dates: bool,
  non_digital_submission: bool,
  module_ids: listOf(int),
  ...statistics,
};

export const AssignmentAnalytics = resource('AssignmentAnalytics', {
  ...assignment,
  /** Shares of `total`. */
  tardiness_breakdown: object(tardiness),
});

export const StudentAssignmentAnalytics = resource('StudentAssignmentAnalytics', {
  ...assignment,
  status: oneOf('on_time', 'late', 'missing', 'floating'),
  excused: bool,
  /** Absent without a submission. */
  submission: optional(object({ score: optional(maybe(number)), submitted_at: maybe(time), posted_at: maybe(time) })),
});

export const CourseStudentSummary = resource('CourseStudentSummary', {
  /** Of the user. */
  id: int,
  page_views: int,
  max_page_views: int,
  /** The same as `max_page_views`: both spellings are in use. */
  max_page_view: int,
  page_views_level: int,
  participations: int,
  max_participations: int,
  participations_level: int,
  tardiness_breakdown: object(tardiness),
});

export const AccountActivity = resource('AccountActivity', { by_date: mapOf(int), by_category: mapOf(int) });

const counts = {
  courses: int,
  teachers: int,
  students: int,
  discussion_topics: int,
  media_objects: int,
  attachments: int,
  assignments: int,
};

export const AccountStatistics = resource('AccountStatistics', { ...counts, subaccounts: int });

export const StatisticsBySubaccount = resource('StatisticsBySubaccount', { accounts: listOf(object({ id: int, name: text, ...counts })) });
