import { expect, test } from 'vitest';
import { daysOf, historyDayOf, spanOfDay } from './day';

test('a date is read in three forms', () => {
  for (const given of ['2026-11-03', '11-03-2026', '20261103']) expect(historyDayOf(given)).toBe('2026-11-03');
  for (const given of ['2026-13-03', '2026-02-30', 'days', '1', '2026-1103x', '']) expect(historyDayOf(given)).toBeUndefined();
});

test('a day begins at midnight of its time zone', () => {
  expect(spanOfDay('2026-11-03', 'America/New_York')).toEqual({ start_time: '2026-11-03T05:00:00Z', end_time: '2026-11-04T04:59:59Z' });
});

test('changes are grouped by day, grader and assignment', () => {
  const change = (created_at: string, grader_id: number, id: number) => ({
    created_at,
    grader_id,
    grader_name: `G${grader_id}`,
    assignment: { id },
  });
  const changes = [
    change('2026-11-04T02:00:00Z', 1, 7),
    change('2026-11-03T20:00:00Z', 2, 8),
    change('2026-11-03T18:00:00Z', 1, 7),
    change('2026-11-03T17:00:00Z', 1, 7),
  ];
  expect(daysOf(changes, 'Etc/UTC')).toEqual([
    { date: '2026-11-04', graders: [{ id: 1, name: 'G1', assignments: [{ id: 7 }] }] },
    {
      date: '2026-11-03',
      graders: [
        { id: 2, name: 'G2', assignments: [{ id: 8 }] },
        { id: 1, name: 'G1', assignments: [{ id: 7 }] },
      ],
    },
  ]);
  expect(daysOf(changes, 'America/New_York').map(({ date }) => date)).toEqual(['2026-11-03']);
});
