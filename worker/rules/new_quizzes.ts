// Which assignments are New Quizzes.

import { type SQL, sql } from 'drizzle-orm';

/** The current row of `assignments` is a New Quiz. An assignment that is handed in otherwise is none. */
export const isNewQuiz: SQL<number> = sql`(assignments.submission_types = '["external_tool"]' and exists (select 1 from new_quizzes where new_quizzes.id = assignments.id))`;
