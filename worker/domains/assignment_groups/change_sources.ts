// Writes that change an assignment group in the feed.

import { courseScope, type TriggerSource } from '../../database/triggers/source.ts';

export const assignmentGroupSources: readonly TriggerSource[] = [
  { table: 'assignment_groups', kind: 'assignment_group', item: '$.id', scope: courseScope },
];
