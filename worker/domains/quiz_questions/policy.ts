// Which questions of a quiz exist.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { presentQuiz } from '../quizzes/policy';
import { quiz_questions } from './table';

/** Kept literal, so that SQLite matches the partial index of questions. */
const present = sql`quiz_questions.workflow_state = 'active' and quiz_questions.quiz_id is not null`;

export const questionsOf = (quiz_id: number): SQL | undefined => and(eq(quiz_questions.quiz_id, quiz_id), present);

/** A question of a quiz of the course. */
export const presentQuestion = (course: CourseContext, quiz_id: number, id: number): SQL | undefined =>
  and(
    eq(quiz_questions.id, id),
    eq(quiz_questions.quiz_id, quiz_id),
    sql`quiz_questions.workflow_state = 'active'`,
    sql`exists (select 1 from quizzes where ${presentQuiz(course, quiz_id)})`,
  );
