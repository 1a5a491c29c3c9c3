import { expect, test } from 'vitest';
import type { NewQuizSettings } from '../../new_quizzes/table';
import {
  accessCodeOf,
  allowedAttemptsOf,
  isAddressAllowed,
  isPlaceOpen,
  mayGoTo,
  resultViewOf,
  scoreInAssignment,
  scoringPolicyOf,
  timeLimitOf,
  waitsUntil,
} from './taken_new_quiz';

const settings = (given: Partial<NewQuizSettings> = {}): NewQuizSettings => ({
  calculator_type: 'none',
  filter_ip_address: false,
  filters: {},
  one_at_a_time_type: 'none',
  allow_backtracking: true,
  shuffle_answers: false,
  shuffle_questions: false,
  require_student_access_code: false,
  student_access_code: 'blue',
  has_time_limit: false,
  session_time_limit_in_seconds: 90,
  multiple_attempts: null,
  result_view_settings: null,
  ...given,
});
const several = (given: object = {}) =>
  settings({
    multiple_attempts: {
      multiple_attempts_enabled: true,
      attempt_limit: true,
      max_attempts: 3,
      score_to_keep: 'first',
      cooling_period: true,
      cooling_period_seconds: 60,
      ...given,
    },
  });

test.each([
  [settings(), 1, 'keep_highest', null],
  [several(), 3, 'keep_first', '2030-01-01T00:01:00Z'],
  [several({ attempt_limit: false, score_to_keep: 'average' }), -1, 'keep_average', '2030-01-01T00:01:00Z'],
  [several({ max_attempts: null, score_to_keep: 'latest', cooling_period: false }), -1, 'keep_latest', null],
  [several({ multiple_attempts_enabled: false }), 1, 'keep_highest', null],
])('attempts %#: %d allowed, %s, next at %s', (given, allowed, policy, next) => {
  expect([allowedAttemptsOf(given), scoringPolicyOf(given), waitsUntil(given, '2030-01-01T00:00:00Z')]).toEqual([allowed, policy, next]);
});

test('a first attempt does not wait', () => {
  expect(waitsUntil(several(), null)).toBe(null);
});

test('an access code and a time limit count only when they are switched on', () => {
  expect([accessCodeOf(settings()), timeLimitOf(settings())]).toEqual([null, null]);
  const given = settings({ require_student_access_code: true, has_time_limit: true });
  expect([accessCodeOf(given), timeLimitOf(given)]).toEqual(['blue', 1.5]);
});

test.each([
  [{}, '9.9.9.9', true],
  [{ filter_ip_address: true }, '9.9.9.9', true],
  [{ filter_ip_address: true, filters: { ips: [['10.0.0.1', '10.0.0.9'] as const] } }, '10.0.0.9', true],
  [{ filter_ip_address: true, filters: { ips: [['10.0.0.1', '10.0.0.9'] as const] } }, '9.9.9.9', false],
  [{ filters: { ips: [['10.0.0.1', '10.0.0.9'] as const] } }, '9.9.9.9', true],
])('%j lets %s in: %s', (given, ip, isAllowed) => {
  expect(isAddressAllowed(settings(given), ip)).toBe(isAllowed);
});

test('results are restricted only where the settings say so', () => {
  const view = { ...resultViewOf(settings()), display_items: false };
  expect(resultViewOf(settings({ result_view_settings: view })).display_items).toBe(true);
  expect(resultViewOf(settings({ result_view_settings: { ...view, result_view_restricted: true } })).display_items).toBe(false);
});

test.each([
  ['none', true, 9, true, true],
  ['question', true, 2, true, true],
  ['question', true, 3, true, true],
  ['question', true, 4, false, true],
  ['question', true, 5, false, false],
  ['question', false, 2, false, false],
  ['question', false, 3, true, true],
  ['question', false, 4, false, true],
] as const)(
  '%s, back %s: place %d after 3 is open: %s, may be next: %s',
  (one_at_a_time_type, allow_backtracking, place, isOpen, mayGo) => {
    const given = settings({ one_at_a_time_type, allow_backtracking });
    expect([isPlaceOpen(given, 3, place), mayGoTo(given, 3, place)]).toEqual([isOpen, mayGo]);
  },
);

test.each([
  [3, 4, 20, 15],
  [1, 3, 10, 3.33333333333],
  [3, 4, 4, 3],
  [3, 0, 20, 3],
  [3, null, 20, 3],
  [3, 4, null, 3],
])('%d of %s points are %s of %d in the assignment', (score, points, ofAssignment, expected) => {
  expect(scoreInAssignment(score, points, ofAssignment)).toBe(expected);
});
