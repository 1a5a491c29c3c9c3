// When an event is sent again, and when its subscription is paused.

import { expect, test } from 'vitest';
import { hasFailedTooLong, msUntilNextAttempt } from './retries';

test('an event is attempted eight times within a day, after growing waits', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => msUntilNextAttempt(attempts) ?? 0);
  expect(waits).toEqual([...waits].sort((one, other) => one - other));
  expect(waits[0]).toBe(60_000);
  const sum = waits.reduce((all, one) => all + one, 0);
  expect(sum).toBeGreaterThan(23 * 3_600_000);
  expect(sum).toBeLessThan(24 * 3_600_000);
  expect(msUntilNextAttempt(8)).toBeUndefined();
});

test('a subscription is paused after two days without a successful request', () => {
  expect(hasFailedTooLong(null, '2026-11-23T12:00:00Z')).toBe(false);
  expect(hasFailedTooLong('2026-11-21T12:00:01Z', '2026-11-23T12:00:00Z')).toBe(false);
  expect(hasFailedTooLong('2026-11-21T12:00:00Z', '2026-11-23T12:00:00Z')).toBe(true);
});
