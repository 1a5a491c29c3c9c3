// Copied questions of quizzes and the questions of banks that they are copies of.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import { shared } from '../database/shared';
import { copyOf, type Route } from './copied_kind';

/** The copy of a bank, or a bank of an account that the target can use; null for others. @param id SQL for the id in the source */
export const copiedBank = (id: SQL, route: Route): SQL =>
  sql`coalesce(${copyOf('question_bank', id, route)}, (select b.id from question_banks b where b.id = ${id} and b.context_type = 'Account' and b.context_id in
    (select a.ancestor_id from account_ancestors a where a.account_id = (select c.account_id from courses c where c.id = ${shared('course', route.to)}))))`;

/** The copy of a question in a bank, or one in a bank of an account that the target can use; null for others. @param id SQL for the id in the source */
export const copiedBankQuestion = (id: SQL, route: Route): SQL =>
  sql`coalesce(${copyOf('quiz_question', id, route)}, (select q.id from quiz_questions q join question_banks b on b.id = q.question_bank_id and b.workflow_state = 'active'
    where q.id = ${id} and q.workflow_state = 'active' and b.context_type = 'Account' and b.context_id in (select up.ancestor_id from account_ancestors up
    join courses target on target.account_id = up.account_id where target.id = ${shared('course', route.to)})))`;

/**
 * Ties copied questions to the copy of their original in a bank, or to the original itself where the target can use its bank.
 * @param ids of the original questions
 */
export const tieToBanks = (db: Database, ids: readonly number[], route: Route): Statement => {
  return db.build.run(sql`update quiz_questions set assessment_question_id = ${copiedBankQuestion(sql`o.assessment_question_id`, route)}
    from copied_items tied cross join quiz_questions o on o.id = tied.source_id
    where tied.kind = 'quiz_question' and tied.course_id = ${shared('course', route.to)} and tied.source_id in (select value from json_each(${JSON.stringify(ids)}))
      and tied.copy_id = ${shared('item', route.copy_id)} and o.assessment_question_id is not null and quiz_questions.id = tied.item_id`);
};
