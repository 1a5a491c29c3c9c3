// Quizzes as their takers see them: what is known of them here, the attempt that runs, and results that the server shows now.

import type {
  AttemptView,
  QuizFacts,
  QuizQuestionView,
  QuizResults,
  QuizView,
  ResultQuestion,
  RunningAttempt,
} from '../../contract/quizzes';
import { place } from '../model/places';
import type { AttemptQuestionJson, QuizJson, QuizSubmissionJson } from '../model/quiz_resources';
import { studiesIn } from '../model/teaching';
import { codeNeeded, offlineTrouble } from '../outbox/quiz_sender';
import { answerFrom, blanksIn, isAnswered, isUnreadable, questionShape } from '../quizzes/answers';
import { attemptsMade, attemptsOfQuiz, holdOnQuiz, isRunning, kindOfQuiz, stateOfQuiz, worksOffline } from '../quizzes/standing';
import { wayOf } from '../server/pull';
import { Declined, type Session } from '../server/session';
import type { Cache } from '../store/cache';
import { answersAt, attemptAt, type KeptAnswer, type StoredAttempt } from '../store/quiz_attempts';
import type { UserStore } from '../store/user';
import type { Leads } from '../text/offline';
import { plainText } from '../text/plain_text';
import { prose, proseIn } from '../text/prose';
import { leadIn } from './link_targets';
import { pageOnServer } from './on_server';

interface Here {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly signedIn: { readonly url: string; readonly user_id: number };
}

interface TakerHere {
  readonly cache: Cache;
  readonly signedIn: { readonly user_id: number };
}

export const ownAttemptAt = (cache: Cache, { course_id, id }: Pick<QuizJson, 'course_id' | 'id'>): QuizSubmissionJson | undefined =>
  cache
    .ofCourse<QuizSubmissionJson>('quiz_submission', course_id)
    .find(({ quiz_id, user_id }) => quiz_id === id && (user_id == null || user_id === cache.owner));

/** Only Carrel has the feed, and shows questions one at a time to programs. */
export const showsSteps = (cache: Cache): boolean => wayOf(cache) === 'feed';

/** Whether the user takes quizzes in the course. */
export const hasQuizzesToTake = ({ cache, signedIn }: TakerHere, courseId: number): boolean =>
  studiesIn(cache, courseId, signedIn.user_id) && cache.countOfCourse('quiz', courseId) > 0;

/** By the date that matters next: what is due first, and what has no date last. */
export function quizList(here: Here, courseId: number): QuizFacts[] {
  const quizzes = here.cache.ofCourse<QuizJson>('quiz', courseId).filter(({ published }) => published !== false);
  const order = ({ due_at, lock_at }: QuizFacts) => due_at ?? lock_at ?? '9999';
  return quizzes
    .map((quiz) => factsOf(here, quiz))
    .sort((a, b) => order(a).localeCompare(order(b)) || a.title.localeCompare(b.title) || a.id - b.id);
}

function factsOf({ cache, user }: Here, quiz: QuizJson): QuizFacts {
  const own = ownAttemptAt(cache, quiz);
  const here = attemptAt(user, quiz.id);
  return {
    id: quiz.id,
    course_id: quiz.course_id,
    title: quiz.title,
    kind: kindOfQuiz(quiz),
    due_at: quiz.due_at ?? null,
    unlock_at: quiz.unlock_at ?? null,
    lock_at: quiz.lock_at ?? null,
    points_possible: quiz.points_possible ?? null,
    question_count: quiz.question_count ?? 0,
    time_limit: quiz.time_limit ?? null,
    attempts_made: attemptsMade(own),
    attempts_allowed: attemptsOfQuiz(quiz, own),
    score: own?.kept_score ?? null,
    hold: holdOnQuiz(quiz, own, showsSteps(cache)),
    state: stateOfQuiz(own, here ? { turned_in_at: here.turned_in_at, is_over: here.over_at !== null } : null),
  };
}

/** Null for a quiz that is not here, and for everyone but students. */
export function quizView(here: Here, courseId: number, id: number): QuizView | null {
  const { cache, user, signedIn } = here;
  const quiz = cache.get<QuizJson>('quiz', id);
  if (!quiz || quiz.course_id !== courseId || !studiesIn(cache, courseId, signedIn.user_id)) return null;
  const attempt = attemptAt(user, id);
  return {
    ...factsOf(here, quiz),
    course_name: place(cache, courseId)?.name ?? '',
    description: prose(quiz.description, leadsOf(here)),
    needs_code: quiz.has_access_code ?? false,
    one_at_a_time: quiz.one_question_at_a_time ? (quiz.cant_go_back ? 'without a way back' : 'with a way back') : null,
    works_offline: worksOffline(quiz),
    running: attempt ? runningOf(here, attempt, answersAt(user, id)) : null,
    on_server: pageOnServer(cache, quiz),
  };
}

function runningOf({ cache }: Here, attempt: StoredAttempt, answers: readonly KeptAnswer[]): RunningAttempt {
  const own = cache.get<QuizSubmissionJson>('quiz_submission', attempt.submission_id);
  // The teacher may have given more time since.
  const end_at = own?.attempt === attempt.attempt && isRunning(own) ? (own.end_at ?? null) : attempt.end_at;
  const quiz = cache.get<QuizJson>('quiz', attempt.quiz_id);
  const asked = new Set(attempt.questions.filter((one) => questionShape(one) !== 'none').map(({ id }) => id));
  return {
    attempt: attempt.attempt,
    ends_at: end_at === null ? null : new Date(Date.parse(end_at) - attempt.clock_ahead).toISOString(),
    ends_by_itself: !quiz?.timer_autosubmit_disabled,
    answered: answers.filter(({ question_id, answer }) => asked.has(question_id) && isAnswered(answer)).length,
    count: asked.size,
    steps: attempt.steps,
    unsent: answers.filter(({ changed, sent }) => changed > sent).length,
    turned_in_at: attempt.turned_in_at,
    is_over: attempt.over_at !== null,
    trouble: attempt.trouble === codeNeeded ? null : attempt.trouble === offlineTrouble ? 'offline' : attempt.trouble,
    needs_code: attempt.trouble === codeNeeded,
  };
}

