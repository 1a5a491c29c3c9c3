// Writes and times that change a quiz submission in the feed. It is also sent when its quiz or assignment changes (sync/showing.ts).

import { me, type ScheduleSource, type TriggerSource } from '../../database/triggers/source.ts';

/** Attempts at New Quizzes, whose ids of quizzes are negative, are a kind of their own. */
const isClassic = '$.quiz_id > 0';

export const quizSubmissionSources: readonly TriggerSource[] = [
  { table: 'quiz_submissions', kind: 'quiz_submission', item: '$.id', scope: me, when: isClassic },
];

export const quizSubmissionSchedule: readonly ScheduleSource[] = [
  { table: 'quiz_submissions', kind: 'quiz_submission', item: '$.id', scope: me, fields: ['end_at'], when: isClassic },
];
