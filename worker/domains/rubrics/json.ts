// Rubrics as clients see them, with their uses and assessments.

import { cut } from '@carrel/shared/resources/resource';
import { RubricLocation, RubricResource, WrittenRubric } from '@carrel/shared/resources/rubric';
import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { ascending, type RowOf, rows } from '../../http/listing';
import { embed, type Serializer, serializer } from '../../http/serializer';
import { isOver } from '../courses/include_data';
import { courses } from '../courses/table';
import { rubric_associations } from '../rubric_associations/table';
import { assessmentSerializer } from './assessments/json';
import { assessmentsOf, mostAssessments, seesAssessments } from './assessments/policy';
import { rubricAssociation } from './associations/json';
import { associationsIn, presentAssociations } from './associations/policy';
import { rubrics } from './table';
import { writtenAssociation } from './written_association';

export type RubricRow = RowOf<typeof rubrics> & { readonly uses?: number };

export const assessmentIncludes = ['assessments', 'graded_assessments', 'peer_assessments'] as const;
export const associationIncludes = ['associations', 'assignment_associations', 'course_associations', 'account_associations'] as const;
export const styles = ['full', 'comments_only'] as const;

interface RubricParams {
  readonly style?: (typeof styles)[number];
  readonly after?: number;
}
const paramsOf = ({ params }: Pick<Call, 'params'>) => params as RubricParams;

const assessment = assessmentSerializer((call) => paramsOf(call).style);

/** The number of assignments that use the rubric, up to two. */
const uses = sql<number>`(select count(*) from (select 1 from rubric_associations used join assignments on assignments.id = used.association_id and assignments.workflow_state <> 'deleted'
  where used.rubric_id = rubrics.id and used.workflow_state = 'active' and used.association_type = 'Assignment' limit 2))`;

/** One that assesses several assignments cannot be changed in place. */
export const isSharedRubric = (row: RubricRow): boolean => (row.uses ?? 0) > 1;

const criteriaOf = ({ criteria }: RubricRow) =>
  criteria.map((criterion) => ({
    ...criterion,
    ratings: criterion.ratings.map((rating) => ({ ...rating, criterion_id: criterion.id })),
  }));

export function rubricFields(row: RubricRow) {
  const data = criteriaOf(row);
  return { ...row, reusable: true, public: false, read_only: isSharedRubric(row), button_display: 'numeric', data };
}

const typeOfAssessments = ({ include }: Pick<Call, 'include'>): SQL | undefined =>
  include.has('graded_assessments')
    ? sql`rubric_assessments.assessment_type = 'grading'`
    : include.has('peer_assessments')
      ? sql`rubric_assessments.assessment_type = 'peer_review'`
      : undefined;

const typeOfAssociations = {
  assignment_associations: 'Assignment',
  course_associations: 'Course',
  account_associations: 'Account',
} as const;

/** The uses in the context of the request; all of them for an account, whose rubrics only its courses use. */
function associationsOf(ids: SQL, { course, include }: Call) {
  const [word, type] = Object.entries(typeOfAssociations).find(([name]) => include.has(name)) ?? [];
  return rows(rubric_associations, {
    where: and(
      isInSelect(rubric_associations.rubric_id, ids),
      course ? associationsIn({ type: 'Course', id: course.id }) : presentAssociations,
      word ? sql`rubric_associations.association_type = ${type}` : undefined,
    ),
    order: ascending(rubric_associations.id),
    limit: mostAssessments,
  });
}

const has = (names: readonly string[], { include }: Pick<Call, 'include'>) => names.some((name) => include.has(name));

export const rubric: Serializer<RubricRow, typeof RubricResource> = serializer({
  resource: RubricResource,
  table: rubrics,
  columns: (): Record<string, SQLWrapper> => ({ uses: uses.as('uses') }),
  also: (ids, call) => ({
    associations: has(associationIncludes, call) ? embed(rubricAssociation, associationsOf(ids, call)) : undefined,
    assessments:
      has(assessmentIncludes, call) && seesAssessments(call)
        ? embed(assessment, assessmentsOf(ids, call, typeOfAssessments(call), paramsOf(call).after))
        : undefined,
  }),
  json(row: RubricRow, call, { associations, assessments }) {
    const fields = rubricFields(row);
    return {
      ...fields,
      criteria: paramsOf(call).style === 'full' ? fields.data : undefined,
      associations: associations?.map(({ json }) => json),
      assessments: has(assessmentIncludes, call) ? (assessments ?? []).map(({ json }) => json) : undefined,
    };
  },
});

/** After a write, with the association that the request names. @param named a condition on associations; none without one */
export const writtenRubric = (named: (call: Call) => SQL | undefined): Serializer<RubricRow, typeof WrittenRubric> =>
  serializer({
    resource: WrittenRubric,
    table: rubrics,
    columns: (): Record<string, SQLWrapper> => ({ uses: uses.as('uses') }),
    also(ids, call) {
      const which = named(call);
      return {
        associations: which
          ? embed(
              writtenAssociation,
              rows(rubric_associations, { where: and(isInSelect(rubric_associations.rubric_id, ids), presentAssociations, which) }),
            )
          : undefined,
      };
    },
    json(row: RubricRow, _call, { associations }) {
      const fields = rubricFields(row);
      return { rubric: cut(RubricResource, { ...fields, criteria: fields.data }), rubric_association: associations?.[0]?.json };
    },
  });

type LocationRow = RowOf<typeof courses> & { readonly using: string; readonly term_end: string | null };

/** A course that uses a rubric. */
export const rubricLocation = serializer({
  resource: RubricLocation,
  table: courses,
  json: (row: LocationRow, { now }) => ({
    id: row.id,
    name: row.name,
    'concluded?': isOver(row, { end_at: row.term_end }, now),
    assignments: JSON.parse(row.using) as object[],
  }),
});
