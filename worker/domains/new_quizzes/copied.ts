// How items of New Quizzes are copied to another course, after the banks and questions that they draw from.

import { sql } from 'drizzle-orm';
import { freshVersion } from '../../database/version';
import { type CopiedKindFacts, copyOf } from '../../rules/copied_kind';
import { copiedBank, copiedBankQuestion } from '../../rules/copied_questions';
import { new_quiz_items } from './table';

const quizOfCopy = (route: Parameters<CopiedKindFacts['differing']>[0]) => copyOf('assignment', sql`o.new_quiz_id`, route);

export const newQuizItemCopied: CopiedKindFacts = {
  kind: 'new_quiz_item',
  table: new_quiz_items,
  asset: 'new_quiz_item',
  title: "entry ->> '$.title'",
  there: (a, course) =>
    sql`${sql.raw(a)}.new_quiz_id in (select n.id from new_quizzes n join assignments own on own.id = n.id where n.course_id = ${course} and own.workflow_state <> 'deleted')
      and ${sql.raw(a)}.workflow_state = 'active'`,
  planned:
    'o.new_quiz_id, o.question_bank_id, (select q.question_bank_id from quiz_questions q where q.id = o.bank_question_id) as entry_bank_id',
  partOf: { kind: 'assignment', column: 'new_quiz_id' },
  only: (route) => sql`${quizOfCopy(route)} is not null
    and (o.question_bank_id is null or ${copiedBank(sql`o.question_bank_id`, route)} is not null)
    and (o.bank_question_id is null or ${copiedBankQuestion(sql`o.bank_question_id`, route)} is not null)`,
  document: 'entry',
  // Written in `referStep`, once all items are copied.
  kept: ['stimulus_quiz_entry_id'],
  differing: (route) => ({
    new_quiz_id: quizOfCopy(route),
    question_bank_id: copiedBank(sql`o.question_bank_id`, route),
    bank_question_id: copiedBankQuestion(sql`o.bank_question_id`, route),
    stimulus_quiz_entry_id: sql`null`,
    // A repeated copy is a new version, because attempts refer to the earlier one.
    version: sql.raw(freshVersion),
  }),
};
