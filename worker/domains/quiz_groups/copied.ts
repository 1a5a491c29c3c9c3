// How question groups are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, copyOf } from '../../rules/copied_kind';
import { quiz_groups } from './table';

export const quizGroupCopied: CopiedKindFacts = {
  kind: 'quiz_group',
  table: quiz_groups,
  asset: 'quiz_group',
  title: 'name',
  there: (a, course) =>
    sql`${sql.raw(a)}.quiz_id in (select q.id from quizzes q where q.course_id = ${course} and q.workflow_state <> 'deleted') and ${sql.raw(a)}.workflow_state = 'active'`,
  planned: 'o.quiz_id, o.question_bank_id',
  kept: [],
  differing: (route) => ({
    course_id: shared('course', route.to),
    quiz_id: copyOf('quiz', sql`o.quiz_id`, route),
    // A bank of the course was copied before; one of an account is usable below that account.
    question_bank_id: sql`coalesce(${copyOf('question_bank', sql`o.question_bank_id`, route)}, (select b.id from question_banks b where b.id = o.question_bank_id and b.context_type = 'Account' and b.context_id in
      (select a.ancestor_id from account_ancestors a where a.account_id = (select c.account_id from courses c where c.id = ${shared('course', route.to)}))))`,
  }),
};
