// Assessments as clients see them.

import { RubricAssessment } from '@carrel/shared/resources/rubric_assessment';
import { type SQL, sql } from 'drizzle-orm';
import { isAnonymousTo } from '../../../contexts/anonymous_students';
import { isInSelect } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { type RowOf, rows } from '../../../http/listing';
import { embed, type Serializer, serializer } from '../../../http/serializer';
import { anonymousIdOf, anonymousSubmissionId } from '../../../rules/anonymous_ids';
import { reviewsAnonymously } from '../../../rules/peer_reviews';
import { rubric_assessments } from '../../rubric_assessments/table';
import { rubric_associations } from '../../rubric_associations/table';
import { displayRows } from '../../users/display';
import { rubricAssociation } from '../associations/json';

export type AssessmentRowOf = RowOf<typeof rubric_assessments> & { readonly is_anonymous_review?: number | null };

export const artifactOf = ({ submission_id, provisional_grade_id }: Pick<AssessmentRowOf, 'submission_id' | 'provisional_grade_id'>) =>
  provisional_grade_id === null
    ? { artifact_type: 'Submission', artifact_id: submission_id }
    : { artifact_type: 'ModeratedGrading::ProvisionalGrade', artifact_id: provisional_grade_id };

const anonymousWork = (call: Call, { assignment_id, user_id }: Pick<AssessmentRowOf, 'assignment_id' | 'user_id'>) => ({
  user_id: undefined,
  anonymous_id: anonymousIdOf(call, assignment_id, user_id),
  artifact_id: anonymousSubmissionId(call, assignment_id, user_id),
});

/** Whether a peer has reviewed the work without knowing whose it is. */
const isAnonymousReview = sql<
  number | null
>`case rubric_assessments.assessment_type when 'peer_review' then (select ${reviewsAnonymously} from assignments where assignments.id = rubric_assessments.assignment_id) end`;

const assessors = (ids: SQL) => sql`select assessor_id from rubric_assessments where ${isInSelect(sql`id`, ids)}`;
const associations = (ids: SQL) => sql`select rubric_association_id from rubric_assessments where ${isInSelect(sql`id`, ids)}`;

/** @param hidesStudents also those who have reviewed */
const assessorOf = (
  { assessor_id, assessment_type }: AssessmentRowOf,
  people: readonly { readonly id: number; readonly short_name: string }[],
  hidesStudents: boolean,
) =>
  hidesStudents && assessment_type === 'peer_review'
    ? { assessor_id: null, assessor_name: null }
    : { assessor_id, assessor_name: people.find(({ id }) => id === assessor_id)?.short_name ?? null };

/** What an assessment shows beside its score. */
export type AssessmentStyle = 'full' | 'comments_only' | 'whole' | undefined;

const commentsOf = ({ data }: AssessmentRowOf): string[] => data.flatMap(({ comments }) => comments ?? []);

/** The rows without points where the rubric hides them from students. */
const rowsFor = (row: AssessmentRowOf, hidesPoints: boolean) => (hidesPoints ? row.data.map(({ points: _, ...rest }) => rest) : row.data);

/** @param styleOf `whole` adds the association */
export const assessmentSerializer = (styleOf: (call: Call) => AssessmentStyle): Serializer<AssessmentRowOf, typeof RubricAssessment> =>
  serializer({
    resource: RubricAssessment,
    table: rubric_assessments,
    columns: () => ({ is_anonymous_review: isAnonymousReview.as('is_anonymous_review') }),
    also: (ids, { db }) => ({
      people: displayRows(db, assessors(ids)),
      uses: embed(rubricAssociation, rows(rubric_associations, { where: isInSelect(rubric_associations.id, associations(ids)) })),
    }),
    json(row: AssessmentRowOf, call, { people, uses }) {
      const style = styleOf(call);
      const use = uses.find((one) => one.row.id === row.rubric_association_id);
      const grades = (call.course ?? call.account)?.can('manage_grades') ?? false;
      const hidesPoints = use?.row.hide_points === true && !grades;
      const isWhole = style === 'whole';
      const isOwnReview = row.is_anonymous_review === 1 && row.assessor_id === call.me.id && !grades;
      const hidesStudent = isOwnReview || isAnonymousTo(call, row.assignment_id, row.user_id);
      return {
        ...row,
        ...artifactOf(row),
        score: hidesPoints || (use?.row.hide_score_total && !grades) ? null : row.score,
        ...(hidesStudent && anonymousWork(call, row)),
        ...assessorOf(row, people, hidesStudent && row.assessor_id !== call.me.id),
        data: isWhole || style === 'full' ? rowsFor(row, hidesPoints) : undefined,
        ratings: isWhole ? rowsFor(row, hidesPoints) : undefined,
        comments: style === 'comments_only' ? commentsOf(row) : undefined,
        rubric_association: isWhole ? use?.json : undefined,
      };
    },
  });

/** With its rows and its association. */
export const wholeAssessment = assessmentSerializer(() => 'whole');

/** The rows by criterion, as submissions include them. */
export const rowsByCriterion = ({ data }: Pick<AssessmentRowOf, 'data'>, hidesPoints: boolean) =>
  Object.fromEntries(
    data.map(({ criterion_id, id, comments, points }) => [
      criterion_id,
      { rating_id: id, comments: comments ?? '', ...(!hidesPoints && { points }) },
    ]),
  );
