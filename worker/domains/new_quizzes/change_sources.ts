// Writes that change an attempt at a New Quiz in the feed, and what a blueprint records of New Quizzes besides their assignments. An attempt is also sent
// when its assignment changes (sync/showing.ts), as it does with the settings.

import { type BlueprintPart, type BlueprintSource, me, type TriggerSource } from '../../database/triggers/source.ts';

export const newQuizSessionSources: readonly TriggerSource[] = [
  { table: 'quiz_submissions', kind: 'new_quiz_session', item: '$.id', scope: me, when: '$.quiz_id < 0' },
  {
    table: 'new_quiz_accommodations',
    kind: 'new_quiz_session',
    select:
      "select 'user_' || $.user_id, 'new_quiz_session', s.id from quiz_submissions s where s.user_id = $.user_id and s.course_id = $.course_id and s.quiz_id < 0 and $.new_quiz_id in (0, -s.quiz_id)",
  },
];

const course = '(select n.course_id from new_quizzes n where n.id = $.new_quiz_id)';

export const newQuizItemBlueprint: BlueprintSource = { table: 'new_quiz_items', kind: 'new_quiz_item', course };

export const newQuizItemPart: BlueprintPart = {
  table: 'new_quiz_items',
  of: 'assignment',
  item: '$.new_quiz_id',
  columns: [
    'entry',
    'properties',
    'points_possible',
    'position',
    'question_bank_id',
    'bank_question_id',
    'stimulus_quiz_entry_id',
    'workflow_state',
  ],
  course,
};

export const newQuizSettingsPart: BlueprintPart = { table: 'new_quizzes', of: 'assignment', item: '$.id', columns: ['quiz_settings'] };
