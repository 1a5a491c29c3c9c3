// Which groups and links of outcomes exist, and what assesses an outcome (reference 04 §13.4).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import type { OutcomeContext } from './context';
import { learning_outcome_groups, learning_outcome_links } from './table';

export const groupsIn = ({ type, id }: OutcomeContext): SQL =>
  and(
    eq(learning_outcome_groups.context_type, type),
    eq(learning_outcome_groups.context_id, id),
    eq(learning_outcome_groups.workflow_state, 'active'),
  ) as SQL;

export const onlyOutcomeGroup = (context: OutcomeContext, id: number): SQL =>
  and(groupsIn(context), eq(learning_outcome_groups.id, id)) as SQL;

/** Literal, so that SQLite matches the partial index. */
export const outcomeRootOf = ({ type, id }: OutcomeContext): SQL =>
  sql`${eq(learning_outcome_groups.context_type, type)} and ${learning_outcome_groups.context_id} = ${id} and ${learning_outcome_groups.parent_outcome_group_id} is null`;

export const outcomeLinksIn = ({ type, id }: OutcomeContext): SQL =>
  and(eq(learning_outcome_links.context_type, type), eq(learning_outcome_links.context_id, id)) as SQL;

/** Whether something assesses the outcome. @param outcome its id */
export const isAligned = (outcome: SQL): SQL =>
  sql`exists (select 1 from outcome_alignments aligned where aligned.learning_outcome_id = ${outcome})`;

/** Whether the caller is a member of a course below an account: its outcomes may be linked there. @param account its id */
export const isMemberBelow = ({ me }: Pick<Call, 'me'>, account: SQL): SQL =>
  sql`exists (select 1 from enrollments e join account_courses ac on ac.course_id = e.course_id and ac.account_id = ${account}
    where e.user_id = ${shared('user', me.id)} and e.enrollment_state in ('active', 'invited', 'completed'))`;
