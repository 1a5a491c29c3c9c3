// What blueprints record of external tools. The feed has none.

import { type BlueprintSource, courseContent } from '../../database/triggers/source.ts';

export const externalToolBlueprint: BlueprintSource = { table: 'external_tools', kind: 'external_tool', ...courseContent };
