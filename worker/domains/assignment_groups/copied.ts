// How assignment groups are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { CopiedKindFacts } from '../../rules/copied_kind';
import { assignment_groups } from './table';

export const assignmentGroupCopied: CopiedKindFacts = {
  kind: 'assignment_group',
  table: assignment_groups,
  asset: 'assignment_group',
  title: 'name',
  there: (a, course) => sql`${sql.raw(a)}.course_id = ${course} and ${sql.raw(a)}.workflow_state = 'available'`,
  adopts: 't.name = o.name',
  kept: ['position', 'sis_source_id', 'rules'],
  differing: ({ to }) => ({
    course_id: shared('course', to),
    sis_source_id: sql`null`,
    // Never-drop rules are added after the assignments exist.
    rules: sql`json_remove(o.rules, '$.never_drop')`,
    position: sql`o.position + (select coalesce(max(position), 0) from assignment_groups where course_id = ${shared('course', to)} and workflow_state = 'available')`,
  }),
};
