// Which outcomes exist, and which of them a course, an account or the institution may use (reference 04 §13.4).

import { eq, ne, type SQL, sql } from 'drizzle-orm';
import { among } from '../database/ids';
import { learning_outcomes, type outcomeContexts } from '../domains/outcomes/table';

export const presentOutcome = ne(learning_outcomes.workflow_state, 'deleted');

interface OutcomePlace {
  readonly type: (typeof outcomeContexts)[number];
  /** 0 for the whole institution. */
  readonly id: number;
  /** The accounts whose outcomes are available. */
  readonly chain: readonly number[];
}

/** Whether a context may use an outcome: its own, one of an account above it, of the whole institution, or one that is linked there. */
export const isAvailableIn = (context: OutcomePlace): SQL =>
  sql`((${eq(learning_outcomes.context_type, context.type)} and ${learning_outcomes.context_id} = ${context.id})
    or (${learning_outcomes.context_type} = 'Account' and ${among(learning_outcomes.context_id, context.chain)})
    or ${learning_outcomes.context_type} = 'Global'
    or exists (select 1 from learning_outcome_links here where here.learning_outcome_id = ${learning_outcomes.id} and ${eq(sql.raw('here.context_type'), context.type)} and here.context_id = ${context.id}))`;
