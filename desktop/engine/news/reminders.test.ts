// When the user is reminded of due work.

import { describe, expect, test } from 'vitest';
import { remind } from './reminders';

describe('a notification for due work', () => {
  const quiet = { from: '22:00', to: '07:00' };

  const due = (day: number, hours: number, minutes = 0) => [
    {
      course_id: 5,
      assignment_id: 1,
      title: 'Essay',
      course_name: null,
      due_at: new Date(2026, 10, day, hours, minutes).toISOString(),
    },
  ];

  const now = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes);

  test.each([
    ['a day before', due(21, 12), now(20, 11, 59), now(20, 12)],
    ['a day before, after the quiet hours', due(22, 23, 59), now(21, 22), now(22, 7)],
    ['an hour before, and before quiet hours that would end too late', due(20, 23, 59), now(20, 12), now(20, 21, 45)],
  ] as const)('%s', (_when, work, before, at) => {
    const waiting = remind(work, [], quiet, before);
    expect(waiting.again && waiting.say.length === 0 ? waiting.again : remind(work, waiting.said, quiet, before).again).toEqual(at);
    expect(remind(work, waiting.said, quiet, at).say).toHaveLength(1);
  });

  test('is shown once for a passed moment, and not once the assignment is over', () => {
    const { say, said } = remind(due(20, 12), [], quiet, now(20, 11, 30));
    expect(say).toHaveLength(1);
    expect(remind(due(20, 12), said, quiet, now(20, 11, 45)).say).toEqual([]);
    expect(remind(due(20, 12), [], quiet, now(20, 12)).say).toEqual([]);
    // A new due date is a new notification.
    expect(remind(due(20, 12, 10), said, quiet, now(20, 11, 45)).say).toHaveLength(1);
  });
});
