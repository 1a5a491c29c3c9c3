// States of quizzes in words.

import type { QuizFacts, QuizHold, QuizKind, ResultQuestion, RunningAttempt } from '../contract/quizzes';
import { inLocale, type MessageKey, t } from './texts';

export const quizHoldWords: Readonly<Record<QuizHold, MessageKey>> = {
  gone: 'why.quizGone',
  'not yet': 'quiz.hold.notYet',
  closed: 'quiz.hold.closed',
  locked: 'quiz.hold.locked',
  'attempts used': 'quiz.hold.attemptsUsed',
  'one at a time': 'quiz.hold.oneAtATime',
  'lockdown browser': 'quiz.hold.lockdown',
};

export const quizKindWords: Readonly<Record<QuizKind, MessageKey>> = {
  practice: 'quiz.kind.practice',
  graded: 'quiz.kind.graded',
  survey: 'quiz.kind.survey',
  'graded survey': 'quiz.kind.gradedSurvey',
};

export const quizStateWords: Readonly<Record<Exclude<QuizFacts['state'], 'not started'>, MessageKey>> = {
  running: 'quiz.state.running',
  elsewhere: 'quiz.state.running',
  waiting: 'quiz.state.waiting',
  review: 'quiz.state.review',
  done: 'quiz.state.done',
};

export const resultWords: Readonly<Record<ResultQuestion['result'], MessageKey>> = {
  right: 'quiz.result.right',
  'partly right': 'quiz.result.partly',
  wrong: 'quiz.result.wrong',
  'not scored yet': 'quiz.result.notYet',
  'not scored': 'quiz.result.none',
};

/** What was answered; where questions are shown one at a time, how many were shown. */
export const howFar = ({ answered, count, steps }: RunningAttempt): string =>
  steps ? t('quiz.step', { reached: steps.reached, count: steps.count }) : t('quiz.answeredOf', { answered, count });

const number = inLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
export const scoreWords = (score: number, possible: number | null): string =>
  possible === null ? number().format(score) : t('quiz.score', { score: number().format(score), possible: number().format(possible) });

/** `59:07`, `1:02:09`; never less than nothing. @param milliseconds left */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (part: number) => String(part).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
