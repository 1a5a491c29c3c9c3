// Scores that students try out for themselves. Nothing but a what-if calculation of the same student reads them.

import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { int, number } from '../../database/columns';

export const what_if_scores = sqliteTable(
  'what_if_scores',
  {
    user_id: int().notNull(),
    course_id: int().notNull(),
    assignment_id: int().notNull(),
    score: number().notNull(),
  },
  (score) => [primaryKey({ columns: [score.user_id, score.course_id, score.assignment_id] })],
);
