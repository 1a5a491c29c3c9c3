// Grading periods: which one a date is in, which is current, and which are closed.

import { lastPeriod, periodOf } from '@carrel/shared/grading/period_of_date';
import { expect, test } from 'vitest';
import { currentPeriod, isInClosedPeriod, isPeriodClosed, overlaps } from './grading_periods';

const period = (title: string, start: string, end: string, close = end) => ({
  title,
  start_date: `${start}T00:00:00Z`,
  end_date: `${end}T00:00:00Z`,
  close_date: `${close}T00:00:00Z`,
});
const autumn = period('autumn', '2026-09-01', '2026-12-01', '2026-12-15');
const winter = period('winter', '2026-12-01', '2027-03-01');
const summer = period('summer', '2027-05-01', '2027-07-01');
const year = [winter, summer, autumn];

test.each([
  ['after the start', '2026-09-01T00:01:00Z', 'autumn'],
  ['in the minute of the start', '2026-09-01T00:00:59Z', undefined],
  ['at the end, which is the start of the next', '2026-12-01T00:00:00Z', 'autumn'],
  ['in the last seconds', '2026-12-01T00:00:59Z', 'autumn'],
  ['a minute later', '2026-12-01T00:01:00Z', 'winter'],
  ['in a gap', '2027-04-01T00:00:00Z', undefined],
  ['after the last', '2027-08-01T00:00:00Z', undefined],
  ['without a date', null, 'summer'],
])('a due date %s is in the right period', (_, due_at, title) => {
  expect(periodOf(year, due_at)?.title).toBe(title);
});

test('a course without periods has no last, no current and no closed one', () => {
  expect([lastPeriod([]), currentPeriod([], '2026-10-01T00:00:00Z'), isInClosedPeriod([], null, '2999-01-01T00:00:00Z')]).toEqual([
    undefined,
    undefined,
    false,
  ]);
});

test('a period closes after its close date, not after its end', () => {
  expect(isPeriodClosed(autumn, '2026-12-14T23:59:59Z')).toBe(false);
  expect(isPeriodClosed(autumn, '2026-12-15T00:00:00Z')).toBe(false);
  expect(isPeriodClosed(autumn, '2026-12-15T00:00:01Z')).toBe(true);
  expect(isInClosedPeriod(year, '2026-10-01T00:00:00Z', '2026-12-10T00:00:00Z')).toBe(false);
  expect(isInClosedPeriod(year, '2026-10-01T00:00:00Z', '2026-12-16T00:00:00Z')).toBe(true);
  expect(isInClosedPeriod(year, null, '2027-06-01T00:00:00Z')).toBe(false);
  expect(isInClosedPeriod(year, '2027-04-01T00:00:00Z', '2028-01-01T00:00:00Z')).toBe(false);
});

test('periods that meet at a minute do not overlap', () => {
  expect(overlaps(autumn, winter)).toBe(false);
  expect(overlaps({ ...autumn, end_date: '2026-12-01T00:00:59Z' }, winter)).toBe(false);
  expect(overlaps({ ...autumn, end_date: '2026-12-01T00:01:00Z' }, winter)).toBe(true);
  expect(overlaps(autumn, autumn)).toBe(true);
});
