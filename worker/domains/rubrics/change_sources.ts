// Writes of rubrics that change the assignments showing them, and what blueprints record of rubrics.

import { type BlueprintSource, courseContent, type TriggerSource } from '../../database/triggers/source.ts';

export const rubricSources: readonly TriggerSource[] = [
  {
    table: 'rubrics',
    kind: 'assignment',
    events: ['update'],
    columns: ['title', 'criteria', 'points_possible', 'free_form_criterion_comments'],
    select:
      "select 'course_' || used.context_id, 'assignment', used.association_id from rubric_associations used where used.rubric_id = $.id and used.association_type = 'Assignment' and used.workflow_state = 'active'",
  },
];

export const rubricBlueprint: BlueprintSource = { table: 'rubrics', kind: 'rubric', ...courseContent };
