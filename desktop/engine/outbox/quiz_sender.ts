// Sends the answers of running attempts soon after they are given, and hands attempts in. An answer stays here until the server has it.

import type { QuizSteps } from '../../contract/quizzes';
import { t } from '../../language/texts';
import type { QuizSubmissionJson } from '../model/quiz_resources';
import { isUnreadable } from '../quizzes/answers';
import { isRunning } from '../quizzes/standing';
import { isCodeRefused, type QuizInCourse, QuizRequests, type StepQuestions, takesNoMoreAnswers } from '../server/quiz_requests';
import { Declined, Offline, type Session, SignInRequired, Troubled } from '../server/session';
import type { Cache } from '../store/cache';
import {
  allAttempts,
  answersAt,
  attemptAt,
  changeAttempt,
  dropAttempt,
  type KeptAnswer,
  noteRefused,
  noteSent,
  type StoredAttempt,
  storeAttempt,
} from '../store/quiz_attempts';
import type { UserStore } from '../store/user';
import { filesOf, isHereOnly, isUnsent, keptAnswer, sendableAnswer, shapeIn } from './quiz_answers';
import { forgetBytes } from './work_drafts';

interface Around {
  readonly session: Session;
  readonly cache: Cache;
  readonly user: UserStore;
  readonly now: () => Date;
}

/** Milliseconds. */
const aPause = 1000;
const longestPause = 5000;
const retryPause = 10_000;

/** The trouble of an attempt whose access code the server does not accept, or no longer. */
export const codeNeeded = 'code needed';
export const offlineTrouble = 'offline';

export class QuizSender {
  readonly #requests: QuizRequests;
  readonly #running = new Map<number, Promise<void>>();
  readonly #timers = new Map<number, { readonly since: number; readonly timer: NodeJS.Timeout }>();
  #isClosed = false;

  constructor(
    private readonly around: Around,
    private readonly changed: () => void,
  ) {
    this.#requests = new QuizRequests(around.session);
  }

  /**
   * Starts an attempt, or brings the running one here.
   * @param step of a quiz that shows one question at a time
   * @throws the reason of the server, or Offline
   */
  async start(place: QuizInCourse, access_code: string | null, step: Pick<QuizSteps, 'can_go_back'> | null): Promise<void> {
    const { user } = this.around;
    const before = attemptAt(user, place.quiz_id);
    // What is here belongs to its attempt: only that one is continued, so that no other one replaces its unsent answers.
    const started = before ? undefined : await this.#requests.start(place, access_code);
    const newest = started ?? (await this.#requests.own(place));
    const own = isRunning(newest) ? newest : undefined;
    if (before && (own?.id !== before.submission_id || own.attempt !== before.attempt)) {
      await this.#end(before);
      throw new Error(t('why.quizOver'));
    }
    if (!own) throw new Error(t('why.noAttemptLeft'));
    this.#keep(own, place.course_id);
    const attempt = { ...place, submission_id: own.id, attempt: own.attempt ?? 1, access_code };
    const shown = step ? await this.#requests.shown(attempt) : undefined;
    const questions = shown?.quiz_submission_questions ?? (await this.#requests.questions(own.id));
    const end_at = own.end_at ?? null;
    const clock_ahead = end_at === null ? 0 : await this.#clockAhead(place, own.id);
    storeAttempt(
      user,
      { ...attempt, end_at, clock_ahead, questions, steps: shown && step ? stepsOf(shown, step) : null },
      questions.map(keptAnswer),
    );
    this.changed();
  }

  /**
   * Sends what was answered, and brings the next question here.
   * @throws the reason of the server, Offline, or that an answer would be left behind
   */
  async goOn(quizId: number): Promise<void> {
    const { user } = this.around;
    await this.send(quizId);
    const attempt = attemptAt(user, quizId);
    if (!attempt?.steps || attempt.over_at !== null) throw new Error(t('why.quizOver'));
    const { steps } = attempt;
    if (attempt.trouble !== null) throw new Error(attempt.trouble === codeNeeded ? t('quiz.codeAgain') : attempt.trouble);
    const leavesBehind = !steps.can_go_back && answersAt(user, quizId).some(isHereOnly);
    // Without a place the server shows where it is: ahead of the desk after a response that was lost.
    const shown = await this.#requests.shown(attempt, leavesBehind ? undefined : steps.reached + 1).catch(async (problem: unknown) => {
      if (!(problem instanceof Declined && takesNoMoreAnswers(problem))) throw problem;
      await this.#end(attempt);
      throw new Error(t('why.quizOver'));
    });
    if (leavesBehind && shown.reached === steps.reached) throw new Error(t('why.quizStay'));
    const questions = shown.quiz_submission_questions;
    const left = answersAt(user, quizId).filter(({ question_id }) => !questions.some(({ id }) => id === question_id));
    storeAttempt(user, { ...attempt, questions, steps: stepsOf(shown, steps) }, questions.map(keptAnswer));
    for (const { sha256 } of left.flatMap(({ answer }) => filesOf(answer))) await forgetBytes(user, sha256);
    this.changed();
    if (leavesBehind) throw new Error(t('why.quizLeft'));
  }

