// How question groups are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, copyOf } from '../../rules/copied_kind';
import { copiedBank } from '../../rules/copied_questions';
import { quiz_groups } from './table';

export const quizGroupCopied: CopiedKindFacts = {
  kind: 'quiz_group',
  table: quiz_groups,
  asset: 'quiz_group',
  title: 'name',
  there: (a, course) =>
    sql`${sql.raw(a)}.quiz_id in (select q.id from quizzes q where q.course_id = ${course} and q.workflow_state <> 'deleted') and ${sql.raw(a)}.workflow_state = 'active'`,
  planned: 'o.quiz_id, o.question_bank_id',
  partOf: { kind: 'quiz', column: 'quiz_id' },
  kept: [],
  differing: (route) => ({
    course_id: shared('course', route.to),
    quiz_id: copyOf('quiz', sql`o.quiz_id`, route),
    // A bank of the course was copied before; one of an account is usable below that account.
    question_bank_id: copiedBank(sql`o.question_bank_id`, route),
  }),
};
