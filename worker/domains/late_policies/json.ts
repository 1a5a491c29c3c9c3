// Late policies as clients see them.

import { LatePolicyEnvelope } from '@carrel/shared/resources/late_policy';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { late_policies } from './table';

export const latePolicy = serializer({
  resource: LatePolicyEnvelope,
  table: late_policies,
  json: (row: RowOf<typeof late_policies>) => ({ late_policy: row }),
});