  /** Removes an attempt that is over, with the answers that came too late. */
  async forget(quizId: number): Promise<void> {
    const attempt = attemptAt(this.around.user, quizId);
    if (attempt?.over_at != null) await this.#drop(attempt);
  }

  /** Sends after a pause, while the user goes on. */
  soon(quizId: number): void {
    if (this.#isClosed) return;
    const before = this.#timers.get(quizId);
    const now = Date.now();
    const since = before?.since ?? now;
    if (before && now - since > longestPause) return;
    clearTimeout(before?.timer);
    this.#timers.set(quizId, { since, timer: this.#after(aPause, quizId) });
  }

  /** Everything that waits, in all attempts. @throws Offline, SignIn */
  async sendAll(): Promise<boolean> {
    await this.#settle();
    let hasSent = false;
    for (const { quiz_id, over_at } of allAttempts(this.around.user)) {
      if (over_at !== null || !this.#hasWork(quiz_id)) continue;
      await this.send(quiz_id).catch((problem: unknown) => {
        // It is kept with the attempt, and must not stop the others.
        if (!(problem instanceof Troubled)) throw problem;
      });
      hasSent = true;
    }
    return hasSent;
  }

  /** One request runs at a time for an attempt, and what changes meanwhile follows. @throws Offline, SignIn */
  async send(quizId: number): Promise<void> {
    const before = this.#running.get(quizId);
    const next = (before?.catch(() => undefined) ?? Promise.resolve()).then(() => this.#send(quizId));
    this.#running.set(quizId, next);
    try {
      await next;
    } finally {
      if (this.#running.get(quizId) === next) this.#running.delete(quizId);
      this.changed();
    }
  }

  /** Ends what is running; nothing more is started. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    await Promise.allSettled(this.#running.values());
  }

  #after(pause: number, quizId: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timers.delete(quizId);
      this.send(quizId).catch((problem: unknown) => {
        if (this.#isClosed || problem instanceof SignInRequired) return;
        // The network may return while the attempt still runs.
        this.#timers.set(quizId, { since: Date.now(), timer: this.#after(retryPause, quizId) });
      });
    }, pause).unref();
  }

  #hasWork(quizId: number): boolean {
    const { user } = this.around;
    return attemptAt(user, quizId)?.turned_in_at != null || answersAt(user, quizId).some(isUnsent);
  }

  async #send(quizId: number): Promise<void> {
    const { user } = this.around;
    const attempt = attemptAt(user, quizId);
    if (!attempt || attempt.over_at !== null || this.#isClosed) return;
    try {
      const unsent = answersAt(user, quizId).filter((one) => isUnsent(one) && !isUnreadable(shapeIn(attempt, one), one.answer));
      if (unsent.length > 0) await this.#sendAnswers(attempt, unsent);
      if (attempt.turned_in_at !== null) await this.#turnIn(attempt);
      else if (attempt.trouble !== null) changeAttempt(user, quizId, { trouble: null });
    } catch (problem) {
      if (problem instanceof Declined) return this.#declined(attempt, problem);
      if (problem instanceof Offline) changeAttempt(user, quizId, { trouble: offlineTrouble });
      else if (problem instanceof Troubled) changeAttempt(user, quizId, { trouble: problem.message });
      throw problem;
    }
  }

  async #declined(attempt: StoredAttempt, problem: Declined): Promise<void> {
    if (takesNoMoreAnswers(problem)) return this.#end(attempt);
    changeAttempt(this.around.user, attempt.quiz_id, { trouble: isCodeRefused(problem) ? codeNeeded : problem.message });
  }

  async #sendAnswers(attempt: StoredAttempt, answers: readonly KeptAnswer[]): Promise<void> {
    const { user } = this.around;
    const quiz_questions: { id: number; answer: unknown }[] = [];
    for (const one of answers) quiz_questions.push({ id: one.question_id, answer: await sendableAnswer(this.around, attempt, one) });
    try {
      await this.#requests.save(attempt, quiz_questions);
      noteSent(user, attempt.quiz_id, new Map(answers.map(({ question_id, changed }) => [question_id, changed])));
    } catch (problem) {
      if (!(problem instanceof Declined) || problem.status !== 400 || takesNoMoreAnswers(problem)) throw problem;
      // One of them is refused: the others are sent without it.
      const [one, ...others] = answers;
      if (!one) return;
      if (others.length === 0) noteRefused(user, attempt.quiz_id, one.question_id, one.changed, problem.message);
      else for (const single of answers) await this.#sendAnswers(attempt, [single]);
    }
  }

  async #turnIn(attempt: StoredAttempt): Promise<void> {
    const done = await this.#requests.complete(attempt);
    if (done) this.#keep(done, attempt.course_id);
    await this.#close(attempt);
  }

  /** The server takes no more answers. */
  async #end(attempt: StoredAttempt): Promise<void> {
    const own = await this.#requests.own(attempt).catch((problem: unknown) => {
      if (!(problem instanceof Declined)) throw problem;
    });
    if (own) this.#keep(own, attempt.course_id);
    await this.#close(attempt);
  }

  /** Attempts that the feed has reported as ended, elsewhere or by the clock. */
  async #settle(): Promise<void> {
    const { cache, user } = this.around;
    for (const attempt of allAttempts(user)) {
      const own = cache.get<QuizSubmissionJson>('quiz_submission', attempt.submission_id);
      const hasEnded = own !== undefined && (Number(own.attempt) > attempt.attempt || (own.attempt === attempt.attempt && !isRunning(own)));
      if (!hasEnded || attempt.over_at !== null) continue;
      await this.#close(attempt);
    }
  }

