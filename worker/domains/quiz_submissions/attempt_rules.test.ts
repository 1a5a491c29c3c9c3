import { describe, expect, test } from 'vitest';
import { endOfAttempt, extendedEnd, finishOf, isAttemptOverdue, secondsLeft, timeSpent } from './attempt_time';
import { attemptsLeft, mayStartAgain } from './attempts_left';
import { showsCorrectAnswers, showsResults } from './shown_results';

const at = (time: string) => `2026-03-01T${time}:00Z`;

describe('the end of an attempt', () => {
  const plain = {
    started_at: at('10:00'),
    time_limit: null,
    extra_time: null,
    lock_at: null,
    manually_unlocked: false,
    access_ends_at: null,
    isGrader: false,
  };
  test.each([
    ['nothing', {}, null],
    ['a limit', { time_limit: 30 }, at('10:30')],
    ['a limit with extra time', { time_limit: 30, extra_time: 15 }, at('10:45')],
    ['extra time alone', { extra_time: 15 }, null],
    ['an earlier lock date', { time_limit: 30, lock_at: at('10:20') }, at('10:20')],
    ['a later lock date', { time_limit: 30, lock_at: at('11:00') }, at('10:30')],
    ['a lock date alone', { lock_at: at('10:20') }, at('10:20')],
    ['a lock date that is lifted', { time_limit: 30, lock_at: at('10:20'), manually_unlocked: true }, at('10:30')],
    ['the end of access', { time_limit: 30, access_ends_at: at('10:10') }, at('10:10')],
    ['a lock date before the end of access', { lock_at: at('10:20'), access_ends_at: at('10:10') }, at('10:20')],
    [
      'the end of access, if the lock is lifted',
      { lock_at: at('10:20'), manually_unlocked: true, access_ends_at: at('11:00') },
      at('11:00'),
    ],
    ['only the limit for a grader', { time_limit: 30, lock_at: at('10:20'), access_ends_at: at('10:10'), isGrader: true }, at('10:30')],
    ['nothing for a grader', { lock_at: at('10:20'), isGrader: true }, null],
  ])('%s', (_, rest, end) => {
    expect(endOfAttempt({ ...plain, ...rest })).toBe(end);
  });

  test('seconds are left by the clock of the service', () => {
    expect(secondsLeft(at('10:30'), at('10:29'))).toBe(60);
    expect(secondsLeft(at('10:30'), at('10:31'))).toBe(-60);
    expect(secondsLeft(null, at('10:31'))).toBeNull();
  });

  test('answers are accepted for five minutes more, and count at the end', () => {
    expect(isAttemptOverdue(at('10:30'), at('10:35'))).toBe(false);
    expect(isAttemptOverdue(at('10:30'), '2026-03-01T10:35:01Z')).toBe(true);
    expect(isAttemptOverdue(null, at('23:00'))).toBe(false);
    expect(finishOf(at('10:30'), at('10:33'))).toBe(at('10:30'));
    expect(finishOf(at('10:30'), at('10:20'))).toBe(at('10:20'));
    expect(finishOf(null, at('10:20'))).toBe(at('10:20'));
  });

  test('time spent adds the extra minutes as they are', () => {
    expect(timeSpent({ started_at: at('10:00'), finished_at: at('10:02'), extra_time: null })).toBe(120);
    expect(timeSpent({ started_at: at('10:00'), finished_at: at('10:02'), extra_time: 15 })).toBe(135);
    expect(timeSpent({ started_at: at('10:00'), finished_at: null, extra_time: 15 })).toBeNull();
  });

  test.each([
    ['more minutes', { added: 10 }, at('10:40')],
    ['from now', { extend_from_now: 20 }, at('10:30')],
    ['from the end', { extend_from_end_at: 20 }, at('10:50')],
    ['nothing', {}, at('10:30')],
  ])('an extension by %s', (_, change, end) => {
    expect(extendedEnd({ end_at: at('10:30'), ...change }, at('10:10'))).toBe(end);
  });

  test('an attempt without a time, or that ended an hour ago, is not extended', () => {
    expect(extendedEnd({ end_at: null, extend_from_now: 20 }, at('10:10'))).toBeNull();
    expect(extendedEnd({ end_at: at('10:30'), extend_from_now: 20 }, at('11:30'))).toBe(at('11:50'));
    expect(extendedEnd({ end_at: at('10:30'), extend_from_now: 20 }, at('11:31'))).toBe(at('10:30'));
  });
});

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

describe('attempts', () => {
  test.each([
    [1, undefined, 1],
    [1, submission('complete', 1), 0],
    [1, submission('complete', 1, 2), 2],
    [3, submission('complete', 1), 2],
    [1, submission('complete', 4), 0],
    [-1, submission('complete', 9), -1],
  ])('%s allowed, %j: %s left', (allowed, before, left) => {
    expect(attemptsLeft(allowed, before)).toBe(left);
  });

  test.each([
    [1, undefined, true],
    [1, submission('settings_only', 0), true],
    [1, submission('preview', 1), true],
    [-1, submission('untaken', 1), false],
    [1, submission('complete', 1), false],
    [1, submission('pending_review', 1, 1), true],
    [-1, submission('complete', 5), true],
  ])('%s allowed, %j: may start %s', (allowed, before, may) => {
    expect(mayStartAgain(allowed, before)).toBe(may);
  });
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