export function attemptView(here: Here, id: number): AttemptView | null {
  const { cache, user } = here;
  const attempt = attemptAt(user, id);
  if (!attempt) return null;
  const answers = answersAt(user, id);
  const leads = leadsOf(here);
  let number = 0;
  return {
    ...runningOf(here, attempt, answers),
    id,
    course_id: attempt.course_id,
    title: cache.get<QuizJson>('quiz', id)?.title ?? '',
    questions: attempt.questions.map((question) => {
      const given = answers.find(({ question_id }) => question_id === question.id);
      const answer = given?.answer ?? null;
      const asked = askedOf(question, leads);
      return {
        ...asked,
        number: question.question_type === 'text_only_question' ? null : attempt.steps ? numberOf(question) : ++number,
        answer,
        is_answered: isAnswered(answer),
        is_flagged: given?.is_flagged ?? false,
        is_sent: given === undefined || given.changed <= given.sent,
        refused: isUnreadable(asked.shape, answer) ? 'not a number' : (given?.refused ?? null),
      };
    }),
  };
}

/** Of a question whose predecessors are not here: its name is the server's, `Question 7`. */
const numberOf = ({ question_name, position = 1 }: AttemptQuestionJson): number =>
  Number(/\d+$/.exec(question_name ?? '')?.[0] ?? position);

/** What a question asks, without what was answered. */
const askedOf = (
  question: AttemptQuestionJson,
  leads: Leads,
): Omit<QuizQuestionView, 'answer' | 'is_answered' | 'is_flagged' | 'is_sent' | 'refused' | 'number'> => {
  const shape = questionShape(question);
  const answers = question.answers ?? [];
  const isOfParts = shape === 'blanks' || shape === 'menus';
  return {
    id: question.id,
    shape,
    text: prose(question.question_text, leads),
    choices: isOfParts ? [] : answers.map(({ id, text, html }) => ({ id, text: proseIn(html || text, leads) })),
    blanks: isOfParts
      ? blanksIn(question).map((name) => ({
          name,
          choices: answers.filter(({ blank_id }) => blank_id === name).map(({ id, text, html }) => ({ id, text: plainText(html || text) })),
        }))
      : [],
    matches: (question.matches ?? []).map(({ match_id, text }) => ({ id: match_id, text })),
  };
};

/** Asks the server, because what it shows of results can change at any time. @throws Offline */
export async function quizResults(
  here: Here & { readonly session: Session },
  courseId: number,
  id: number,
  asked?: number,
): Promise<QuizResults> {
  const { cache, session } = here;
  const { quiz_submissions = [] } = await session.json<{ readonly quiz_submissions?: readonly QuizSubmissionJson[] }>(
    `/api/v1/courses/${courseId}/quizzes/${id}/submissions`,
  );
  const ended = quiz_submissions
    .filter((one) => one.finished_at != null && (one.user_id == null || one.user_id === cache.owner))
    .sort((a, b) => Number(b.attempt) - Number(a.attempt));
  const shown = ended.find(({ attempt }) => asked === undefined || attempt === asked);
  return {
    attempts: ended.map(({ attempt, finished_at, score, workflow_state }) => ({
      attempt: attempt ?? 1,
      finished_at: finished_at ?? null,
      score: score ?? null,
      is_pending: workflow_state === 'pending_review',
    })),
    attempt: shown?.attempt ?? null,
    questions: shown ? await resultsOf(here, shown) : null,
  };
}

async function resultsOf(
  here: Here & { readonly session: Session },
  { id, attempt }: QuizSubmissionJson,
): Promise<ResultQuestion[] | null> {
  const { quiz_submission_questions: questions } = await here.session
    .json<{ readonly quiz_submission_questions?: readonly AttemptQuestionJson[] }>(
      `/api/v1/quiz_submissions/${id}/questions?quiz_submission_attempt=${attempt}`,
    )
    .catch((problem: unknown) => {
      // The teacher does not show them, or not now.
      if (problem instanceof Declined && (problem.status === 401 || problem.status === 403))
        return { quiz_submission_questions: undefined };
      throw problem;
    });
  if (!questions) return null;
  const leads = leadsOf(here);
  let number = 0;
  return questions.map((question) => ({
    ...askedOf(question, leads),
    number: question.question_type === 'text_only_question' ? null : ++number,
    answer: answerFrom(question),
    result: resultOf(question),
    points: question.points ?? null,
    comment: proseIn(question.comment, leads),
    right: (question.answers ?? []).flatMap(({ id: answer, weight }) => (Number(weight) > 0 ? [answer] : [])),
  }));
}

const results: Readonly<Record<string, ResultQuestion['result']>> = {
  true: 'right',
  false: 'wrong',
  partial: 'partly right',
  undefined: 'not scored yet',
};

/** `defined` was scored by hand, so that the points say it. */
const resultOf = ({ correct }: AttemptQuestionJson): ResultQuestion['result'] =>
  correct == null ? 'not scored' : (results[String(correct)] ?? 'not scored');

const leadsOf = ({ cache, signedIn }: Here): Leads => ({ base: signedIn.url, to: leadIn(cache) });
