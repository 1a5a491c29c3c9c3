// What a blueprint records of question groups.

import type { BlueprintSource } from '../../database/triggers/source.ts';

export const quizGroupBlueprint: BlueprintSource = { table: 'quiz_groups', kind: 'quiz_group', course: '$.course_id' };
