// Writes of rubric associations that change assignments and submissions in the feed, and what blueprints record of them.

import { type BlueprintSource, context, courseContent, type TriggerSource } from '../../database/triggers/source.ts';

/** All but the comments that graders save. */
const noted = [
  'rubric_id',
  'association_type',
  'association_id',
  'title',
  'purpose',
  'use_for_grading',
  'hide_score_total',
  'hide_points',
  'hide_outcome_results',
  'bookmarked',
  'workflow_state',
];

export const rubricAssociationSources: readonly TriggerSource[] = [
  {
    table: 'rubric_associations',
    kind: 'assignment',
    item: '$.association_id',
    scope: context,
    when: "$.association_type = 'Assignment'",
    columns: noted,
  },
  // Submissions show the assessments by the rubric that the assignment has now, without points if it hides them.
  {
    table: 'rubric_associations',
    kind: 'submission',
    events: ['update'],
    columns: ['association_type', 'association_id', 'purpose', 'hide_points', 'workflow_state'],
    select:
      "select 'user_' || x.user_id, 'submission', x.submission_id from rubric_assessments x where x.rubric_association_id = $.id and x.assessment_type = 'grading'",
  },
];

export const rubricAssociationBlueprint: BlueprintSource = {
  table: 'rubric_associations',
  kind: 'rubric_association',
  ...courseContent,
  noted,
};
