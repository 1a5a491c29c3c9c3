// Which question banks a course may draw from: its own, and those of its account and the accounts above.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { sharedIds } from '../../database/shared';
import { question_banks } from './table';

const usableBanks = (course: CourseContext): SQL =>
  sql`question_banks.workflow_state = 'active'
    and ((question_banks.context_type = 'Course' and question_banks.context_id = ${course.id}) or (question_banks.context_type = 'Account' and question_banks.context_id in (${sharedIds('accounts', course.chain)})))`;

export const usableBank = (course: CourseContext, id: number): SQL | undefined => and(eq(question_banks.id, id), usableBanks(course));

/** A question of such a bank; a condition on `quiz_questions`. */
export const usableBankQuestion = (course: CourseContext, id: number): SQL =>
  sql`quiz_questions.id = ${id} and quiz_questions.workflow_state = 'active'
    and exists (select 1 from question_banks where question_banks.id = quiz_questions.question_bank_id and ${usableBanks(course)})`;
