// Live assessments and their results as clients see them.

import { LiveAssessment, LiveAssessmentResult } from '@carrel/shared/resources/live_assessment';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { live_assessment_results, live_assessments } from './table';

export const liveAssessment = serializer({
  resource: LiveAssessment,
  table: live_assessments,
  json: ({ id, key, title }: RowOf<typeof live_assessments>) => ({ id: String(id), key, title }),
});

export const liveAssessmentResult = serializer({
  resource: LiveAssessmentResult,
  table: live_assessment_results,
  json: ({ id, passed, assessed_at, user_id, assessor_id, assessment_id }: RowOf<typeof live_assessment_results>) => ({
    id: String(id),
    passed,
    assessed_at,
    links: { user: String(user_id), assessor: String(assessor_id), assessment: String(assessment_id) },
  }),
});
