// Which New Quizzes exist for a viewer: those of the assignments that exist for them.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { idOf } from '../../contexts/references';
import type { Call } from '../../http/call';
import { isNewQuiz } from '../../rules/new_quizzes';
import { presentAssignments, visibleAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';

/** A select of the id in a path. */
export const newQuizIn = (path: { readonly assignment_id: string }): SQL => idOf('assignment', path.assignment_id);

/** The New Quiz of a path, as far as the caller sees it. */
export const visibleNewQuiz = (
  course: CourseContext,
  call: Pick<Call, 'me' | 'user'> & { path: { assignment_id: string } },
): SQL | undefined => and(eq(assignments.id, sql`(${newQuizIn(call.path)})`), visibleAssignments(course, call), isNewQuiz);

/** The same for callers who see all that is not deleted. */
export const presentNewQuiz = (course: CourseContext, path: { readonly assignment_id: string }): SQL =>
  sql`assignments.id = (${newQuizIn(path)}) and assignments.course_id = ${course.id} and ${presentAssignments} and ${isNewQuiz}`;
