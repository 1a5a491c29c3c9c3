// Counts the attempts of a quiz, some at a time, so that memory does not grow with their answers.

import type { Database } from '../../database/open';
import { timeSpent } from '../quiz_submissions/attempt_time';
import {
  type AttemptWork,
  attemptsCounted,
  attemptWork,
  type CountedAttemptRow,
  type CountedQuiz,
  countedQuestionsIn,
  firstWork,
  keyOfAttempt,
  questionsCounted,
  workOf,
} from './read';
import type { CountedSubmission } from './submission_statistics';
import { countAnswer, emptyTally, type QuestionTally } from './tally';

/** Attempts whose answers are read at a time. */
export const attemptsAtOnce = 250;

export interface QuizCounts {
  readonly attempts: readonly CountedAttemptRow[];
  readonly submissions: readonly CountedSubmission[];
  readonly tallies: readonly QuestionTally[];
}

/** The statements of the first round trip; it is the only one for up to 250 attempts. */
export const firstCounts = (db: Database, counted: CountedQuiz) =>
  [attemptsCounted(db, counted), questionsCounted(db, counted), firstWork(db, counted, attemptsAtOnce)] as const;

/** @param first the rows of `firstCounts` */
export async function countAttempts(
  db: Database,
  attempts: readonly CountedAttemptRow[],
  questions: Parameters<typeof countedQuestionsIn>[0],
  first: readonly Parameters<typeof attemptWork>[0][],
): Promise<QuizCounts> {
  const tallies = new Map(countedQuestionsIn(questions).map((one) => [one.id, emptyTally(one)]));
  const numbers = new Map(attempts.map((one, nth) => [keyOfAttempt(one), nth]));
  const marks = attempts.map(() => ({ right: 0, wrong: 0 }));
  const add = (nth: number, { results, given }: AttemptWork) => {
    for (const result of results) {
      const tally = tallies.get(result.question_id);
      if (tally) countAnswer(tally, nth, result, given.get(result.question_id) ?? null);
      const mark = marks[nth];
      if (mark && result.correct === true) mark.right += 1;
      if (mark && result.correct === false) mark.wrong += 1;
    }
  };
  const addAll = (rows: typeof first) => {
    for (const row of rows) {
      const nth = numbers.get(keyOfAttempt(row));
      // An attempt may be counted once only, and only with its score.
      if (nth !== undefined && numbers.delete(keyOfAttempt(row))) add(nth, attemptWork(row));
    }
  };
  addAll(first);
  for (let from = attemptsAtOnce; from < attempts.length; from += attemptsAtOnce) {
    const page = attempts.slice(from, from + attemptsAtOnce);
    const [rows] = await db.perform([
      workOf(
        db,
        page.map((one) => [one.quiz_submission_id, one.attempt]),
      ),
    ]);
    addAll(rows);
  }
  const submissions = attempts.map((one, nth) => ({
    user_id: one.user_id,
    score: one.score,
    points_possible: one.points_possible,
    duration: timeSpent(one),
    right: marks[nth]?.right ?? 0,
    wrong: marks[nth]?.wrong ?? 0,
  }));
  return { attempts, submissions, tallies: [...tallies.values()] };
}
