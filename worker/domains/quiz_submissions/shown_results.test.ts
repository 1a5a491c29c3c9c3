import { describe, expect, test } from 'vitest';
import { showsCorrectAnswers, showsResults } from './shown_results';

const at = (time: string) => `2026-03-01T${time}:00Z`;

const submission = (
  workflow_state: 'settings_only' | 'untaken' | 'pending_review' | 'complete' | 'preview',
  attempt: number,
  extra = 0,
) => ({
  workflow_state,
  attempt,
  extra_attempts: extra,
  has_seen_results: null as boolean | null,
});

describe('results', () => {
  const open = {
    hide_results: null,
    one_time_results: false,
    show_correct_answers: true,
    show_correct_answers_last_attempt: false,
    show_correct_answers_at: null,
    hide_correct_answers_at: null,
    allowed_attempts: 2,
  } as const;
  const first = submission('complete', 1);
  const second = submission('complete', 2);
  const seen = { ...second, has_seen_results: true };
  const afterLast = { hide_results: 'until_after_last_attempt' } as const;

  test.each([
    ['are shown', {}, first, true, true],
    ['are hidden', { hide_results: 'always' } as const, second, false, false],
    ['are hidden while attempts remain', afterLast, first, false, false],
    ['are shown after the last attempt', afterLast, second, true, true],
    ['are hidden while the last attempt is running', afterLast, submission('untaken', 2), false, false],
    ['are hidden while an extra attempt remains', afterLast, submission('complete', 2, 1), false, false],
    ['are shown with unlimited attempts', { ...afterLast, allowed_attempts: -1 }, first, true, true],
    ['are shown once', { one_time_results: true }, second, true, true],
    ['are not shown again', { one_time_results: true }, seen, false, false],
    ['come without keys', { show_correct_answers: false }, second, true, false],
    ['come without keys before the last attempt', { show_correct_answers_last_attempt: true }, first, true, false],
    ['come with keys after the last attempt', { show_correct_answers_last_attempt: true }, second, true, true],
    ['come without keys before their time', { show_correct_answers_at: at('12:01') }, second, true, false],
    ['come with keys from their time', { show_correct_answers_at: at('12:00') }, second, true, true],
    ['come without keys after their time', { hide_correct_answers_at: at('11:59') }, second, true, false],
    ['come with keys at once when shown once', { one_time_results: true, show_correct_answers_at: at('12:01') }, second, true, true],
  ])('%s', (_, settings, attempted, results, keys) => {
    expect(showsResults({ ...open, ...settings }, attempted)).toBe(results);
    expect(showsCorrectAnswers({ ...open, ...settings }, attempted, at('12:00'))).toBe(keys);
  });
});
