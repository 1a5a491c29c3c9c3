// How questions are copied to another course.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { freshVersion } from '../../database/version';
import { type CopiedKindFacts, copyOf } from '../../rules/copied_kind';
import { quiz_questions } from './table';

export const quizQuestionCopied: CopiedKindFacts = {
  kind: 'quiz_question',
  table: quiz_questions,
  asset: 'quiz_question',
  title: 'question_name',
  // Each part repeats the condition of a partial index, which SQLite uses for it alone.
  there: (a, course) => {
    const among = (column: string, owners: SQL) =>
      sql`(${sql.raw(`${a}.workflow_state = 'active' and ${a}.${column} is not null and ${a}.${column}`)} in (${owners}))`;
    const ofQuizzes = sql`select q.id from quizzes q where q.course_id = ${course} and q.workflow_state <> 'deleted'`;
    const ofBanks = sql`select b.id from question_banks b where b.context_type = 'Course' and b.context_id = ${course} and b.workflow_state = 'active'`;
    return sql`(${among('quiz_id', ofQuizzes)} or ${among('question_bank_id', ofBanks)})`;
  },
  planned: 'o.quiz_id, o.question_bank_id',
  partOf: { kind: 'quiz', column: 'quiz_id' },
  text: 'question_text',
  document: 'data',
  kept: [],
  differing: (route) => ({
    course_id: sql`iif(o.course_id is null, null, ${shared('course', route.to)})`,
    question_bank_id: copyOf('question_bank', sql`o.question_bank_id`, route),
    quiz_id: copyOf('quiz', sql`o.quiz_id`, route),
    quiz_group_id: copyOf('quiz_group', sql`o.quiz_group_id`, route),
    // Tied in `referStep`, once all questions are copied.
    assessment_question_id: sql`null`,
    regrade: sql`null`,
    // A repeated copy is a new version, because attempts refer to the earlier one.
    version: sql.raw(freshVersion),
  }),
};
