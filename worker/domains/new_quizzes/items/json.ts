// Items of New Quizzes as editors see them, with their keys.

import { NewQuizItem } from '@carrel/shared/resources/new_quiz';
import { QuizQuestion } from '@carrel/shared/resources/quiz_question';
import { cut } from '@carrel/shared/resources/resource';
import { getTableColumns, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import { withHost } from '../../../html/addresses';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { question_banks } from '../../question_banks/table';
import { questionJson } from '../../quiz_questions/json';
import { quiz_questions } from '../../quiz_questions/table';
import { new_quiz_items } from '../table';

type Row = RowOf<typeof new_quiz_items>;

const textsWithAddresses = ['item_body', 'body', 'instructions'];

/** The question or its bank was deleted. */
const isArchived = sql<number>`(quiz_questions.workflow_state <> 'active'
  or not exists (select 1 from question_banks b where b.id = quiz_questions.question_bank_id and b.workflow_state = 'active'))`;

/** The entry with whole addresses in its texts. */
const entryWithHost = (entry: Row['entry'], origin: string) =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, textsWithAddresses.includes(name) ? withHost(value as string, origin) : value]),
  );

export const newQuizItem = serializer({
  resource: NewQuizItem,
  table: new_quiz_items,
  also: (ids, { db }) => ({
    banks: db.build
      .select({
        id: question_banks.id,
        title: question_banks.title,
        is_archived: sql<number>`(question_banks.workflow_state <> 'active')`.as('is_archived'),
        entry_count:
          sql<number>`(select count(*) from quiz_questions q where q.question_bank_id = question_banks.id and q.workflow_state = 'active')`.as(
            'entry_count',
          ),
      })
      .from(question_banks)
      .where(
        isInSelect(
          question_banks.id,
          sql`select i.question_bank_id from new_quiz_items i where i.id in (select * from (${ids})) and i.question_bank_id is not null`,
        ),
      ),
    questions: db.build
      .select({ ...getTableColumns(quiz_questions), is_archived: isArchived.as('is_archived') })
      .from(quiz_questions)
      .where(
        isInSelect(
          quiz_questions.id,
          sql`select i.bank_question_id from new_quiz_items i where i.id in (select * from (${ids})) and i.bank_question_id is not null`,
        ),
      ),
  }),
  json(row: Row, { origin }, { banks, questions }) {
    const bank = banks.find(({ id }) => id === row.question_bank_id);
    const question = questions.find(({ id }) => id === row.bank_question_id);
    const isEditable = row.entry_type === 'Item' || row.entry_type === 'Stimulus';
    const ofBank = bank && {
      id: String(bank.id),
      title: bank.title,
      archived: bank.is_archived === 1,
      entry_count: bank.entry_count,
      item_entry_count: bank.entry_count,
    };
    const ofQuestion = question && {
      id: String(question.id),
      entry_type: 'Item',
      archived: question.is_archived === 1,
      entry: cut(QuizQuestion, questionJson(question, { origin })),
    };
    return {
      ...row,
      id: String(row.id),
      entry_editable: isEditable,
      status: isEditable ? 'mutable' : 'immutable',
      stimulus_quiz_entry_id: row.stimulus_quiz_entry_id === null ? null : String(row.stimulus_quiz_entry_id),
      entry: ofBank ?? ofQuestion ?? entryWithHost(row.entry, origin),
    };
  },
});
