// A status as clients see it.

import { CustomGradeStatus } from '@carrel/shared/resources/custom_grade_status';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { custom_grade_statuses } from './table';

export const customGradeStatus = serializer({
  resource: CustomGradeStatus,
  table: custom_grade_statuses,
  json: ({ id, name, color }: RowOf<typeof custom_grade_statuses>) => ({ id, name, color }),
});
