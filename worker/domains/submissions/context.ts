// Contexts of submissions: a course or a section; and the slots visible to a caller there.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { anonymousAssignment } from '../../contexts/anonymous_students';
import type { CourseContext } from '../../contexts/course';
import { idOf } from '../../contexts/references';
import type { SectionContext } from '../../contexts/section';
import type { Call } from '../../http/call';
import { ascending, type Listing, rows } from '../../http/listing';
import { anonymousOrder } from '../../rules/anonymous_grading';
import { presentAssignments, visibleAssignments } from '../assignments/policy';
import type { SubmissionWithColumns } from '../assignments/submissions/columns';
import { seesAllGrades } from '../assignments/submissions/policy';
import { concernsStudent, isAssigned, type Students, slotColumns, slots, studentsHere } from '../assignments/submissions/slots';
import { isFirstOfTeam } from '../assignments/submissions/teams';
import { assignments } from '../assignments/table';
import { submissions } from './table';

/** Every path exists below a course and below a section. */
export const submissionContexts = ['/courses/:course_id', '/sections/:section_id'] as const;

/** The context of a request: below `/courses` there is no section. */
export interface Here {
  readonly course: CourseContext;
  readonly section?: SectionContext;
  readonly now: string;
}

/** The id of the path's assignment; empty when deleted or in another course. */
export const assignmentAt = ({ course, path }: { course: { id: number }; path: { assignment_id: string } }): SQL =>
  sql`select id from assignments where id = (${idOf('assignment', path.assignment_id)}) and course_id = ${course.id} and workflow_state <> 'deleted'`;

/** The path's assignment if it exists, and whether the caller sees it. Graders see the whole course, regardless of the path's user. */
export const assignmentSeen = (call: Pick<Call, 'db' | 'me' | 'user'> & Here & { readonly path: { readonly assignment_id: string } }) => {
  const { course, db } = call;
  const isVisible = visibleAssignments(course, seesAllGrades(course) ? { ...call, path: {} } : call);
  return db.build
    .select({ id: assignments.id, is_visible: sql<number>`(${isVisible})`.as('is_visible') })
    .from(assignments)
    .where(and(eq(assignments.course_id, course.id), presentAssignments, sql`${assignments.id} = (${assignmentAt(call)})`));
};

/** Students' view is limited to published assignments; graders also see submissions of unpublished ones. */
const open = (course: CourseContext): SQL =>
  seesAllGrades(course) || course.readsAsAdmin ? sql`1` : sql`assignments.workflow_state = 'published'`;

/** The submission of one user, whether or not there is a row. */
export const slotOf = ({ course, section, now }: Here, assignment: SQL, user_id: number): Listing<SubmissionWithColumns> => {
  const students: Students = {
    ...studentsHere(course, section),
    types: 'all',
    states: ['active', 'completed', 'inactive', 'invited', 'creation_pending'],
    isNamed: true,
  };
  const chosen = and(sql`assignments.id = (${assignment})`, sql`e.user_id = ${user_id}`, open(course), concernsStudent) as SQL;
  return rows(submissions, {
    from: slots({ course, now }, students, chosen),
    columns: slotColumns,
    where: undefined,
  }) as Listing<SubmissionWithColumns>;
};

type AtAssignment = Here & Pick<Call, 'env'> & { readonly path: { readonly assignment_id: string } };

/** The sort key of a list of the path's assignment, if its students are anonymous to the caller. @param user the id of the student */
export function anonymousOrderOf({ course, env, path }: AtAssignment, user: SQL): SQL[] {
  const hidden = anonymousAssignment(course, path.assignment_id);
  return hidden ? [anonymousOrder(env.SIGNING_SECRET, hidden.id, user)] : [];
}

/** One for every student to whom the assignment is assigned, by id; or one per group, for group assignments. */
export const slotsOf = (call: AtAssignment, assignment: SQL, isGrouped = false): Listing<SubmissionWithColumns> =>
  rows(submissions, {
    from: slots(
      call,
      studentsHere(call.course, call.section),
      and(sql`assignments.id = (${assignment})`, isAssigned, isGrouped ? isFirstOfTeam : undefined) as SQL,
    ),
    columns: slotColumns,
    where: undefined,
    order: ascending(...anonymousOrderOf(call, sql`${submissions.user_id}`), submissions.user_id),
  }) as Listing<SubmissionWithColumns>;
