// Writes that change an assignment group in the feed, and what blueprints record of it.

import { type BlueprintSource, courseScope, type TriggerSource } from '../../database/triggers/source.ts';

export const assignmentGroupSources: readonly TriggerSource[] = [
  { table: 'assignment_groups', kind: 'assignment_group', item: '$.id', scope: courseScope },
];

export const assignmentGroupBlueprint: BlueprintSource = { table: 'assignment_groups', kind: 'assignment_group', course: '$.course_id' };
