// Which quizzes exist for a viewer.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type CourseContext, hidesTab } from '../../contexts/course';
import type { Call } from '../../http/call';
import { isVisibleTo } from '../assignments/policy';
import { seesAsStaff, viewingUser } from '../assignments/viewpoint';
import { closedModules, isReachable } from '../modules/items/content';
import { quizzes } from './table';

type Looking = Pick<Call, 'me' | 'user' | 'path'>;

/** Kept literal, so that SQLite matches the partial index of live quizzes. */
export const presentQuizzes: SQL = sql`quizzes.workflow_state <> 'deleted'`;

/** Staff see all that are not deleted; others see published quizzes: graded ones that are assigned to them, and others in modules that are. */
export const visibleQuizzes = (course: CourseContext, call: Looking): SQL | undefined => {
  const within = { ...call, course };
  const reached = course.participates ? isReachable('Quiz', 'quizzes.id', closedModules(call.me.id, course.id)) : sql`1`;
  const isAssigned = sql`((quizzes.assignment_id is null and ${reached}) or exists (select 1 from assignments where assignments.id = quizzes.assignment_id and ${isVisibleTo(viewingUser(within))}))`;
  return and(
    eq(quizzes.course_id, course.id),
    presentQuizzes,
    seesAsStaff(course, within) ? undefined : sql`quizzes.workflow_state = 'available' and ${isAssigned}`,
  );
};

/** Whether the course lists its quizzes for the caller. */
export const listsQuizzes = (course: CourseContext): boolean => course.readsAsAdmin || !hidesTab(course, 'quizzes');

export const presentQuiz = (course: CourseContext, id: number): SQL | undefined =>
  and(eq(quizzes.id, id), eq(quizzes.course_id, course.id), presentQuizzes);

/** Whether a student has begun an attempt, or submitted to the assignment. */
export const quizHasAttempts = sql<number>`(exists (select 1 from quiz_submissions where quiz_submissions.quiz_id = quizzes.id and quiz_submissions.workflow_state not in ('settings_only', 'preview'))
  or exists (select 1 from submissions where submissions.assignment_id = quizzes.assignment_id and submissions.submission_type is not null and submissions.workflow_state <> 'deleted'))`;
