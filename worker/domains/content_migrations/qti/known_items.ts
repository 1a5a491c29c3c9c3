// What a QTI document refers to of earlier documents and imports.

import { sql } from 'drizzle-orm';
import type { QtiContent } from '../../../cartridge/qti/types';
import type { Database } from '../../../database/open';
import type { QuestionData } from '../../quiz_questions/table';
import type { KnownItems } from './write_quizzes';

const identifiersIn = ({ assessments, banks }: QtiContent): string[] => [
  ...assessments.flatMap(({ identifier, entries }) => [
    identifier,
    ...entries.flatMap((entry) =>
      'reference' in entry ? [entry.reference] : 'group' in entry && entry.group.bank ? [entry.group.bank.identifier] : [],
    ),
  ]),
  ...banks.map(({ identifier }) => identifier),
];

interface KnownRow {
  readonly kind: string;
  readonly identifier: string;
  readonly item_id: number;
  readonly question: string | null;
}

/** What the document refers to, as far as it was imported into this course and is not deleted. */
export async function knownItems(db: Database, course_id: number, content: QtiContent): Promise<KnownItems> {
  const wanted = JSON.stringify(identifiersIn(content));
  const [rows] = await db.perform([
    db.build.all<KnownRow>(
      sql`select i.kind, i.identifier, i.item_id, iif(i.kind = 'quiz_question', (select json_object('question_name', n.question_name, 'question_type', n.question_type, 'question_text', n.question_text, 'points_possible', n.points_possible, 'data', json(n.data)) from quiz_questions n where n.id = i.item_id), null) as question
        from json_each(${wanted}) w cross join imported_items i on i.context_type = 'Course' and i.context_id = ${course_id} and i.kind in ('quiz', 'question_bank', 'quiz_question') and i.identifier = w.value
        where case i.kind when 'quiz' then exists (select 1 from quizzes q where q.id = i.item_id and q.workflow_state <> 'deleted')
          when 'question_bank' then exists (select 1 from question_banks b where b.id = i.item_id and b.workflow_state = 'active')
          else exists (select 1 from quiz_questions n where n.id = i.item_id and n.workflow_state = 'active') end`,
    ),
  ]);
  const found = new Map(rows.map((row) => [`${row.kind} ${row.identifier}`, row]));
  return {
    id: (kind, identifier) => found.get(`${kind} ${identifier}`)?.item_id,
    question: (identifier) => {
      const row = found.get(`quiz_question ${identifier}`)?.question;
      return row
        ? (JSON.parse(row) as {
            question_name: string;
            question_type: string;
            question_text: string;
            points_possible: number;
            data: QuestionData;
          })
        : undefined;
    },
  };
}
