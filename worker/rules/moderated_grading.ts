// Moderated grading: its settings, who moderates, and whether grades are published (reference 03 §1.2, §8).

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../contexts/course';

export interface Moderation {
  readonly moderated_grading: boolean;
  readonly grader_count: number;
  readonly final_grader_id: number | null;
  readonly graders_anonymous_to_graders: boolean;
  readonly grader_comments_visible_to_graders: boolean;
  readonly grader_names_visible_to_final_grader: boolean;
}

export const unmoderated: Moderation = {
  moderated_grading: false,
  grader_count: 0,
  final_grader_id: null,
  graders_anonymous_to_graders: false,
  grader_comments_visible_to_graders: true,
  grader_names_visible_to_final_grader: true,
};

/** The settings in the options of an assignment. */
export const moderationOf = (options: Readonly<Record<string, unknown>>): Moderation => ({
  ...unmoderated,
  ...(options as Partial<Moderation>),
});

/** The final grader; without one, every holder of the permission. Account admins with the permission always moderate. */
export function moderatesGrading(me: { readonly id: number }, course: CourseContext, { final_grader_id }: Moderation): boolean {
  if (final_grader_id === me.id) return course.can('manage_grades');
  return course.can('select_final_grade') && (final_grader_id === null || course.isAdmin);
}

/** With fewer than two instructors there is one grader; otherwise one instructor remains to select the final grade. */
export const mostGraders = (instructors: number): number => (instructors < 2 ? 1 : Math.min(10, instructors - 1));

/** Whether grades are published, for a row of `assignments`. */
export const isModerationPublished: SQL = sql`exists (select 1 from published_moderations p where p.assignment_id = assignments.id)`;
