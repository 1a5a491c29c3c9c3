// Report tables of features that Carrel does not have (outcomes, external tools): headers without rows.

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

const student = ['student name', 'student id', 'student sis id'];
const course = ['course name', 'course id', 'course sis id'];
const work = ['assignment title', 'assignment id', 'submission date', 'submission score'];
const outcome = ['learning outcome name', 'learning outcome friendly name', 'learning outcome id'];
const reached = ['learning outcome mastered', 'learning outcome rating', 'learning outcome rating points'];

/** Columns of the outcome import format. */
export const outcomeExport = empty('outcome_export', [
  'vendor_guid',
  'object_type',
  'title',
  'description',
  'display_name',
  'calculation_method',
  'calculation_int',
  'parent_guids',
  'workflow_state',
  'mastery_points',
  'ratings',
]);
export const outcomeResults = empty('outcome_results', [...student, ...work, ...outcome, ...reached, ...course]);
export const outcomeMap = empty('student_assignment_outcome_map', [...student, ...work, ...outcome, ...course, 'assignment url']);
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
