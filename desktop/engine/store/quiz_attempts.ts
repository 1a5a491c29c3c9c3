// Attempts at quizzes that were started here: their questions, and the answers until the server has them.

import type { QuizAnswer, QuizSteps } from '../../contract/quizzes';
import type { AttemptQuestionJson } from '../model/quiz_resources';
import { stored } from './damage';
import { durably } from './driver';
import type { UserStore } from './user';

export interface StoredAttempt {
  readonly quiz_id: number;
  readonly course_id: number;
  readonly submission_id: number;
  readonly attempt: number;
  /** The server asks for it with every answer. */
  readonly access_code: string | null;
  /** By the clock of the server. */
  readonly end_at: string | null;
  readonly clock_ahead: number;
  /** Only what the server has shown to this user. */
  readonly questions: readonly AttemptQuestionJson[];
  /** Of a quiz that shows one question at a time. */
  readonly steps: QuizSteps | null;
  /** By the clock of this computer. */
  readonly turned_in_at: string | null;
  readonly over_at: string | null;
  readonly trouble: string | null;
}

export interface KeptAnswer {
  readonly question_id: number;
  readonly answer: QuizAnswer;
  readonly is_flagged: boolean;
  readonly changed: number;
  readonly sent: number;
  readonly refused: string | null;
}

const attemptOf = (row: Record<string, unknown>): StoredAttempt =>
  ({ ...row, questions: stored(row.questions), steps: row.steps === null ? null : stored(row.steps) }) as unknown as StoredAttempt;
const answerOf = (row: Record<string, unknown>): KeptAnswer =>
  ({ ...row, answer: stored(row.answer), is_flagged: row.is_flagged === 1 }) as unknown as KeptAnswer;

export function attemptAt(user: UserStore, quizId: number): StoredAttempt | undefined {
  const row = user.prepare('SELECT * FROM quiz_attempts WHERE quiz_id = ?').get(quizId);
  return row && attemptOf(row);
}

export const allAttempts = (user: UserStore): StoredAttempt[] =>
  user.prepare('SELECT * FROM quiz_attempts ORDER BY quiz_id').all().map(attemptOf);

const columns = 'question_id, answer, is_flagged, changed, sent, refused';

export const answersAt = (user: UserStore, quizId: number): KeptAnswer[] =>
  user.prepare(`SELECT ${columns} FROM quiz_answers WHERE quiz_id = ? ORDER BY question_id`).all(quizId).map(answerOf);

/** An unsent answer of the same attempt stays; the others are those that the server has. */
export function storeAttempt(
  user: UserStore,
  attempt: Omit<StoredAttempt, 'over_at' | 'trouble' | 'turned_in_at'>,
  answers: readonly Pick<KeptAnswer, 'question_id' | 'answer' | 'is_flagged'>[],
): void {
  durably(user.database, () => {
    const before = attemptAt(user, attempt.quiz_id);
    const isSame = before?.attempt === attempt.attempt && before.submission_id === attempt.submission_id;
    const unsent = isSame ? answersAt(user, attempt.quiz_id).filter(({ changed, sent }) => changed > sent) : [];
    remove(user, attempt.quiz_id);
    const { quiz_id, course_id, submission_id, access_code, end_at, clock_ahead } = attempt;
    user
      .prepare(
        `INSERT INTO quiz_attempts (quiz_id, course_id, submission_id, attempt, access_code, end_at, clock_ahead, questions, steps, turned_in_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        quiz_id,
        course_id,
        submission_id,
        attempt.attempt,
        access_code,
        end_at,
        clock_ahead,
        JSON.stringify(attempt.questions),
        attempt.steps && JSON.stringify(attempt.steps),
        isSame ? before.turned_in_at : null,
      );
    const insert = user.prepare(`INSERT INTO quiz_answers (quiz_id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
    for (const { question_id, answer, is_flagged } of answers) {
      const own = unsent.find((one) => one.question_id === question_id);
      if (own) insert.run(quiz_id, question_id, JSON.stringify(own.answer), Number(own.is_flagged), own.changed, own.sent, own.refused);
      else insert.run(quiz_id, question_id, JSON.stringify(answer), Number(is_flagged), 0, 0, null);
    }
  });
}

/** Survives a power cut before it is shown as stored. @returns false: no attempt runs here, or it has no such question */
export function changeAnswer(
  user: UserStore,
  quizId: number,
  questionId: number,
  change: { readonly answer?: QuizAnswer; readonly is_flagged?: boolean },
): boolean {
  return durably(user.database, () => {
    const running = user.prepare('SELECT 1 FROM quiz_attempts WHERE quiz_id = ? AND turned_in_at IS NULL AND over_at IS NULL').get(quizId);
    if (!running) return false;
    const answer = change.answer === undefined ? null : JSON.stringify(change.answer);
    const flag = change.is_flagged === undefined ? null : Number(change.is_flagged);
    // A flag alone stays here: it is a note of the user to themselves.
    const { changes } = user
      .prepare(
        `UPDATE quiz_answers SET answer = coalesce(?1, answer), is_flagged = coalesce(?2, is_flagged),
           changed = changed + (?1 IS NOT NULL), refused = CASE WHEN ?1 IS NULL THEN refused END
         WHERE quiz_id = ?3 AND question_id = ?4`,
      )
      .run(answer, flag, quizId, questionId);
    return Number(changes) > 0;
  });
}

/** @param sent the value of `changed` with which each question was sent */
export function noteSent(user: UserStore, quizId: number, sent: ReadonlyMap<number, number>): void {
  durably(user.database, () => {
    const update = user.prepare('UPDATE quiz_answers SET sent = ?, refused = NULL WHERE quiz_id = ? AND question_id = ?');
    for (const [question, changed] of sent) update.run(changed, quizId, question);
  });
}

export const noteRefused = (user: UserStore, quizId: number, questionId: number, changed: number, why: string): unknown =>
  user
    .prepare('UPDATE quiz_answers SET refused = ? WHERE quiz_id = ? AND question_id = ? AND changed = ?')
    .run(why, quizId, questionId, changed);

/** Changes of an attempt besides its answers. */
export function changeAttempt(
  user: UserStore,
  quizId: number,
  change: Partial<Pick<StoredAttempt, 'access_code' | 'end_at' | 'clock_ahead' | 'turned_in_at' | 'over_at' | 'trouble'>>,
): void {
  durably(user.database, () => {
    for (const [column, value] of Object.entries(change))
      user.prepare(`UPDATE quiz_attempts SET ${column} = ? WHERE quiz_id = ?`).run(value as string | number | null, quizId);
  });
}

export const dropAttempt = (user: UserStore, quizId: number): void => durably(user.database, () => remove(user, quizId));

function remove(user: UserStore, quizId: number): void {
  for (const table of ['quiz_attempts', 'quiz_answers']) user.prepare(`DELETE FROM ${table} WHERE quiz_id = ?`).run(quizId);
}
