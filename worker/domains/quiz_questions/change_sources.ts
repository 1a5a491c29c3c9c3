// What a blueprint records of questions.

import type { BlueprintSource } from '../../database/triggers/source.ts';

export const quizQuestionBlueprint: BlueprintSource = {
  table: 'quiz_questions',
  kind: 'quiz_question',
  course:
    "coalesce($.course_id, (select b.context_id from question_banks b where b.id = $.question_bank_id and b.context_type = 'Course'))",
};
