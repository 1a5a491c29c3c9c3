import { describe, expect, test } from 'vitest';
import { endOfAttempt, extendedEnd, finishOf, isAttemptOverdue, secondsLeft, timeSpent } from './attempt_time';

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
