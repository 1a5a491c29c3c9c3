// What a blueprint records of questions.

import type { BlueprintSource } from '../../database/triggers/source.ts';

export const quizQuestionBlueprint: BlueprintSource = {
  table: 'quiz_questions',
  kind: 'quiz_question',
  course: '$.course_id',
  of: '$.quiz_id is not null',
};
