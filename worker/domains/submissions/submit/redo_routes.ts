// Requests to do a submission again, below a course and below a section. Canvas has them outside of its API, at the same path.

import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import { put } from '../../../http/endpoint';
import { found, Problem, refused, unauthorized } from '../../../http/problem';
import { answer, type Reply, write } from '../../../http/reply';
import { moderatesGrading, moderationOf } from '../../../rules/moderated_grading';
import { submissionId } from '../../../rules/submission_ids';
import { studentNamed } from '../../assignments/submissions/anonymity';
import { assignmentAt, type Here, submissionContexts } from '../context';
import { readGradePrecondition } from '../grading/authorisation';
import { submissions } from '../table';
import { redoRefusal } from './redo_refusal';

type Asking = Pick<Call, 'db' | 'me' | 'now' | 'user'> & Here & { readonly path: { readonly assignment_id: string } };

/**
 * @throws Problem 401 without a due date, and for a grader of a moderated assignment that another user grades finally; 400 for work that the student
 * cannot submit again, 422 while the assignment is locked for them
 */
async function requestRedo(call: Asking, user_id: number): Promise<Reply> {
  const { course, section, db, now } = call;
  const asked = { course, section, assignments: assignmentAt(call), users: [String(user_id)], fileIds: [], asksForDates: true };
  const ground = await readGradePrecondition({ ...call, user: undefined }, asked);
  const assignment = found(ground.assignments[0]);
  const student = found(ground.students[0]);
  const moderation = moderationOf(assignment.options);
  const hasOtherGrader = moderation.final_grader_id !== null && !moderatesGrading(call.me, course, moderation);
  if (!student.is_assigned || hasOtherGrader) throw unauthorized();
  if (!student.is_due) throw refused(401, 'The assignment has no due date for the student.');
  const refusal = redoRefusal(assignment, ground.attempts[0], student.is_closed === 1);
  if (refusal) throw new Problem(400, { error: refusal });
  if (student.is_locked)
    throw new Problem(422, { errors: { message: 'The assignment is locked for the student.', error_code: 'ASSIGNMENT_LOCKED' } });
  const own = and(eq(submissions.id, submissionId(assignment.id, user_id)), isNotNull(submissions.attempt), eq(submissions.excused, false));
  return write(
    [
      db.build
        .update(submissions)
        .set({ redo_requested_at: sql`coalesce(${submissions.redo_requested_at}, ${now})`, updated_at: now })
        .where(own),
    ],
    answer(null),
  );
}

const options = { can: 'manage_grades', returns: { json: null }, status: 204 } as const;

export const redoRoutes = submissionContexts.flatMap((place) => [
  put(
    `${place}/assignments/:assignment_id/submissions/:user_id/reassign`,
    { ...options, summary: 'Ask a student to submit again' },
    (call) => requestRedo(call, call.user.id),
  ),
  put(
    `${place}/assignments/:assignment_id/anonymous_submissions/:anonymous_id/reassign`,
    { ...options, summary: 'Ask a student to submit again, by the anonymous id' },
    (call) => requestRedo(call, studentNamed(call, call.path.assignment_id, call.path.anonymous_id)),
  ),
]);
