// The use of a rubric in responses to writes: for graders with the assessments and the peer reviews of its assignment (reference 03 §13.2).

import { WrittenAssociation } from '@carrel/shared/resources/rubric';
import { type SQL, sql } from 'drizzle-orm';
import { isInSectionLimit } from '../../contexts/section_limit';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { embed, type Serializer, serializer } from '../../http/serializer';
import { isAnonymisedSql } from '../../rules/anonymous_grading';
import { studentIn, studentOfSubmission } from '../../rules/submission_ids';
import { rubric_associations } from '../rubric_associations/table';
import { assessmentSerializer } from './assessments/json';
import { assessmentsOf, mostAssessments, seesAssessments } from './assessments/policy';
import { type AssociationRow, rubricAssociation } from './associations/json';

const plainAssessment = assessmentSerializer(() => undefined);

interface RequestRow {
  readonly id: number;
  readonly assignment_id: number;
  readonly submission_id: number;
  readonly assessor_id: number;
  readonly workflow_state: string;
}

/** The reviews of the students whom the caller sees; none while they are anonymous. @param ids a select of associations */
const requestsOf = (ids: SQL, { db, course }: Call) =>
  db.build.all<RequestRow>(
    sql`select r.id as id, r.assignment_id as assignment_id, r.submission_id as submission_id, r.assessor_id as assessor_id, r.workflow_state as workflow_state
      from rubric_associations used join assignments a on a.id = used.association_id cross join assessment_requests r on r.assignment_id = a.id and r.workflow_state <> 'deleted'
      where ${isInSelect(sql`used.id`, ids)} and used.association_type = 'Assignment' and not ${course ? isAnonymisedSql('a', course) : sql`0`}
        and ${isInSectionLimit(course, studentOfSubmission(sql.raw('r.submission_id'))) ?? sql`1`} order by r.same_id limit ${sql.raw(String(mostAssessments))}`,
  );

/** Whether the caller has asked to leave the points of the assignment. */
function skipsPoints({ params }: Pick<Call, 'params'>): boolean {
  const given = params as {
    readonly skip_updating_points_possible?: boolean;
    readonly rubric?: { readonly skip_updating_points_possible?: boolean };
  };
  return given.skip_updating_points_possible ?? given.rubric?.skip_updating_points_possible ?? false;
}

export const writtenAssociation: Serializer<AssociationRow, typeof WrittenAssociation> = serializer({
  resource: WrittenAssociation,
  table: rubric_associations,
  also(ids, call) {
    const sees = seesAssessments(call);
    const rubric = sql`(select rubric_id from rubric_associations where ${isInSelect(sql`id`, ids)})`;
    const ofThese = isInSelect(sql`rubric_assessments.rubric_association_id`, ids);
    return {
      own: embed(rubricAssociation, rows(rubric_associations, { where: isInSelect(rubric_associations.id, ids) })),
      assessments: sees ? embed(plainAssessment, assessmentsOf(rubric, call, ofThese, undefined)) : undefined,
      requests: sees ? requestsOf(ids, call) : undefined,
    };
  },
  json(row: AssociationRow, call, { own, assessments = [], requests = [] }) {
    const { course } = call;
    return {
      ...own.find((one) => one.row.id === row.id)?.json,
      assessment_requests: requests
        .filter((one) => row.association_type === 'Assignment' && one.assignment_id === row.association_id)
        .map(({ id, assessor_id, submission_id, workflow_state }) => ({
          id,
          assessor_id,
          asset_id: submission_id,
          asset_type: 'Submission',
          user_id: studentIn(submission_id),
          workflow_state,
        })),
      rubric_assessments: assessments.filter((one) => one.row.rubric_association_id === row.id).map(({ json }) => json),
      // Only a caller who may change the association gets this response.
      permissions: { manage: true, preview: true, assess: course?.can('manage_grades') ?? false, update: true, delete: true },
      skip_updating_points_possible: skipsPoints(call),
    };
  },
});
