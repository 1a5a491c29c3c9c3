// An assessment in responses to writes, with the submission and those of the other members of a group.

import { cut } from '@carrel/shared/resources/resource';
import { SubmissionAttempt } from '@carrel/shared/resources/submission';
import { WrittenRubricAssessment } from '@carrel/shared/resources/written_rubric_assessment';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { ownSubmission } from '../assignments/submissions/serializer';
import { ofTheSameTeam } from '../assignments/submissions/teams';
import { type AssessmentRowOf, wholeAssessment } from '../rubrics/assessments/json';
import { submissions } from '../submissions/table';
import { rubric_assessments } from './table';

const submissionsOf = (ids: SQL) => sql`select submission_id as id from rubric_assessments where ${isInSelect(sql`id`, ids)}`;

export const writtenRubricAssessment = serializer({
  resource: WrittenRubricAssessment,
  table: rubric_assessments,
  also(ids, { course }) {
    // Peers see neither grades nor the work of other members.
    const grades = course?.can('manage_grades') ?? false;
    const related = ofTheSameTeam(submissionsOf(ids));
    return {
      own: embed(wholeAssessment, rows(rubric_assessments, { where: isInSelect(rubric_assessments.id, ids) })),
      work: grades ? embed(ownSubmission, rows(submissions, { where: isInSelect(submissions.id, submissionsOf(ids)) })) : undefined,
      mates: grades ? embed(ownSubmission, rows(submissions, { where: isInSelect(submissions.id, related) })) : undefined,
      theirs: grades
        ? embed(
            wholeAssessment,
            rows(rubric_assessments, {
              where: sql`${rubric_assessments.assessment_type} = 'grading' and ${isInSelect(rubric_assessments.submission_id, related)}`,
            }),
          )
        : undefined,
    };
  },
  json(row: AssessmentRowOf, _call, { own, work, mates, theirs }) {
    const artifact = work?.find((one) => one.row.id === row.submission_id)?.json;
    return {
      ...own.find((one) => one.row.id === row.id)?.json,
      artifact: artifact && cut(SubmissionAttempt, artifact),
      related_group_submissions_and_assessments: (mates ?? []).map((mate) => ({
        submission: cut(SubmissionAttempt, mate.json),
        rubric_assessments: (theirs ?? []).filter((one) => one.row.submission_id === mate.row.id).map(({ json }) => json),
      })),
    };
  },
});
