// Reads what a peer review needs: the rubric, and whether the caller has been assigned to review the student.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isEnrolledStudent } from '../../contexts/predicates';
import type { Call } from '../../http/call';
import { found, unauthorized } from '../../http/problem';
import { isAssignedReviewer } from '../../rules/peer_reviews';
import { submissionIdOf } from '../../rules/submission_ids';
import { pairedRubrics, rubricsForGrading, type UsedRubric, usesForGrading } from '../rubrics/assessments/writes';

interface Review {
  readonly used: UsedRubric;
  readonly assignment: { readonly id: number; readonly course_id: number };
}

type Reviewing = Pick<Call, 'db' | 'me'> & { readonly course: CourseContext };

/**
 * @param assignments a select of the assignment
 * @param which a condition on its association
 * @throws Problem 401 unless the caller has been assigned, 404 without a rubric
 */
export async function readReview(call: Reviewing, assignments: SQL, which: SQL, student: number): Promise<Review> {
  const { db, me, course } = call;
  const [uses, rubrics, [assignment]] = await db.perform([
    usesForGrading(call, assignments, which),
    rubricsForGrading(call, assignments, course),
    db.build.all<{ id: number; course_id: number; is_reviewer: number }>(
      sql`select assignments.id, assignments.course_id, ${isAssignedReviewer(sql`${me.id}`, submissionIdOf(sql.raw('assignments.id'), sql`${student}`))} as is_reviewer from assignments
        where assignments.id in (${assignments}) and assignments.workflow_state = 'published'
          and exists (select 1 from enrollments e where e.course_id = assignments.course_id and e.user_id = ${student} and ${isEnrolledStudent('e')})`,
    ),
  ]);
  if (!assignment?.is_reviewer) throw unauthorized();
  return { used: found(pairedRubrics(uses, rubrics, course)[0]), assignment };
}
