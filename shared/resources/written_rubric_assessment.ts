// The response to writing an assessment: with the submission, and what a group shares.

import { json, listOf, object, optional } from '../wire/fields';
import { resource } from './resource';
import { RubricAssessment } from './rubric_assessment';
import { SubmissionAttempt } from './submission';

export const WrittenRubricAssessment = resource('WrittenRubricAssessment', {
  ...RubricAssessment.fields,
  /** The submission. */
  artifact: optional(SubmissionAttempt.field),
  /** Of the other members of the group, for a group assignment that is graded together. */
  related_group_submissions_and_assessments: listOf(object({ rubric_assessments: json, submission: SubmissionAttempt.field })),
});
