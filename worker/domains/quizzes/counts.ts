// The computed values of quizzes: how many questions an attempt presents, and their points. The assignment of a graded quiz has the same points.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { changeUnlocked, refuseLockedQuestions } from '../../rules/blueprint_locks';
import { changeAssignments } from '../../rules/graded_topics';
import { quizzes } from './table';

const questions = (where: string) => `from quiz_questions where quiz_questions.workflow_state = 'active' and ${where}`;
const outside = questions('quiz_questions.quiz_id = quizzes.id and quiz_questions.quiz_group_id is null');
const groups = "from quiz_groups where quiz_groups.quiz_id = quizzes.id and quiz_groups.workflow_state = 'active'";
const counted = "quiz_questions.question_type <> 'text_only_question'";

/** How many questions an attempt gets from the current row of `quiz_groups`. */
const picked = `min(quiz_groups.pick_count, iif(quiz_groups.question_bank_id is null,
  (select count(*) ${questions('quiz_questions.quiz_group_id = quiz_groups.id')}),
  (select count(*) ${questions('quiz_questions.question_bank_id = quiz_groups.question_bank_id')})))`;

const questionCount = sql.raw(`((select count(*) ${outside} and ${counted}) + coalesce((select sum(${picked}) ${groups}), 0))`);
const points = sql.raw(
  `iif(quizzes.quiz_type in ('survey', 'graded_survey'), quizzes.points_possible,
  coalesce((select sum(quiz_questions.points_possible) ${outside} and ${counted}), 0) + coalesce((select sum(quiz_groups.question_points * ${picked}) ${groups}), 0))`,
);

/**
 * Counts again after questions or groups were written, in the same batch.
 * @param ids a select of the quizzes
 */
export function recountQuizzes(db: Database, ids: SQL, now: string): Statement[] {
  const its = sql`(select q.points_possible from quizzes q where q.assignment_id = assignments.id and q.workflow_state <> 'deleted')`;
  return [
    ...changeUnlocked(
      db,
      quizzes,
      { question_count: questionCount, points_possible: points, version_number: sql`version_number + 1`, updated_at: now },
      sql`quizzes.id in (${ids})`,
    ),
    ...changeAssignments(
      db,
      sql`select q.assignment_id from quizzes q where q.id in (${ids}) and q.assignment_id is not null`,
      { points_possible: its, updated_at: sql`${shared('time', now)}` },
      sql`assignments.points_possible is not ${its}`,
    ),
  ];
}

/** Belongs to every batch that writes questions or groups of a quiz: refuses it where the blueprint locks the quiz, and counts again. */
export const afterQuestions = (db: Database, quiz_id: number, now: string, ids: SQL = sql`${quiz_id}`): Statement[] => [
  ...refuseLockedQuestions(db, quiz_id),
  ...recountQuizzes(db, ids, now),
];

/** The quizzes that draw from a bank, for `recountQuizzes`. */
export const quizzesOfBank = (bank: SQL): SQL =>
  sql`select g.quiz_id from quiz_groups g where g.question_bank_id = (${bank}) and g.workflow_state = 'active'`;
