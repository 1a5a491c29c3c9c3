// Quiet hours of notifications.

import { describe, expect, test } from 'vitest';
import { isQuiet, quietSince, quietUntil } from './quiet';

describe('a notification', () => {
  test.each([
    ['12:00', null, false],
    ['23:00', { from: '22:00', to: '07:00' }, true],
    ['06:59', { from: '22:00', to: '07:00' }, true],
    ['07:00', { from: '22:00', to: '07:00' }, false],
    ['13:00', { from: '12:00', to: '14:00' }, true],
    ['11:59', { from: '12:00', to: '14:00' }, false],
    ['11:59', { from: '12:00', to: '12:00' }, false],
  ] as const)('at %s with the quiet hours %j: %s', (hour, quiet, expected) => {
    const [hours, minutes] = hour.split(':').map(Number);
    expect(isQuiet(quiet, new Date(2026, 10, 20, hours, minutes))).toBe(expected);
  });

  test('waits for the end of the quiet hours, on the next day where they pass midnight', () => {
    const night = { from: '22:00', to: '07:00' };
    const late = new Date(2026, 10, 20, 23, 0);
    const early = new Date(2026, 10, 21, 6, 0);
    expect([quietUntil(night, late), quietUntil(night, early)]).toEqual([new Date(2026, 10, 21, 7, 0), new Date(2026, 10, 21, 7, 0)]);
    expect([quietSince(night, late), quietSince(night, early)]).toEqual([new Date(2026, 10, 20, 22, 0), new Date(2026, 10, 20, 22, 0)]);
  });
});
