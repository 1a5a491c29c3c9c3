// Writes that change a course in the feed.

import { me, type TriggerSource } from '../../database/triggers/source.ts';

export const courseSources: readonly TriggerSource[] = [
  { table: 'courses', kind: 'course', item: '$.id', scope: "'course_' || $.id" },
  { table: 'course_nicknames', kind: 'course', item: '$.course_id', scope: me },
  { table: 'favorites', kind: 'course', item: '$.context_id', scope: me, when: "$.context_type = 'Course'" },
];
