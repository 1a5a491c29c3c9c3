// Question banks of courses and accounts. Their questions are rows of `quiz_questions`.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string } from '../../database/columns';

export const question_banks = sqliteTable(
  'question_banks',
  {
    id: id(),
    context_type: state('Course', 'Account').notNull(),
    context_id: int().notNull(),
    title: string().notNull(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (bank) => [index('question_banks_in_context').on(bank.context_type, bank.context_id, bank.workflow_state, bank.id)],
);
