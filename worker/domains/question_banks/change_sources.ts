// What a blueprint records of question banks.

import { type BlueprintSource, courseContent } from '../../database/triggers/source.ts';

export const questionBankBlueprint: BlueprintSource = { table: 'question_banks', kind: 'question_bank', ...courseContent };
