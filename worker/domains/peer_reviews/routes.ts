// Peer reviews: every endpoint, each below a course and below a section (reference 03 §7).

import { idField } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { anonymousAssignment } from '../../contexts/anonymous_students';
import type { Call } from '../../http/call';
import { del, get, post } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found, notFound, Problem, unauthorized } from '../../http/problem';
import { judged, list, one, type Reply, write } from '../../http/reply';
import { submissionIdIn } from '../../rules/anonymous_ids';
import { assignedTo } from '../../rules/assigned';
import { notifyOfInsert, notifyOfUpdate } from '../../rules/notify';
import { studentIn, submissionId } from '../../rules/submission_ids';
import { assignments } from '../assignments/table';
import { anonymousOrderOf, assignmentAt, assignmentSeen, type Here, submissionContexts } from '../submissions/context';
import { peerReview, peerReviewIncludes } from './json';
import { isStudentHere, onlyReview, presentReview, reviewedStudent, visibleReviews } from './policy';
import { assessment_requests } from './table';

export const about = { title: 'Peer reviews', description: 'Students who review the submissions of others.' };

type AtAssignment = Pick<Call, 'db' | 'env' | 'me' | 'user'> & Here & { readonly path: { readonly assignment_id: string } };
type AtSubmission = AtAssignment & { readonly path: { readonly submission_id: string } };

const include = peerReviewIncludes;

/** @throws Problem 404 for what cannot be the id of a submission */
function submissionAt(call: Pick<Call, 'env' | 'me'> & Here & { readonly path: { readonly submission_id: string } }): number {
  const { path } = call;
  const id = Number(path.submission_id);
  if (!/^\d{1,16}$/.test(path.submission_id) || !Number.isSafeInteger(id)) throw notFound();
  return submissionIdIn(call, id);
}

/** The reply, if the caller sees the assignment. */
const ofSeen = (call: AtAssignment, then: Reply): Reply =>
  judged(
    assignmentSeen(call),
    ([it]) => {
      if (found(it).is_visible !== 1) throw unauthorized();
    },
    then,
  );

/**
 * Who reviews anonymous work is chosen by the service: a refused reviewer would be its author.
 * @throws Problem 401
 */
function refuseAnonymous({ course, path }: AtAssignment): void {
  if (anonymousAssignment(course, path.assignment_id)) throw unauthorized();
}

/** The assignment, and which of the two are students to whom the caller may assign reviews in it. */
async function readStudents(call: AtSubmission, assessor_id: number) {
  const author_id = studentIn(submissionAt(call));
  const isHere = (id: number) => isStudentHere(call, sql`${id}`);
  const [[there]] = await call.db.perform([
    call.db.build
      .select({
        id: assignments.id,
        has_author: sql<number>`(${isHere(author_id)} and ${assignedTo(sql`${author_id}`)})`.as('has_author'),
        has_assessor: sql<number>`(${isHere(assessor_id)})`.as('has_assessor'),
      })
      .from(assignments)
      .where(sql`${assignments.id} = (${assignmentAt(call)})`),
  ]);
  const assignment = found(there);
  if (submissionId(assignment.id, author_id) !== submissionAt(call) || !assignment.has_author || !assignment.has_assessor) throw notFound();
  return { assignment_id: assignment.id, author_id };
}

export const peerReviewRoutes = submissionContexts.flatMap((place) => {
  const all = `${place}/assignments/:assignment_id/peer_reviews` as const;
  const ofOne = `${place}/assignments/:assignment_id/submissions/:submission_id/peer_reviews` as const;
  return [
    get(all, { can: 'read', include, returns: [peerReview], summary: 'List peer reviews of an assignment' }, (call) =>
      ofSeen(
        call,
        list(
          rows(assessment_requests, {
            where: visibleReviews(call, assignmentAt(call)),
            order: ascending(...anonymousOrderOf(call, reviewedStudent), assessment_requests.same_id),
          }),
        ),
      ),
    ),

    get(ofOne, { can: 'read', include, returns: [peerReview], summary: 'List peer reviews of a submission' }, (call) =>
      ofSeen(
        call,
        list(
          rows(assessment_requests, {
            where: sql`${visibleReviews(call, assignmentAt(call), true)} and ${assessment_requests.submission_id} = ${submissionAt(call)}`,
            order: ascending(...anonymousOrderOf(call, sql`${assessment_requests.assessor_id}`), assessment_requests.assessor_id),
          }),
        ),
      ),
    ),

    post(
      ofOne,
      { can: 'manage_grades', params: { user_id: idField('user') }, include, returns: peerReview, summary: 'Create a peer review' },
      async (call) => {
        refuseAnonymous(call);
        const assessor_id = call.params.user_id;
        const submission_id = submissionAt(call);
        const { assignment_id, author_id } = await readStudents(call, assessor_id);
        if (author_id === assessor_id) throw new Problem(400, { errors: { base: 'reviewer and author of the submission are the same' } });
        const { db, now } = call;
        const set = { workflow_state: 'assigned' as const, updated_at: now };
        const removed = sql`${onlyReview(submission_id, assessor_id)} and assessment_requests.workflow_state = 'deleted'`;
        return write(
          [
            ...notifyOfUpdate(db, assessment_requests, { set, where: removed }, now),
            db.build.update(assessment_requests).set(set).where(removed),
            db.build
              .insert(assessment_requests)
              .values({ assignment_id, submission_id, assessor_id, created_at: now, updated_at: now })
              .onConflictDoNothing({ target: [assessment_requests.submission_id, assessment_requests.assessor_id] }),
            ...notifyOfInsert(db, assessment_requests, now),
          ],
          one(rows(assessment_requests, { where: onlyReview(submission_id, assessor_id) })),
        );
      },
    ),

    del(
      ofOne,
      { can: 'manage_grades', params: { user_id: idField('user') }, include, returns: peerReview, summary: 'Delete a peer review' },
      async (call) => {
        refuseAnonymous(call);
        const submission_id = submissionAt(call);
        const assessor_id = call.params.user_id;
        await readStudents(call, assessor_id);
        const { db } = call;
        const request = presentReview(submission_id, assessor_id);
        return judged(
          db.build.select({ id: assessment_requests.id }).from(assessment_requests).where(request),
          (there) => {
            if (there.length === 0) throw new Problem(400, { errors: { base: 'the user does not review this submission' } });
          },
          write(
            [db.build.update(assessment_requests).set({ workflow_state: 'deleted', updated_at: call.now }).where(request)],
            one(rows(assessment_requests, { where: onlyReview(submission_id, assessor_id) })),
          ),
        );
      },
    ),
  ];
});
