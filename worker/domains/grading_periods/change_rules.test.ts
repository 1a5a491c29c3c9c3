// Changes of grading periods: what is kept, and what is refused.

import { expect, test } from 'vitest';
import { draftOf, errorsOfPeriods, type PeriodDraft } from './change_rules';

const stored = {
  id: 7,
  title: 'Autumn',
  start_date: '2026-09-01T00:00:00Z',
  end_date: '2026-12-01T00:00:00Z',
  close_date: '2026-12-01T00:00:00Z',
  weight: 40,
};
const draft = (rest: Partial<PeriodDraft>): PeriodDraft => ({ ...stored, ...rest });
const later = '2026-12-20T00:00:00Z';

test('a close date follows the end until it is set, and always in a course', () => {
  expect(draftOf({ end_date: later }, stored, false)).toMatchObject({ end_date: later, close_date: later, title: 'Autumn', weight: 40 });
  expect(draftOf({ close_date: later }, stored, false)).toMatchObject({ end_date: stored.end_date, close_date: later });
  expect(draftOf({ end_date: '2026-12-02T00:00:00Z' }, { ...stored, close_date: later }, false)).toMatchObject({ close_date: later });
  expect(draftOf({ close_date: null }, { ...stored, close_date: later }, false)).toMatchObject({ close_date: stored.end_date });
  expect(draftOf({ close_date: later }, stored, true)).toMatchObject({ close_date: stored.end_date });
  expect(draftOf({ weight: null }, stored, false).weight).toBe(null);
  expect(draftOf({ start_date: null, end_date: null }, stored, false)).toMatchObject({ start_date: '', end_date: '' });
});

test.each([
  ['without a title', { title: ' ' }, "Title can't be blank"],
  ['without a start', { start_date: '' }, "Start date can't be blank"],
  ['that ends before it starts', { end_date: '2026-08-01T00:00:00Z' }, 'End date must be after start date'],
  ['that lasts seconds', { end_date: '2026-09-01T00:00:59Z' }, 'End date must be after start date'],
  ['that closes before it ends', { close_date: '2026-11-01T00:00:00Z' }, 'Close date must be on or after end date'],
  ['with a negative weight', { weight: -1 }, 'Weight must not be negative'],
])('a period %s is refused', (_, rest, message) => {
  expect(errorsOfPeriods([draft(rest)])).toEqual([message]);
});

test('periods of a set cannot overlap, and may follow each other', () => {
  const next = draft({ id: undefined, start_date: stored.end_date, end_date: later, close_date: later });
  expect(errorsOfPeriods([stored, next])).toEqual([]);
  expect(errorsOfPeriods([stored, { ...next, start_date: '2026-11-30T00:00:00Z' }])).toEqual(['Grading periods cannot overlap']);
});
