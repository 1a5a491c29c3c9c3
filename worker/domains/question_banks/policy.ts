// Which question banks a course may draw from: its own, and those of its account and the accounts above.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { sharedIds } from '../../database/shared';
import { question_banks } from './table';

export const usableBank = (course: CourseContext, id: number): SQL | undefined =>
  and(
    eq(question_banks.id, id),
    sql`question_banks.workflow_state = 'active'`,
    sql`((question_banks.context_type = 'Course' and question_banks.context_id = ${course.id}) or (question_banks.context_type = 'Account' and question_banks.context_id in (${sharedIds('accounts', course.chain)})))`,
  );
