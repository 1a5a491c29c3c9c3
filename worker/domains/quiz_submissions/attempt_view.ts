// An attempt with its questions, and what its student may see of them.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { found, rejected } from '../../http/problem';
import { isGradeHidden } from './json';
import { visibleQuizSubmissions } from './policy';
import type { Showing } from './question_json';
import { attemptQuestions, type QuizCall, questionsOfAttempt, quizForTaker } from './reading';
import { showsCorrectAnswers, showsResults } from './shown_results';
import { quiz_attempts, quiz_submissions } from './table';
import { isRunningAttempt } from './takeability';

export const quizAt = (id: number): SQL => sql`(select own.quiz_id from quiz_submissions own where own.id = ${id})`;
export const newestAttempt = (id: number): SQL => sql`(select own.attempt from quiz_submissions own where own.id = ${id})`;

/** An attempt with its questions. @throws Problem 404 for what the caller may not see */
export async function readAttempt(call: QuizCall, id: number, attempt: SQL) {
  const { db, course } = call;
  const [submissionRows, quizRows, questionRows, attemptRows, [hidden]] = await db.perform([
    db.build
      .select()
      .from(quiz_submissions)
      .where(sql`${quiz_submissions.id} = ${id} and ${visibleQuizSubmissions(course, call)}`),
    quizForTaker(call, quizAt(id)),
    questionsOfAttempt(call, sql`${id}`, attempt),
    db.build.select().from(quiz_attempts).where(sql`${quiz_attempts.quiz_submission_id} = ${id} and ${quiz_attempts.attempt} = ${attempt}`),
    db.build.all<{ is_hidden: number }>(
      sql`select ${isGradeHidden(sql.raw('q.assignment_id'), sql.raw('own.user_id'))} as is_hidden from quiz_submissions own join quizzes q on q.id = own.quiz_id where own.id = ${id}`,
    ),
  ]);
  return {
    submission: found(submissionRows[0]),
    quiz: found(quizRows[0]),
    tried: found(attemptRows[0]),
    questions: attemptQuestions(questionRows),
    isHidden: hidden?.is_hidden === 1,
  };
}

export type ReadAttempt = Awaited<ReturnType<typeof readAttempt>>;

/** What the student may see of the attempt. @throws Problem 401 where its questions are hidden */
export function studentsView({ quiz, submission, tried, isHidden }: ReadAttempt, now: string): Pick<Showing, 'results' | 'showsKeys'> {
  if (isRunningAttempt({ ...tried, workflow_state: tried.workflow_state })) {
    if (quiz.one_question_at_a_time) throw rejected('Cannot receive one question at a time questions in the API', 401);
    return { results: undefined, showsKeys: false };
  }
  if (isHidden || !showsResults(quiz, submission)) throw rejected('Cannot view questions due to quiz settings', 401);
  return { results: tried.results ?? undefined, showsKeys: showsCorrectAnswers(quiz, submission, now) };
}

/** Results that are shown once have been seen. */
export function noteSeen(call: Pick<Call, 'db' | 'afterwards'>, { quiz, submission, tried }: ReadAttempt): void {
  if (!quiz.one_time_results || submission.has_seen_results || tried.finished_at === null) return;
  const { build, perform } = call.db.aside;
  call.afterwards(() =>
    perform([build.update(quiz_submissions).set({ has_seen_results: true }).where(eq(quiz_submissions.id, submission.id))]),
  );
}

/** Whether the caller sees the attempt as a grader, and not as its student or their observer. */
export const seesAsGrader = ({ me, course }: QuizCall, { submission }: ReadAttempt): boolean =>
  submission.user_id !== me.id && !course.observedIds.includes(submission.user_id);
