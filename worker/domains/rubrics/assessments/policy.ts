// Which assessments a caller may see (reference 03 §13).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isInSectionLimit } from '../../../contexts/section_limit';
import type { Call } from '../../../http/call';
import { type Listing, rows } from '../../../http/listing';
import { isAnonymisedSql } from '../../../rules/anonymous_grading';
import { rubric_assessments } from '../../rubric_assessments/table';

/** The assessments of a rubric that one response contains. */
export const mostAssessments = 500;

/** Provisional assessments are shown with the provisional grades, to those who may see these. */
const isFinal = sql`rubric_assessments.assessment_type <> 'provisional_grade'`;

/** Assessments of students who are anonymous to the caller are left out. Administrators of an account see names. */
const isPresent = ({ course }: Pick<Call, 'course'>): SQL => sql`exists (select 1 from rubric_associations used
  join assignments a on a.id = rubric_assessments.assignment_id and a.workflow_state <> 'deleted'${course ? sql` and not ${isAnonymisedSql('a', course)}` : sql``}
  where used.id = rubric_assessments.rubric_association_id and used.workflow_state = 'active')`;

export const seesAssessments = ({ course, account }: Pick<Call, 'course' | 'account'>): boolean =>
  ['view_all_grades', 'manage_grades'].some((right) => (course ?? account)?.can(right));

/**
 * The assessments of a rubric that a grader may see, by course.
 * @param rubric a select of one id
 * @param after the id of the assessment that precedes them
 */
export function assessmentsOf(rubric: SQL, { course }: Pick<Call, 'course'>, type: SQL | undefined, after: number | undefined) {
  return rows(rubric_assessments, {
    where: and(
      // Not `in`, for which SQLite would sort the assessments of all rubrics before it takes the first.
      sql`${rubric_assessments.rubric_id} = ${rubric}`,
      course ? eq(rubric_assessments.course_id, course.id) : undefined,
      type,
      after === undefined
        ? undefined
        : sql`(rubric_assessments.course_id, rubric_assessments.id) > (select p.course_id, p.id from rubric_assessments p where p.id = ${after})`,
      isPresent({ course }),
      isFinal,
      isInSectionLimit(course, sql`rubric_assessments.user_id`),
    ),
    order: [{ by: rubric_assessments.course_id }, { by: rubric_assessments.id }],
    limit: mostAssessments,
  }) as Listing<typeof rubric_assessments.$inferSelect>;
}
