import { expect, test } from 'vitest';
import { readAccommodations, refusalOfAccommodation } from './input';

test('accommodations are a list, each with a user', () => {
  expect(readAccommodations([{ user_id: '3', extra_time: 10, reduce_choices_enabled: 'true' }])).toEqual([
    { user_id: 3, extra_time: 10, reduce_choices_enabled: true },
  ]);
  for (const wrong of [
    undefined,
    [],
    [3],
    [{ extra_time: 1 }],
    [{ user_id: 'x' }],
    [{ user_id: 3, extra_time: 'long' }],
    Array.from({ length: 1001 }, () => ({ user_id: 1 })),
  ])
    expect(() => readAccommodations(wrong)).toThrow(expect.objectContaining({ status: 400 }));
});

test('an accommodation is for a student of the course, with numbers in range', () => {
  const students = new Set([3]);
  expect(refusalOfAccommodation({ user_id: 3, extra_time: 10_080, extra_attempts: 1000 }, students)).toBe(undefined);
  expect(refusalOfAccommodation({ user_id: 3, extra_time: null }, students)).toBe(undefined);
  expect(refusalOfAccommodation({ user_id: 4 }, students)).toContain('not a student');
  expect(refusalOfAccommodation({ user_id: 3, extra_time: 10_081 }, students)).toContain('extra_time');
  expect(refusalOfAccommodation({ user_id: 3, extra_attempts: -1 }, students)).toContain('extra_attempts');
});
