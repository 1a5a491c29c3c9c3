// Writes that change the outcomes of a course in the feed, and what blueprints record of outcomes and their groups. A result is also sent when its
// assignment, quiz or submission changes (sync/showing.ts).

import { type BlueprintSource, context, courseContent, me, type TriggerSource } from '../../database/triggers/source.ts';

const inCourse = "$.context_type = 'Course'";

export const outcomeSources: readonly TriggerSource[] = [
  { table: 'learning_outcome_groups', kind: 'outcome_group', item: '$.id', scope: context, when: inCourse },
  // Subgroups show their parent.
  {
    table: 'learning_outcome_groups',
    kind: 'outcome_group',
    as: 'below',
    events: ['update'],
    columns: ['title', 'vendor_guid'],
    when: inCourse,
    select:
      "select 'course_' || g.context_id, 'outcome_group', g.id from learning_outcome_groups g where g.parent_outcome_group_id = $.id and g.workflow_state = 'active'",
  },
  { table: 'learning_outcome_links', kind: 'outcome_link', item: '$.id', scope: context, when: inCourse },
  {
    table: 'learning_outcome_groups',
    kind: 'outcome_link',
    events: ['update'],
    columns: ['title', 'vendor_guid'],
    when: inCourse,
    select: "select 'course_' || l.context_id, 'outcome_link', l.id from learning_outcome_links l where l.learning_outcome_group_id = $.id",
  },
  {
    table: 'learning_outcomes',
    kind: 'outcome_link',
    events: ['update'],
    columns: [
      'title',
      'display_name',
      'description',
      'friendly_description',
      'vendor_guid',
      'calculation_method',
      'calculation_int',
      'mastery_points',
      'points_possible',
      'ratings',
    ],
    select:
      "select 'course_' || l.context_id, 'outcome_link', l.id from learning_outcome_links l where l.learning_outcome_id = $.id and l.context_type = 'Course'",
  },
  { table: 'outcome_results', kind: 'outcome_result', item: '$.id', scope: me },
];

export const learningOutcomeBlueprint: BlueprintSource = { table: 'learning_outcomes', kind: 'learning_outcome', ...courseContent };
export const outcomeGroupBlueprint: BlueprintSource = { table: 'learning_outcome_groups', kind: 'outcome_group', ...courseContent };
