// How rubrics are copied to another course. Rubrics of accounts are used there as they are.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, ofCourseContext } from '../../rules/copied_kind';
import { rubrics } from './table';

export const rubricCopied: CopiedKindFacts = {
  kind: 'rubric',
  table: rubrics,
  asset: 'rubric',
  title: 'title',
  there: (a, course) => sql`${ofCourseContext(a, course)} and ${sql.raw(`${a}.workflow_state = 'active'`)}`,
  kept: ['user_id', 'rubric_import_id'],
  differing: ({ to, user_id }) => ({
    context_id: shared('course', to),
    user_id: shared('user', user_id),
    rubric_import_id: sql`null`,
  }),
};
