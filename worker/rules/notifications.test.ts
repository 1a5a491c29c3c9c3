// Notification types, and the categories for which users choose a frequency.

import { expect, test } from 'vitest';
import { categories, dueAt, frequencyOf, notifications } from './notifications';

test.each([
  ['daily', '2026-11-20T08:00:00Z', '2026-11-20T18:00:00Z'],
  ['daily', '2026-11-20T18:00:00Z', '2026-11-21T18:00:00Z'],
  ['daily', '2026-12-31T23:59:59Z', '2027-01-01T18:00:00Z'],
  ['weekly', '2026-11-20T08:00:00Z', '2026-11-21T18:00:00Z'],
  ['weekly', '2026-11-21T17:59:59Z', '2026-11-21T18:00:00Z'],
  ['weekly', '2026-11-21T18:00:00Z', '2026-11-28T18:00:00Z'],
] as const)('a %s notification created at %s is sent at %s', (frequency, now, expected) => {
  expect(dueAt(frequency, now)).toBe(expected);
});

test("every notification has one category, and the user's choice overrides the default", () => {
  const all = Object.values(categories).flatMap((category): readonly string[] => category.notifications);
  expect(new Set(all).size).toBe(all.length);
  expect(notifications.size).toBe(all.length);
  expect(frequencyOf('new_announcement', new Map())).toBe('immediately');
  expect(frequencyOf('new_announcement', new Map([['new_announcement', 'weekly']]))).toBe('weekly');
  expect(frequencyOf('nonsense', new Map())).toBe('never');
});
