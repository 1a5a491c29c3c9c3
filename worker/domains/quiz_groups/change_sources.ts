// What a blueprint records of question groups.

import type { BlueprintPart, BlueprintSource } from '../../database/triggers/source.ts';
import { assignmentOfPart } from '../quizzes/change_sources.ts';

export const quizGroupBlueprint: BlueprintSource = { table: 'quiz_groups', kind: 'quiz_group', course: '$.course_id' };

export const quizGroupPart: BlueprintPart = {
  table: 'quiz_groups',
  of: 'quiz',
  item: '$.quiz_id',
  with: assignmentOfPart,
  columns: ['name', 'pick_count', 'question_points', 'question_bank_id', 'position', 'workflow_state'],
};
