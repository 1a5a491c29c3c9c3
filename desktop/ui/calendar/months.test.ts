// Case tables for the months of the calendar.

import { expect, test } from 'vitest';
import { monthBeside, weeksOf } from './months';

test.each([
  ['2026-11', 1, '2026-10-26', '2026-12-07', 6],
  ['2026-11', 7, '2026-11-01', '2026-12-06', 5],
  ['2027-02', 1, '2027-02-01', '2027-03-01', 4],
  ['2024-02', 1, '2024-01-29', '2024-03-04', 5],
] as const)('%s, weeks from day %d, shows from %s up to %s', (month, firstDay, from, to, many) => {
  expect(weeksOf(month, firstDay)).toMatchObject({ from, to });
  expect(weeksOf(month, firstDay).weeks).toHaveLength(many);
  expect(new Set(weeksOf(month, firstDay).weeks.flat()).size).toBe(many * 7);
});

test.each([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
] as const)('the month of %s moved by %d is %s', (month, by, other) => {
  expect(monthBeside(month, by)).toBe(other);
});