  /** Answers that the server does not have stay until the user has seen them. */
  async #close(attempt: StoredAttempt): Promise<void> {
    const { user, now } = this.around;
    if (!answersAt(user, attempt.quiz_id).some(isHereOnly)) return this.#drop(attempt);
    changeAttempt(user, attempt.quiz_id, { over_at: now().toISOString(), trouble: null });
  }

  async #drop(attempt: StoredAttempt): Promise<void> {
    const { user } = this.around;
    const files = answersAt(user, attempt.quiz_id).flatMap(({ answer }) => filesOf(answer));
    dropAttempt(user, attempt.quiz_id);
    for (const { sha256 } of files) await forgetBytes(user, sha256);
  }

  #keep(own: QuizSubmissionJson, courseId: number): void {
    this.around.cache.put('quiz_submission', own.id, { ...own }, courseId);
  }

  /** Milliseconds. */
  async #clockAhead(place: QuizInCourse, submissionId: number): Promise<number> {
    const left = await this.#requests.timeLeft(place, submissionId);
    if (!left) return 0;
    const ahead = Date.parse(left.end_at) - left.seconds * 1000 - this.around.now().getTime();
    // The server counts in seconds.
    return Math.abs(ahead) < 2000 ? 0 : ahead;
  }
}

const stepsOf = ({ reached, question_count }: StepQuestions, { can_go_back }: Pick<QuizSteps, 'can_go_back'>): QuizSteps => ({
  reached,
  count: question_count,
  can_go_back,
});
