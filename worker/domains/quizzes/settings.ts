// Which settings of a quiz a write changes: settings without effect are dropped, and invalid ones refused.

import { invalid } from '../../http/problem';
import { isIpFilter } from './ip_filter';
import { quizTypes, type quizzes, resultHidings, scoringPolicies } from './table';

type Row = typeof quizzes.$inferSelect;

/** The settings of a quiz besides title, text, points, dates and state. */
export type QuizSettings = Pick<
  Row,
  | 'quiz_type'
  | 'time_limit'
  | 'shuffle_answers'
  | 'hide_results'
  | 'show_correct_answers'
  | 'show_correct_answers_last_attempt'
  | 'show_correct_answers_at'
  | 'hide_correct_answers_at'
  | 'one_time_results'
  | 'scoring_policy'
  | 'allowed_attempts'
  | 'one_question_at_a_time'
  | 'cant_go_back'
  | 'access_code'
  | 'ip_filter'
  | 'anonymous_submissions'
>;

export const defaultSettings: QuizSettings = {
  quiz_type: 'assignment',
  time_limit: null,
  shuffle_answers: false,
  hide_results: null,
  show_correct_answers: true,
  show_correct_answers_last_attempt: false,
  show_correct_answers_at: null,
  hide_correct_answers_at: null,
  one_time_results: false,
  scoring_policy: 'keep_highest',
  allowed_attempts: 1,
  one_question_at_a_time: false,
  cant_go_back: false,
  access_code: null,
  ip_filter: null,
  anonymous_submissions: false,
};

/** What clients send; words are not checked yet. */
export type SettingsGiven = {
  readonly [K in keyof QuizSettings]?: QuizSettings[K] extends string
    ? string
    : QuizSettings[K] | (null extends QuizSettings[K] ? string : never);
};

function word<const W extends readonly string[]>(words: W, given: string, field: string): W[number] {
  const known = words.find((one) => one === given);
  if (known === undefined) throw invalid(field, 'inclusion', `invalid_${field}`);
  return known;
}

function ipFilterOf(given: string | null): string | null {
  const filter = given?.trim() || null;
  if (filter && (filter.length > 255 || !isIpFilter(filter))) throw invalid('ip_filter', 'invalid', 'invalid_ip_filter');
  return filter;
}

const limitAfter = (given: number | null | undefined, before: number | null): number | null =>
  given === undefined || (given !== null && given < 0) ? before : given || null;

const isAllowed = (attempts: number): boolean => attempts === -1 || attempts > 0;

/**
 * The settings after a write. A setting without effect beside the others is dropped: it keeps its former value.
 * @throws Problem 400 by field for an unknown word, an invalid filter, and answers that would be hidden before they are shown
 */
export function settingsAfter(given: SettingsGiven, before: QuizSettings): QuizSettings {
  const sent = <K extends keyof QuizSettings>(name: K, isUseful = true): QuizSettings[K] =>
    given[name] === undefined || !isUseful ? before[name] : (given[name] as QuizSettings[K]);
  const attempts = given.allowed_attempts;
  const allowed_attempts = attempts !== undefined && isAllowed(attempts) ? attempts : before.allowed_attempts;
  const isRepeated = allowed_attempts !== 1;
  const hiding =
    given.hide_results === undefined ? before.hide_results : given.hide_results && word(resultHidings, given.hide_results, 'hide_results');
  // For unlimited attempts there is no last one.
  const [hide_results = null] = [hiding || null, before.hide_results].filter(
    (one) => one !== 'until_after_last_attempt' || allowed_attempts > 1,
  );
  const show_correct_answers = sent('show_correct_answers', hide_results === null);
  const show_correct_answers_at = sent('show_correct_answers_at', show_correct_answers);
  const hide_correct_answers_at = sent('hide_correct_answers_at', show_correct_answers);
  if (show_correct_answers_at && hide_correct_answers_at && hide_correct_answers_at <= show_correct_answers_at)
    throw invalid('show_correct_answers', 'invalid', 'bad_range');
  const one_question_at_a_time = sent('one_question_at_a_time');
  return {
    quiz_type: given.quiz_type ? word(quizTypes, given.quiz_type, 'quiz_type') : before.quiz_type,
    time_limit: limitAfter(given.time_limit as number | null | undefined, before.time_limit),
    shuffle_answers: sent('shuffle_answers'),
    hide_results,
    show_correct_answers,
    show_correct_answers_last_attempt: allowed_attempts > 1 && sent('show_correct_answers_last_attempt', show_correct_answers),
    show_correct_answers_at,
    hide_correct_answers_at,
    one_time_results: sent('one_time_results', hide_results === null),
    scoring_policy:
      !given.scoring_policy || !isRepeated ? before.scoring_policy : word(scoringPolicies, given.scoring_policy, 'scoring_policy'),
    allowed_attempts,
    one_question_at_a_time,
    cant_go_back: one_question_at_a_time && sent('cant_go_back'),
    access_code: given.access_code === undefined ? before.access_code : given.access_code || null,
    ip_filter: given.ip_filter === undefined ? before.ip_filter : ipFilterOf(given.ip_filter),
    anonymous_submissions: sent('anonymous_submissions'),
  };
}

export const isGraded = (type: Row['quiz_type']): boolean => type === 'assignment' || type === 'graded_survey';
export const isSurvey = (type: Row['quiz_type']): boolean => type === 'survey' || type === 'graded_survey';
