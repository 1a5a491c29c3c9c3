// What blueprints record of outcomes and their groups.

import { type BlueprintSource, courseContent } from '../../database/triggers/source.ts';

export const learningOutcomeBlueprint: BlueprintSource = { table: 'learning_outcomes', kind: 'learning_outcome', ...courseContent };
export const outcomeGroupBlueprint: BlueprintSource = { table: 'learning_outcome_groups', kind: 'outcome_group', ...courseContent };
