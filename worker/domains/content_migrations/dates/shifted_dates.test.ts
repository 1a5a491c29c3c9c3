// Dates of imported content, shifted.

import { describe, expect, test } from 'vitest';
import type { DateShift } from '../table';
import { completeShift, shiftedDay, shiftedTime } from './shifted_dates';

const shift = (rest: Partial<DateShift> = {}): DateShift => ({
  old_start: '2026-01-05',
  old_end: '2026-05-25',
  new_start: '2026-08-31',
  new_end: '2027-01-18',
  substitutions: {},
  zone: 'Etc/UTC',
  ...rest,
});

describe('a day', () => {
  test.each<[string, string, string, Partial<DateShift>]>([
    ['moves with a course of the same length', '2026-01-07', '2026-09-02', {}],
    ['on the first day stays the first day', '2026-01-05', '2026-08-31', {}],
    ['on the last day stays the last day', '2026-05-25', '2027-01-18', {}],
    ['before the start moves before the new start', '2026-01-02', '2026-08-28', {}],
    ['moves in proportion into a course of half the length', '2026-03-16', '2026-10-05', { new_end: '2026-11-09' }],
    ['keeps its weekday when the new course starts on another one', '2026-01-07', '2026-09-02', { new_start: '2026-09-01' }],
    ['goes to the weekday that replaces its own', '2026-01-07', '2026-09-03', { substitutions: { 3: 4 } }],
    ['goes back within the week if the course has started', '2026-01-14', '2026-09-07', { substitutions: { 3: 1 } }],
    ['goes on to the next week if it would precede the start', '2026-01-07', '2026-09-06', { substitutions: { 3: 0 } }],
    ['of a course of one day moves to the new start', '2026-01-05', '2026-08-31', { old_end: '2026-01-05' }],
    ['far outside of the course stays in the calendar', '9000-01-05', '9999-12-30', { old_end: '2026-01-06' }],
    ['across the leap day of 2028', '2026-02-16', '2028-02-28', { new_start: '2028-01-17', new_end: '2028-06-05' }],
  ])('%s', (_, day, expected, rest) => expect(shiftedDay(day, shift(rest))).toBe(expected));
});

describe('a time', () => {
  test.each<[string, string, string, string]>([
    ['in UTC keeps its clock, without seconds', '2026-01-07T23:59:59Z', '2026-09-02T23:59:00Z', 'Etc/UTC'],
    // Midnight in Denver is 7 o'clock UTC in winter, 6 o'clock in summer.
    ['moves from winter to summer time', '2026-01-08T06:59:00Z', '2026-09-03T05:59:00Z', 'America/Denver'],
    ['moves from summer to winter time', '2026-05-12T05:59:00Z', '2027-01-05T06:59:00Z', 'America/Denver'],
    // The clock skips from 2:00 to 3:00 on 2026-03-29 in Berlin.
    ['skipped by daylight saving is an hour later', '2026-02-22T01:30:00Z', '2026-03-29T01:30:00Z', 'Europe/Berlin'],
    ['is on the day of the zone, not of UTC', '2026-01-07T20:00:00Z', '2026-09-02T20:00:00Z', 'Asia/Kolkata'],
    ['in an unknown zone counts as UTC', '2026-01-07T10:00:00Z', '2026-09-02T10:00:00Z', 'Nowhere/Else'],
  ])('%s', (name, time, expected, zone) =>
    expect(
      shiftedTime(
        time,
        shift({
          zone,
          ...(name.startsWith('skipped') && {
            old_start: '2026-02-22',
            old_end: '2026-02-28',
            new_start: '2026-03-29',
            new_end: '2026-04-04',
          }),
        }),
      ),
    ).toBe(expected),
  );
});

describe('the defaults of a shift', () => {
  const [source, target] = [
    { start: '2026-01-05', end: '2026-05-25' },
    { start: '2026-08-31', end: '2027-01-18' },
  ];
  const zone = 'Etc/UTC';
  test.each<[string, Parameters<typeof completeShift>, Partial<DateShift> | undefined]>([
    ['are the days of both courses, and the length of the old one', [{ zone }, source, target], { new_end: '2027-01-18' }],
    [
      'discard an end before its start',
      [{ zone, old_start: '2026-02-02', old_end: '2026-01-01' }, source, target],
      { old_end: '2026-05-25' },
    ],
    [
      'discard a new end before the new start',
      [{ zone, new_start: '2027-02-01', new_end: '2026-01-01' }, source, target],
      { new_end: '2027-06-21' },
    ],
    ['are unknown without a new start', [{ zone }, source, {}], undefined],
    ['are unknown without dates in the source', [{ zone, new_start: '2027-02-01' }, {}, target], undefined],
  ])('%s', (_, given, expected) => {
    const found = completeShift(...given);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });
});
