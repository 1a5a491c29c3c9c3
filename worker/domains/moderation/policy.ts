// Which students of a moderated assignment the caller may grade, and which are in the moderation set (reference 03 §8).

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isEnrolledStudent } from '../../contexts/predicates';
import { idOf } from '../../contexts/references';
import { inSectionLimit } from '../../contexts/section_limit';
import type { Call } from '../../http/call';
import { found, Problem, problem, unauthorized } from '../../http/problem';
import { assignedTo } from '../../rules/assigned';
import { isModerationPublished, type Moderation, moderatesGrading, moderationOf } from '../../rules/moderated_grading';
import { mostUsers, submissionIdOf } from '../../rules/submission_ids';
import { assignments } from '../assignments/table';

export type Moderating = Pick<Call, 'db' | 'env' | 'me' | 'now'> & {
  readonly course: CourseContext;
  readonly path: { readonly assignment_id: string };
};

type Looking = Pick<Call, 'db' | 'me'> & { readonly course: CourseContext; readonly path: { readonly assignment_id: string } };
type Named = Pick<Looking, 'path' | 'course'>;

/** A select of the id of the path's assignment. */
export const pathAssignment = ({ path, course }: Named): SQL =>
  sql`select a.id from assignments a where a.id = (${idOf('assignment', path.assignment_id)}) and a.course_id = ${course.id} and a.workflow_state <> 'deleted'`;

/**
 * The submissions of the path's assignment, whose ids begin with its id (rules/submission_ids.ts).
 * @param after the bookmark of the page: SQLite uses one lower bound of an index
 */
export const isInAssignment = (column: string, call: Named, after?: unknown): SQL => {
  const [first, last] = [0, mostUsers - 1].map((user) => submissionIdOf(sql`(${pathAssignment(call)})`, sql.raw(String(user))));
  if (after !== undefined) return sql`${sql.raw(column)} > max(${first}, ${after}) and ${sql.raw(column)} <= ${last}`;
  return sql`${sql.raw(column)} between ${first} and ${last}`;
};

/** A student of the course whom the caller sees. @param user SQL of the id */
export const isSeenStudent = (course: CourseContext, user: SQL): SQL =>
  sql`+exists (select 1 from enrollments e where e.user_id = ${user} and +e.course_id = ${course.id} and ${isEnrolledStudent('+e')}${inSectionLimit(course, 'e')})`;

/** Whether the assignment of the row is assigned to a student whom the caller sees. */
export const isGradedHere = (course: CourseContext, user: SQL): SQL => sql`(${isSeenStudent(course, user)} and ${assignedTo(user)})`;

export const moderatedAssignment = ({ db, course, path }: Looking) =>
  db.build
    .select({ id: assignments.id, options: assignments.options, is_published: sql<number>`${isModerationPublished}`.as('is_published') })
    .from(assignments)
    .where(sql`${assignments.id} = (${pathAssignment({ path, course })})`);

export interface ModeratedAssignment {
  readonly id: number;
  readonly moderation: Moderation;
  readonly is_published: boolean;
}

/** @throws Problem 404, or 400 unless it is moderated */
export function moderatedIn(rows: readonly { id: number; options: Record<string, unknown>; is_published: number }[]): ModeratedAssignment {
  const row = found(rows[0]);
  const moderation = moderationOf(row.options);
  if (!moderation.moderated_grading) throw problem(400, 'the assignment is not moderated');
  return { id: row.id, moderation, is_published: row.is_published === 1 };
}

/** @throws Problem 401 for callers who do not select final grades */
export function checkModerates({ me, course }: Pick<Looking, 'me' | 'course'>, { moderation }: ModeratedAssignment): void {
  if (!moderatesGrading(me, course, moderation)) throw unauthorized();
}

/** @throws Problem 400 once grades are published */
export function checkUnpublished({ is_published }: ModeratedAssignment): void {
  if (is_published) throw new Problem(400, { message: 'the grades are already published' });
}
