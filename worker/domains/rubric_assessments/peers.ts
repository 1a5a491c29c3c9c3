// Reads what a peer review needs: the rubric, and whether the caller has been assigned to review the student.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isEnrolledStudent } from '../../contexts/predicates';
import type { Call } from '../../http/call';
import { found, unauthorized } from '../../http/problem';
import { reviewsAnonymously } from '../../rules/peer_reviews';
import { studentOfSubmission, submissionId } from '../../rules/submission_ids';
import { pairedRubrics, rubricsForGrading, type UsedRubric, usesForGrading } from '../rubrics/assessments/writes';

interface Review {
  readonly used: UsedRubric;
  readonly assignment: { readonly id: number; readonly course_id: number };
  readonly user_id: number;
}

type Reviewing = Pick<Call, 'db' | 'me'> & { readonly course: CourseContext };

/** A student by assignment: who has an anonymous id differs by assignment. */
export type StudentIn = (assignment_id: number) => number | undefined;

/**
 * @param assignments a select of the assignment
 * @param which a condition on its association
 * @param named the student; by an anonymous id where the reviews are anonymous
 * @param isOwn the student is that of an assessment which the caller has made
 * @throws Problem 401 unless the caller has been assigned, 404 without a rubric
 */
export async function readReview(
  call: Reviewing,
  assignments: SQL,
  which: SQL,
  named: number | StudentIn,
  isOwn: boolean,
): Promise<Review> {
  const { db, me, course } = call;
  const student = studentOfSubmission(sql.raw('r.submission_id'));
  const [uses, rubrics, requests] = await db.perform([
    usesForGrading(call, assignments, which),
    rubricsForGrading(call, assignments, course),
    db.build.all<{ id: number; course_id: number; submission_id: number; is_anonymous: number }>(
      sql`select assignments.id as id, assignments.course_id as course_id, r.submission_id as submission_id, ${reviewsAnonymously} as is_anonymous
        from assessment_requests r join assignments on assignments.id = r.assignment_id and assignments.workflow_state = 'published'
        where r.assessor_id = ${me.id} and r.assignment_id in (${assignments}) and r.workflow_state <> 'deleted'
          and exists (select 1 from enrollments e where e.course_id = assignments.course_id and e.user_id = ${student} and ${isEnrolledStudent('e')})`,
    ),
  ]);
  for (const { submission_id, is_anonymous, ...assignment } of requests) {
    const user_id = typeof named === 'number' ? named : named(assignment.id);
    const isNamed = typeof named === 'number' ? isOwn || is_anonymous === 0 : is_anonymous === 1;
    if (user_id !== undefined && isNamed && submissionId(assignment.id, user_id) === submission_id)
      return { used: found(pairedRubrics(uses, rubrics, course)[0]), assignment, user_id };
  }
  throw unauthorized();
}
