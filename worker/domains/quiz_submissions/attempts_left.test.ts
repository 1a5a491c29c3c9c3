import { describe, expect, test } from 'vitest';
import { attemptsLeft, mayStartAgain } from './attempts_left';

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
