// How the outcomes and groups of a course are copied to another one. Links follow in `referStep`, once their groups and outcomes exist. Outcomes of
// accounts are linked there as they are.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, notDeletedAs, ofCourseContext } from '../../rules/copied_kind';
import { learning_outcome_groups, learning_outcomes } from './table';

export const learningOutcomeCopied: CopiedKindFacts = {
  kind: 'learning_outcome',
  table: learning_outcomes,
  asset: 'learning_outcome',
  title: 'title',
  there: (a, course) => sql`${ofCourseContext(a, course)} and ${notDeletedAs(a)}`,
  kept: [],
  text: 'description',
  differing: ({ to }) => ({ context_id: shared('course', to) }),
};

export const outcomeGroupCopied: CopiedKindFacts = {
  kind: 'outcome_group',
  table: learning_outcome_groups,
  asset: 'learning_outcome_group',
  title: 'title',
  there: (a, course) => sql`${ofCourseContext(a, course)} and ${sql.raw(`${a}.workflow_state = 'active'`)}`,
  // The root group of the target stays; it gets the links of the original's.
  only: () => sql`o.parent_outcome_group_id is not null`,
  kept: ['parent_outcome_group_id', 'outcome_import_id'],
  differing: ({ to }) => ({
    context_id: shared('course', to),
    // No group yet, because the parent may be copied later.
    parent_outcome_group_id: sql`0`,
    outcome_import_id: sql`null`,
  }),
};
