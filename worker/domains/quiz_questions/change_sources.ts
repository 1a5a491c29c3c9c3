// What a blueprint records of questions.

import type { BlueprintPart, BlueprintSource } from '../../database/triggers/source.ts';
import { assignmentOfPart } from '../quizzes/change_sources.ts';

export const quizQuestionBlueprint: BlueprintSource = {
  table: 'quiz_questions',
  kind: 'quiz_question',
  course:
    "coalesce($.course_id, (select b.context_id from question_banks b where b.id = $.question_bank_id and b.context_type = 'Course'))",
};

export const quizQuestionPart: BlueprintPart = {
  table: 'quiz_questions',
  of: 'quiz',
  item: '$.quiz_id',
  with: assignmentOfPart,
  columns: [
    'question_name',
    'question_type',
    'question_text',
    'points_possible',
    'data',
    'quiz_group_id',
    'position',
    'root_position',
    'workflow_state',
  ],
};
