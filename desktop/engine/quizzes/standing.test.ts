import { expect, test } from 'vitest';
import { attemptsMade, attemptsOfQuiz, holdOnQuiz, kindOfQuiz, stateOfQuiz, worksOffline } from './standing';

const quiz = { id: 1, course_id: 2, title: 'Tides', allowed_attempts: 2 };
const own = (workflow_state: string, attempt: number, more: object = {}) => ({
  id: 5,
  quiz_id: 1,
  workflow_state,
  attempt,
  started_at: '2026-11-20T09:00:00Z',
  finished_at: workflow_state === 'untaken' ? null : '2026-11-20T09:10:00Z',
  ...more,
});

test('an attempt can be started while some are left, and the running one continued whatever has closed since', () => {
  expect(holdOnQuiz(quiz, undefined, true)).toBeNull();
  expect(holdOnQuiz(quiz, own('complete', 1), true)).toBeNull();
  expect(holdOnQuiz(quiz, own('complete', 2), true)).toBe('attempts used');
  expect(holdOnQuiz(quiz, own('complete', 2, { extra_attempts: 1 }), true)).toBeNull();
  const closed = { ...quiz, locked_for_user: true, lock_info: { lock_at: '2026-11-20T10:00:00Z' } };
  expect(holdOnQuiz(closed, undefined, true)).toBe('closed');
  expect(holdOnQuiz(closed, own('untaken', 1), true)).toBeNull();
  expect(holdOnQuiz({ ...quiz, one_question_at_a_time: true }, undefined, true)).toBeNull();
  expect(holdOnQuiz({ ...quiz, one_question_at_a_time: true }, undefined, false)).toBe('one at a time');
  expect(holdOnQuiz({ ...quiz, require_lockdown_browser: true }, own('untaken', 1), true)).toBe('lockdown browser');
});

test('the state says where the attempt is', () => {
  expect(stateOfQuiz(undefined, null)).toBe('not started');
  expect(stateOfQuiz(own('untaken', 1), null)).toBe('elsewhere');
  expect(stateOfQuiz(own('untaken', 1), { turned_in_at: null, is_over: false })).toBe('running');
  expect(stateOfQuiz(own('untaken', 1), { turned_in_at: '2026-11-20T09:05:00Z', is_over: false })).toBe('waiting');
  expect(stateOfQuiz(own('pending_review', 1), null)).toBe('review');
  expect(stateOfQuiz(own('complete', 1), { turned_in_at: null, is_over: true })).toBe('done');
  expect(attemptsMade(own('settings_only', 1))).toBe(0);
});

test('only practice without any limit works offline', () => {
  const practice = { ...quiz, quiz_type: 'practice_quiz' };
  expect(kindOfQuiz(practice)).toBe('practice');
  expect(kindOfQuiz({ ...quiz, quiz_type: 'assignment' })).toBe('graded');
  expect(worksOffline(practice)).toBe(true);
  expect(worksOffline(quiz)).toBe(false);
  for (const limit of [{ time_limit: 10 }, { has_access_code: true }, { one_question_at_a_time: true }])
    expect(worksOffline({ ...practice, ...limit })).toBe(false);
  expect(attemptsOfQuiz({ ...quiz, allowed_attempts: -1 }, undefined)).toBeNull();
});
