// The requests of attempts at quizzes. The token of a running attempt is only in memory: the server returns it to its student again.

import type { AttemptQuestionJson, QuizSubmissionJson } from '../model/quiz_resources';
import { isRunning } from '../quizzes/standing';
import { Declined, type Session } from './session';

export interface QuizInCourse {
  readonly course_id: number;
  readonly quiz_id: number;
}

export interface AttemptPlace extends QuizInCourse {
  readonly submission_id: number;
  readonly attempt: number;
  /** The server asks for it with every answer. */
  readonly access_code: string | null;
}

interface Listed {
  readonly quiz_submissions?: readonly QuizSubmissionJson[];
}

/** What shows that an answer is of the student's running attempt. */
interface Proof {
  readonly attempt: number;
  readonly validation_token: string;
  readonly access_code?: string;
}

export interface StepQuestions {
  readonly quiz_submission_questions: readonly AttemptQuestionJson[];
  /** The place of the last one that was shown, from 1. */
  readonly reached: number;
  readonly question_count: number;
}

export const submissionsOf = ({ course_id, quiz_id }: QuizInCourse): string =>
  `/api/v1/courses/${course_id}/quizzes/${quiz_id}/submissions`;

export class QuizRequests {
  /** By submission and attempt. */
  readonly #tokens = new Map<string, string>();

  constructor(private readonly session: Session) {}

  /** Starts an attempt; undefined if one runs already, or none is left. @throws Declined with the reason of the server */
  async start(place: QuizInCourse, access_code: string | null): Promise<QuizSubmissionJson | undefined> {
    const json = { ...(access_code !== null && { access_code }) };
    try {
      const { quiz_submissions = [] } = await this.session.json<Listed>(submissionsOf(place), { method: 'POST', json });
      return this.#kept(quiz_submissions[0]);
    } catch (problem) {
      if (!(problem instanceof Declined && problem.status === 409)) throw problem;
      return undefined;
    }
  }

  /** The state of the newest attempt; undefined before the first. */
  async own({ course_id, quiz_id }: QuizInCourse): Promise<QuizSubmissionJson | undefined> {
    const { quiz_submissions = [] } = await this.session.json<Listed>(`/api/v1/courses/${course_id}/quizzes/${quiz_id}/submission`);
    return this.#kept(quiz_submissions[0]);
  }

  async questions(submissionId: number): Promise<readonly AttemptQuestionJson[]> {
    const { quiz_submission_questions = [] } = await this.session.json<{
      readonly quiz_submission_questions?: readonly AttemptQuestionJson[];
    }>(`/api/v1/quiz_submissions/${submissionId}/questions`);
    return quiz_submission_questions;
  }

  /** The questions that are shown now, after going to a place. @throws Declined as `save` */
  async shown(attempt: AttemptPlace, position?: number): Promise<StepQuestions> {
    const address = `/api/v1/quiz_submissions/${attempt.submission_id}/shown_questions`;
    const place = position === undefined ? {} : { position };
    return this.#proved(attempt, (proof) => this.session.json(address, { method: 'POST', json: { ...proof, ...place } }));
  }

  /** When the server ends the attempt, by its clock; null: never. */
  async timeLeft(place: QuizInCourse, submissionId: number): Promise<{ readonly end_at: string; readonly seconds: number } | null> {
    const address = `${submissionsOf(place)}/${submissionId}/time`;
    const { end_at, time_left } = await this.session.json<{ end_at?: string | null; time_left?: number | null }>(address);
    return end_at && typeof time_left === 'number' ? { end_at, seconds: time_left } : null;
  }

  /** @throws Declined: `takesNoMoreAnswers`, `isCodeRefused`, or an answer that the server does not accept */
  async save(attempt: AttemptPlace, quiz_questions: readonly { readonly id: number; readonly answer: unknown }[]): Promise<void> {
    const address = `/api/v1/quiz_submissions/${attempt.submission_id}/questions`;
    await this.#proved(attempt, (proof) => this.session.json(address, { method: 'POST', json: { ...proof, quiz_questions } }));
  }

  /** @throws Declined as `save` */
  async complete(attempt: AttemptPlace): Promise<QuizSubmissionJson | undefined> {
    const address = `${submissionsOf(attempt)}/${attempt.submission_id}/complete`;
    const { quiz_submissions = [] } = await this.#proved(attempt, (json) => this.session.json<Listed>(address, { method: 'POST', json }));
    return this.#kept(quiz_submissions[0]);
  }

  /** Without its token, which is never stored. */
  #kept(given: QuizSubmissionJson | undefined): QuizSubmissionJson | undefined {
    if (!given) return undefined;
    const { validation_token, ...own } = given;
    if (validation_token) this.#tokens.set(tokenKey(own.id, own.attempt), validation_token);
    return own;
  }

  async #proved<T>(attempt: AttemptPlace, ask: (proof: Proof) => Promise<T>): Promise<T> {
    const key = tokenKey(attempt.submission_id, attempt.attempt);
    const proofOf = (validation_token: string): Proof => ({
      attempt: attempt.attempt,
      validation_token,
      ...(attempt.access_code !== null && { access_code: attempt.access_code }),
    });
    const known = this.#tokens.get(key);
    if (known !== undefined) {
      try {
        return await ask(proofOf(known));
      } catch (problem) {
        if (!(problem instanceof Declined && problem.status === 403 && /token/i.test(problem.message))) throw problem;
        this.#tokens.delete(key);
      }
    }
    const own = await this.own(attempt);
    const token = isRunning(own) ? this.#tokens.get(key) : undefined;
    if (token === undefined) throw new Declined(400, alreadyComplete);
    return ask(proofOf(token));
  }
}

const tokenKey = (submission: number, attempt: number | null | undefined): string => `${submission} ${attempt ?? 1}`;

const alreadyComplete = 'quiz submission is already complete';
/** The attempt takes no more answers. */
export const takesNoMoreAnswers = ({ status, message }: Declined): boolean =>
  status === 404 || (status === 400 && /overdue|already complete|can not be modified/i.test(message));
export const isCodeRefused = ({ status, message }: Declined): boolean => status === 403 && /access code/i.test(message);
