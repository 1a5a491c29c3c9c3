// How questions are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { freshVersion } from '../../database/version';
import { type CopiedKindFacts, copyOf } from '../../rules/copied_kind';
import { quiz_questions } from './table';

export const quizQuestionCopied: CopiedKindFacts = {
  kind: 'quiz_question',
  table: quiz_questions,
  asset: 'quiz_question',
  title: 'question_name',
  there: (a, course) =>
    sql`${sql.raw(a)}.quiz_id in (select q.id from quizzes q where q.course_id = ${course} and q.workflow_state <> 'deleted') and ${sql.raw(a)}.quiz_id is not null and ${sql.raw(a)}.workflow_state = 'active'`,
  planned: 'o.quiz_id',
  text: 'question_text',
  kept: [],
  differing: (route) => ({
    course_id: shared('course', route.to),
    quiz_id: copyOf('quiz', sql`o.quiz_id`, route),
    quiz_group_id: copyOf('quiz_group', sql`o.quiz_group_id`, route),
    assessment_question_id: sql`null`,
    regrade: sql`null`,
    // A repeated copy is a new version, because attempts refer to the earlier one.
    version: sql.raw(freshVersion),
  }),
};
