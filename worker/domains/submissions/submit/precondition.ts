// Reads everything needed to validate a submission, in one round trip.

import { and, eq, getTableColumns, ne, or, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isStudent } from '../../../contexts/predicates';
import type { SectionContext } from '../../../contexts/section';
import { among } from '../../../database/ids';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { found } from '../../../http/problem';
import { assignedTo, effectiveDate, reaching } from '../../../rules/assigned';
import { isNewQuiz } from '../../../rules/new_quizzes';
import { submissionIdOf } from '../../../rules/submission_ids';
import type { SubmissionRow } from '../../assignments/submissions/columns';
import { matesOf, teamOf } from '../../assignments/submissions/teams';
import { assignments } from '../../assignments/table';
import { enrollments } from '../../enrollments/table';
import { files } from '../../files/table';
import { bytesFor } from '../../files/upload/submission_limits';
import { moduleLockOf, moduleLocks } from '../../modules/locks';
import { users } from '../../users/table';
import { submissions } from '../table';

export interface SubmitPrecondition {
  readonly user_id: number;
  /** Other members of the student's group. */
  readonly mateIds: readonly number[];
  readonly assignment: RowOf<typeof assignments> & {
    readonly effective_unlock_at: string | null;
    readonly effective_lock_at: string | null;
    readonly is_assigned: number;
    readonly is_new_quiz: number;
  };
  readonly before: SubmissionRow | undefined;
  readonly files: readonly { readonly id: number; readonly display_name: string }[];
  readonly isLockedByModule: boolean;
  /** Bytes that the caller has already uploaded for it. */
  readonly stored: number;
  /** An active student of the course, and of the path's section. */
  readonly isStudent: boolean;
}

/** Without a course context, as in a job, modules lock nothing. */
type Asking = Pick<Call, 'db' | 'now'> & { readonly me: { readonly id: number }; readonly course?: CourseContext };

interface Asked {
  readonly course: { readonly id: number };
  readonly section?: SectionContext;
  /** Selects of the ids. */
  readonly assignment: SQL;
  readonly user: SQL;
  readonly fileIds: readonly number[];
  /** On behalf of a student, a grader can submit only files uploaded for that submission, not the student's own files. */
  readonly forOther?: boolean;
}

/** @throws Problem 404 for an unknown assignment or user */
export async function readSubmitPrecondition(call: Asking, asked: Asked): Promise<SubmitPrecondition> {
  const { build } = call.db;
  const { course, section, fileIds } = asked;
  const user = sql`(${asked.user})`;
  const assignment = sql`(${asked.assignment})`;
  const ofStudent = and(eq(files.context_type, 'User'), eq(files.context_id, user));
  const team = sql`(select ${teamOf(user)} from assignments where assignments.id = ${assignment})`;
  const ofTeam = and(eq(files.context_type, 'Group'), eq(files.context_id, team));
  const source = reaching(sql.raw('= assignments.id'), user);
  const [there, befores, own, locks, enrolled, people, mates, stored] = await call.db.perform([
    build
      .select({
        ...getTableColumns(assignments),
        effective_unlock_at: effectiveDate('unlock_at', source, call.now).as('effective_unlock_at'),
        effective_lock_at: effectiveDate('lock_at', source, call.now).as('effective_lock_at'),
        is_assigned: sql<number>`${assignedTo(user)}`.as('is_assigned'),
        is_new_quiz: sql<number>`${isNewQuiz}`.as('is_new_quiz'),
      })
      .from(assignments)
      .where(and(eq(assignments.id, assignment), eq(assignments.course_id, course.id), ne(assignments.workflow_state, 'deleted'))),
    build
      .select()
      .from(submissions)
      .where(and(eq(submissions.assignment_id, assignment), eq(submissions.user_id, user))),
    build
      .select({ id: files.id, display_name: files.display_name })
      .from(files)
      .where(
        and(
          among(files.id, fileIds),
          eq(files.workflow_state, 'available'),
          asked.forOther
            ? and(eq(files.user_id, call.me.id), eq(files.is_submitted, true), ofStudent)
            : or(eq(files.user_id, user), ofStudent, ofTeam),
        ),
      ),
    moduleLocks('Assignment', asked.assignment, call),
    build
      .select({ id: enrollments.id })
      .from(enrollments)
      .where(
        and(
          eq(enrollments.user_id, user),
          eq(enrollments.course_id, course.id),
          isStudent(),
          eq(enrollments.enrollment_state, 'active'),
          section ? eq(enrollments.course_section_id, section.id) : undefined,
        ),
      ),
    build.select({ id: users.id }).from(users).where(eq(users.id, user)),
    build.all<{ user_id: number }>(
      sql`select users.id as user_id from assignments join users on users.id in (${matesOf(user)}) where assignments.id = ${assignment}`,
    ),
    build.all<{ bytes: number }>(sql`select ${bytesFor(submissionIdOf(assignment, user), call.me.id)} as bytes`),
  ]);
  const row = found(there[0]);
  return {
    user_id: found(people[0]).id,
    mateIds: mates.map(({ user_id }) => user_id),
    assignment: row,
    before: befores[0],
    files: own,
    isLockedByModule: moduleLockOf(locks, 'Assignment', row.id, call.now) !== undefined,
    stored: stored[0]?.bytes ?? 0,
    isStudent: enrolled.length > 0,
  };
}
