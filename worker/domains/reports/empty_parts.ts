// Report tables without data yet (external tools): headers without rows.

import { sql } from 'drizzle-orm';
import type { ReportFile } from './part';

const empty = (name: string, headers: readonly string[]) => (): ReportFile => ({
  name,
  from: sql`(select 0 as id where 0) missing`,
  mark: 'missing.id',
  last: 'select 0',
  where: [],
  columns: Object.fromEntries(headers.map((header) => [header, 'null'])),
});

export const externalTools = empty('lti_report', [
  'context_type',
  'context_id',
  'account_name',
  'course_name',
  'tool_type_name',
  'tool_type_id',
  'tool_created_at',
  'privacy',
  'launch_url',
  'custom_fields',
]);
