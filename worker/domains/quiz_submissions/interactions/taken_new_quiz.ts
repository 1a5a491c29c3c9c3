// What the settings of a New Quiz mean for its attempts (reference 04 §10.1).

import { wireTime } from '@carrel/shared/wire/fields';
import type { NewQuizSettings, ResultView } from '../../new_quizzes/table';
import { isBetweenAddresses } from '../../quizzes/ip_filter';
import type { ScoringPolicy } from '../scoring/kept_score';

/** Attempts at New Quizzes are stored under the negative ids of their assignments. */
export const newQuizKey = (assignment_id: number): number => -assignment_id;
export const isNewQuizKey = (quiz_id: number): boolean => quiz_id < 0;

const policies = { average: 'keep_average', first: 'keep_first', highest: 'keep_highest', latest: 'keep_latest' } as const;

const severalIn = ({ multiple_attempts: several }: NewQuizSettings) => (several?.multiple_attempts_enabled ? several : null);

export const scoringPolicyOf = (settings: NewQuizSettings): ScoringPolicy => policies[severalIn(settings)?.score_to_keep ?? 'highest'];

/** What decides its score. @param key that of its attempts */
export const endingNewQuiz = (key: number, settings: NewQuizSettings) => ({
  id: key,
  quiz_type: 'assignment' as const,
  scoring_policy: scoringPolicyOf(settings),
});

/** -1 means unlimited. */
export function allowedAttemptsOf(settings: NewQuizSettings): number {
  const several = severalIn(settings);
  if (!several) return 1;
  return several.attempt_limit ? (several.max_attempts ?? -1) : -1;
}

/** When another attempt may start; null if it need not wait. */
export function waitsUntil(settings: NewQuizSettings, finished_at: string | null): string | null {
  const several = severalIn(settings);
  if (!several?.cooling_period || finished_at === null) return null;
  return wireTime(Date.parse(finished_at) + (several.cooling_period_seconds ?? 0) * 1000);
}

/** Null without one. */
export const accessCodeOf = ({ require_student_access_code, student_access_code }: NewQuizSettings): string | null =>
  require_student_access_code ? student_access_code : null;

/** Minutes; null without a limit. */
export const timeLimitOf = ({ has_time_limit, session_time_limit_in_seconds }: NewQuizSettings): number | null =>
  has_time_limit ? session_time_limit_in_seconds / 60 : null;

export function isAddressAllowed({ filter_ip_address, filters }: NewQuizSettings, ip: string): boolean {
  const ranges = filters.ips ?? [];
  return !filter_ip_address || ranges.length === 0 || ranges.some(([from, to]) => isBetweenAddresses(ip, from, to));
}

const everything: ResultView = {
  result_view_restricted: false,
  display_points_awarded: true,
  display_points_possible: true,
  display_items: true,
  display_item_response: true,
  display_item_response_correctness: true,
  display_item_correct_answer: true,
  display_item_feedback: true,
};

/** What students see of a completed attempt. */
export const resultViewOf = ({ result_view_settings: view }: NewQuizSettings): ResultView =>
  view?.result_view_restricted ? view : everything;

type Presentation = Pick<NewQuizSettings, 'one_at_a_time_type' | 'allow_backtracking'>;

/** Whether a student of a running attempt sees the question at a place. @param reached the last place that was shown */
export function isPlaceOpen({ one_at_a_time_type, allow_backtracking }: Presentation, reached: number, place: number): boolean {
  if (one_at_a_time_type !== 'question') return true;
  return allow_backtracking ? place <= reached : place === reached;
}

/** Whether a student may go to a place next: the following one, or back. */
export function mayGoTo(settings: Presentation, reached: number, place: number): boolean {
  return place === reached + 1 || isPlaceOpen(settings, reached, place);
}

/** The score of an attempt as a share of the points of the assignment, which may differ from those of the questions. */
export function scoreInAssignment(score: number, points: number | null, ofAssignment: number | null): number {
  if (!points || !ofAssignment || points === ofAssignment) return score;
  return Number(((score * ofAssignment) / points).toPrecision(12));
}
