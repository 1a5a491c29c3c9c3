// Writes that change an attempt at a New Quiz in the feed. It is also sent when its assignment changes (sync/showing.ts), as it does with the settings.

import { me, type TriggerSource } from '../../../database/triggers/source.ts';

export const newQuizSessionSources: readonly TriggerSource[] = [
  { table: 'quiz_submissions', kind: 'new_quiz_session', item: '$.id', scope: me, when: '$.quiz_id < 0' },
  {
    table: 'new_quiz_accommodations',
    kind: 'new_quiz_session',
    select:
      "select 'user_' || $.user_id, 'new_quiz_session', s.id from quiz_submissions s where s.user_id = $.user_id and s.course_id = $.course_id and s.quiz_id < 0 and $.new_quiz_id in (0, -s.quiz_id)",
  },
];
