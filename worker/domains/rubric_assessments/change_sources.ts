// Assessments change the submission that shows them.

import type { TriggerSource } from '../../database/triggers/source.ts';

export const rubricAssessmentSources: readonly TriggerSource[] = [
  {
    table: 'rubric_assessments',
    kind: 'submission',
    // Students do not see provisional assessments.
    when: "$.assessment_type <> 'provisional_grade'",
    select: "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = $.submission_id",
  },
];
