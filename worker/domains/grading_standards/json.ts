// Grading standards as clients see them.

import { GradingStandard } from '@carrel/shared/resources/grading_standard';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { grading_standards } from './table';

export const gradingStandard = serializer({
  resource: GradingStandard,
  table: grading_standards,
  json: ({ id, title, context_type, context_id, points_based, scaling_factor, entries }: RowOf<typeof grading_standards>) => ({
    id,
    title,
    context_type,
    context_id,
    points_based,
    scaling_factor,
    grading_scheme: entries,
  }),
});
