// What blueprints record of a grading standard. The feed has no grading standards, because clients show grades as the service has computed them.

import { type BlueprintSource, courseContent } from '../../database/triggers/source.ts';

export const gradingStandardBlueprint: BlueprintSource = {
  table: 'grading_standards',
  kind: 'grading_standard',
  ...courseContent,
  // Grading also changes a row.
  noted: ['title', 'entries', 'points_based', 'scaling_factor', 'workflow_state'],
};
