// Question groups of quizzes: each attempt gets some of a group's questions.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, number, state, string } from '../../database/columns';

export const quiz_groups = sqliteTable(
  'quiz_groups',
  {
    id: id(),
    quiz_id: int().notNull(),
    course_id: int().notNull(),
    name: string().notNull(),
    /** How many questions an attempt gets, at most those that there are. */
    pick_count: int().notNull().default(1),
    /** Points of each question, whatever the question says. */
    question_points: number().notNull().default(1),
    /** The bank that it draws from, instead of questions of its own. */
    question_bank_id: int(),
    /** Among the questions outside of groups and the other groups of the quiz. */
    position: int().notNull(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (group) => [
    index('quiz_groups_in_quiz').on(group.quiz_id, group.workflow_state, group.position, group.id),
    index('quiz_groups_of_bank').on(group.question_bank_id, group.workflow_state),
  ],
);
