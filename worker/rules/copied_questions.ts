// Copied questions of quizzes and the questions of banks that they are copies of.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import { shared } from '../database/shared';
import { copyOf, type Route } from './copied_kind';

/**
 * Ties copied questions to the copy of their original in a bank, or to the original itself where the target can use its bank.
 * @param ids of the original questions
 */
export const tieToBanks = (db: Database, ids: readonly number[], route: Route): Statement => {
  const isOfAccount = sql`b.context_type = 'Account' and b.context_id in (select up.ancestor_id from account_ancestors up
    join courses target on target.account_id = up.account_id where target.id = ${shared('course', route.to)})`;
  const kept = sql`(select q.id from quiz_questions q join question_banks b on b.id = q.question_bank_id and b.workflow_state = 'active'
    where q.id = o.assessment_question_id and q.workflow_state = 'active' and ${isOfAccount})`;
  return db.build.run(sql`update quiz_questions set assessment_question_id = coalesce(${copyOf('quiz_question', sql`o.assessment_question_id`, route)}, ${kept})
    from copied_items tied cross join quiz_questions o on o.id = tied.source_id
    where tied.kind = 'quiz_question' and tied.course_id = ${shared('course', route.to)} and tied.source_id in (select value from json_each(${JSON.stringify(ids)}))
      and tied.copy_id = ${shared('item', route.copy_id)} and o.assessment_question_id is not null and quiz_questions.id = tied.item_id`);
};
