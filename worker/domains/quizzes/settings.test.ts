import { describe, expect, it } from 'vitest';
import { defaultSettings, type QuizSettings, type SettingsGiven, settingsAfter } from './settings';

const cases: [string, SettingsGiven, Partial<QuizSettings>, Partial<QuizSettings>][] = [
  [
    'blank words',
    { quiz_type: '', hide_results: '', scoring_policy: '' },
    { quiz_type: 'survey' },
    { quiz_type: 'survey', hide_results: null },
  ],
  ['nothing sent', {}, { time_limit: 20, access_code: 'blue' }, { time_limit: 20, access_code: 'blue' }],
  ['a negative time limit', { time_limit: -5 }, { time_limit: 20 }, { time_limit: 20 }],
  ['no time limit', { time_limit: null }, { time_limit: 20 }, { time_limit: null }],
  ['fewer than unlimited attempts', { allowed_attempts: -2 }, { allowed_attempts: 3 }, { allowed_attempts: 3 }],
  [
    'unlimited attempts',
    { allowed_attempts: -1, scoring_policy: 'keep_latest' },
    {},
    { allowed_attempts: -1, scoring_policy: 'keep_latest' },
  ],
  ['a score to keep of one attempt', { scoring_policy: 'keep_average' }, {}, { scoring_policy: 'keep_highest' }],
  ['a score to keep of several', { scoring_policy: 'keep_average', allowed_attempts: 2 }, {}, { scoring_policy: 'keep_average' }],
  ['results hidden until the last of one attempt', { hide_results: 'until_after_last_attempt' }, {}, { hide_results: null }],
  [
    'the same where results are hidden',
    { hide_results: 'until_after_last_attempt' },
    { hide_results: 'always' },
    { hide_results: 'always' },
  ],
  [
    'results hidden until the last of two',
    { hide_results: 'until_after_last_attempt', allowed_attempts: 2 },
    {},
    { hide_results: 'until_after_last_attempt' },
  ],
  [
    'one attempt where results were hidden until the last',
    { allowed_attempts: 1 },
    { hide_results: 'until_after_last_attempt', allowed_attempts: 3 },
    { hide_results: null },
  ],
  ['correct answers of hidden results', { hide_results: 'always', show_correct_answers: false }, {}, { show_correct_answers: true }],
  [
    'dates of answers that are not shown',
    { show_correct_answers: false, show_correct_answers_at: '2026-01-01T00:00:00Z' },
    {},
    { show_correct_answers_at: null },
  ],
  ['answers after the last of one attempt', { show_correct_answers_last_attempt: true }, {}, { show_correct_answers_last_attempt: false }],
  ['one-time results that are hidden', { hide_results: 'always', one_time_results: true }, {}, { one_time_results: false }],
  ['no way back among all questions', { cant_go_back: true }, {}, { cant_go_back: false }],
  ['no way back, one at a time', { cant_go_back: true, one_question_at_a_time: true }, {}, { cant_go_back: true }],
  [
    'all questions at once again',
    { one_question_at_a_time: false },
    { one_question_at_a_time: true, cant_go_back: true },
    { cant_go_back: false },
  ],
  ['a blank access code', { access_code: '' }, { access_code: 'blue' }, { access_code: null }],
  ['a blank filter', { ip_filter: ' ' }, { ip_filter: '10.0.0.1' }, { ip_filter: null }],
];

describe('the settings of a quiz after a write', () => {
  it.each(cases)('%s', (_, given, before, expected) =>
    expect(settingsAfter(given, { ...defaultSettings, ...before })).toMatchObject(expected),
  );

  it.each<[SettingsGiven, string]>([
    [{ quiz_type: 'exam' }, 'invalid_quiz_type'],
    [{ hide_results: 'sometimes' }, 'invalid_hide_results'],
    [{ scoring_policy: 'keep_lowest', allowed_attempts: 2 }, 'invalid_scoring_policy'],
    [{ ip_filter: 'campus' }, 'invalid_ip_filter'],
    [{ show_correct_answers_at: '2026-01-02T00:00:00Z', hide_correct_answers_at: '2026-01-02T00:00:00Z' }, 'bad_range'],
  ])('refuses %o', (given, message) => expect(() => settingsAfter(given, defaultSettings)).toThrow(message));
});
