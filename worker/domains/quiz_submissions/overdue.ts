// Closes attempts whose time has ended, with what was saved (reference 04 §4.5, §7.7).

import { wireTime } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../contexts/predicates';
import type { Database } from '../../database/open';
import { countUpTo } from '../../database/retention';
import { schemesOfAssignments } from '../../rules/grading_schemes';
import { assignments } from '../assignments/table';
import { evaluateStudent } from '../modules/progress/record';
import { new_quizzes } from '../new_quizzes/table';
import { quizzes } from '../quizzes/table';
import { completeAttempt, isStale, savedAnswers } from './completing';
import { endingNewQuiz } from './interactions/taken_new_quiz';
import { attemptsOf, endingQuestions, questionsToScore } from './reading';
import { quiz_submissions } from './table';

/** Attempts of one run. */
const mostAttempts = 25;
/** Answers are accepted for this long after the end. */
const grace = 5 * 60_000;

export const isToClose = (before: string): SQL =>
  sql`quiz_submissions.workflow_state = 'untaken' and quiz_submissions.end_at is not null and quiz_submissions.end_at < ${before}`;

async function readOverdue(db: Database, id: number) {
  const own = (column: string) => sql`(select own.${sql.raw(column)} from quiz_submissions own where own.id = ${id})`;
  const ofQuiz = sql`select q.assignment_id from quizzes q where q.id = ${own('quiz_id')} and q.assignment_id is not null
    union all select -(${own('quiz_id')}) where ${own('quiz_id')} < 0`;
  const isStudentThere = sql`exists (select 1 from enrollments e where e.user_id = ${own('user_id')} and e.course_id = assignments.course_id and ${isEnrolledStudent('e')})`;
  const [submissionRows, quizRows, newQuizRows, questions, before, texts, assignmentRows, schemes] = await db.perform([
    db.build.select().from(quiz_submissions).where(sql`${quiz_submissions.id} = ${id}`),
    db.build
      .select()
      .from(quizzes)
      .where(sql`${quizzes.id} = ${own('quiz_id')}`),
    db.build
      .select({ quiz_settings: new_quizzes.quiz_settings })
      .from(new_quizzes)
      .where(sql`${new_quizzes.id} = -(${own('quiz_id')})`),
    questionsToScore({ db }, sql`${id}`, own('attempt')),
    attemptsOf({ db }, sql`${id}`),
    db.build.all<{ saved: string }>(sql`select ${savedAnswers(id, own('attempt'))} as saved`),
    db.build
      .select()
      .from(assignments)
      .where(sql`assignments.id in (${ofQuiz}) and assignments.workflow_state <> 'deleted' and ${isStudentThere}`),
    schemesOfAssignments(db, ofQuiz),
  ]);
  const [submission] = submissionRows;
  const [newQuiz] = newQuizRows;
  const quiz = newQuiz && submission ? endingNewQuiz(submission.quiz_id, newQuiz.quiz_settings) : quizRows[0];
  if (!submission || !quiz || submission.workflow_state !== 'untaken') return undefined;
  const its = assignmentRows[0];
  return {
    quiz,
    submission,
    questions: endingQuestions(questions),
    earlier: before.flatMap((one) =>
      one.attempt < submission.attempt && one.workflow_state !== 'preview' && one.score !== null ? one.score : [],
    ),
    assignment: its && { ...its, scheme: schemes[0] },
    saved: texts[0]?.saved ?? '[]',
  };
}

/** Turns in one attempt, at the end of its time, and computes the student's module progress. Nothing happens to one that someone else completes meanwhile. */
async function closeAttempt(db: Database, id: number, now: string): Promise<void> {
  const ending = await readOverdue(db, id);
  if (!ending) return;
  try {
    await db.perform(completeAttempt({ db, now }, ending));
  } catch (error) {
    if (isStale(error)) return;
    throw error;
  }
  const { course_id, user_id } = ending.submission;
  await evaluateStudent(db, course_id, user_id, now);
}

/** @throws the first error, after the others were closed */
export async function closeAttempts(db: Database, ids: readonly number[], now: string): Promise<void> {
  const errors: unknown[] = [];
  for (const id of ids) await closeAttempt(db, id, now).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** The chore: closes attempts once late answers are no longer accepted. @returns how many are left, as far as they were counted */
export async function closeOverdueAttempts(db: Database, now: string): Promise<number> {
  const before = wireTime(Date.parse(now) - grace);
  const [due] = await db.perform([
    db.build.all<{ id: number }>(
      sql`select quiz_submissions.id as id from quiz_submissions where ${isToClose(before)} order by quiz_submissions.end_at limit ${sql.raw(String(mostAttempts))}`,
    ),
  ]);
  if (due.length === 0) return 0;
  await closeAttempts(
    db,
    due.map(({ id }) => id),
    now,
  );
  const [counted] = await db.perform([countUpTo(db, sql`from quiz_submissions where ${isToClose(before)}`)]);
  return (counted as { count: number }[])[0]?.count ?? 0;
}
