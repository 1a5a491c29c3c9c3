// What a blueprint records of quizzes.

import type { BlueprintSource } from '../../database/triggers/source.ts';

export const quizBlueprint: BlueprintSource = { table: 'quizzes', kind: 'quiz', course: '$.course_id' };
