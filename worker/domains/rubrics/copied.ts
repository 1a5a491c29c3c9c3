// How rubrics are copied to another course. Rubrics of accounts are used there as they are.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, ofCourseContext } from '../../rules/copied_kind';
import { copiedCriteria } from '../../rules/copied_outcomes';
import { rubrics } from './table';

export const rubricCopied: CopiedKindFacts = {
  kind: 'rubric',
  table: rubrics,
  asset: 'rubric',
  title: 'title',
  planned:
    "(select json_group_array(c.value ->> 'learning_outcome_id') from json_each(o.criteria) c where c.value ->> 'learning_outcome_id' is not null) as outcome_ids",
  there: (a, course) => sql`${ofCourseContext(a, course)} and ${sql.raw(`${a}.workflow_state = 'active'`)}`,
  kept: ['user_id', 'rubric_import_id'],
  differing: (route) => ({
    context_id: shared('course', route.to),
    user_id: shared('user', route.user_id),
    rubric_import_id: sql`null`,
    criteria: copiedCriteria(route),
  }),
};
