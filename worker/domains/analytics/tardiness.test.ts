// Whether students have handed in on time.

import { expect, test } from 'vitest';
import { blankHandIn, type HandIn, isDigital, tardinessCounts, tardinessOf, tardinessShares } from './tardiness';

const due = '2026-10-01T12:00:00Z';
const before = '2026-10-01T11:59:59Z';
const after = '2026-10-01T12:00:01Z';
const online = ['online_text_entry'];
const submitted = (submitted_at: string, rest: Partial<HandIn> = {}): Partial<HandIn> => ({
  submission_type: 'online_text_entry',
  submitted_at,
  ...rest,
});

test.each<[string, Partial<HandIn>, string | null, string, string]>([
  ['submitted in time', submitted(before), due, after, 'on_time'],
  ['submitted at the due date', submitted(due), due, after, 'on_time'],
  ['submitted late', submitted(after), due, after, 'late'],
  ['submitted without a due date', submitted(after), null, after, 'on_time'],
  ['submitted late, which a grader has overruled', submitted(after, { late_policy_status: 'none' }), due, after, 'on_time'],
  ['submitted late, with an extension', submitted(after, { late_policy_status: 'extended' }), due, after, 'on_time'],
  ['submitted in time, but marked as late', submitted(before, { late_policy_status: 'late' }), due, after, 'late'],
  ['submitted in time, but marked as missing', submitted(before, { late_policy_status: 'missing' }), due, after, 'missing'],
  ['a quiz within its minute of grace', submitted('2026-10-01T12:01:00Z', { submission_type: 'online_quiz' }), due, after, 'on_time'],
  ['nothing before the due date', {}, due, before, 'floating'],
  ['nothing without a due date', {}, null, after, 'floating'],
  ['nothing after the due date', {}, due, after, 'missing'],
  ['nothing after the due date, which a grader has overruled', { late_policy_status: 'none' }, due, after, 'floating'],
  ['graded without a submission and a due date', { graded_at: after }, null, after, 'on_time'],
  ['graded without a submission, in time', { graded_at: before }, due, after, 'on_time'],
  ['graded without a submission, late', { graded_at: after }, due, after, 'missing'],
  ['excused', submitted(after, { excused: true }), due, after, 'floating'],
])('%s', (_, work, due_at, now, expected) => {
  expect(tardinessOf({ ...blankHandIn, ...work }, due_at, online, now)).toBe(expected);
});

test('what is handed in on paper is never missing', () => {
  expect(tardinessOf(blankHandIn, due, ['on_paper'], after)).toBe('floating');
  expect(tardinessOf({ ...blankHandIn, graded_at: after }, due, ['on_paper'], after)).toBe('on_time');
  expect(
    [['none'], ['on_paper'], ['not_graded'], [], ['online_url', 'none'], ['external_tool'], ['discussion_topic']].map(isDigital),
  ).toEqual([false, false, false, false, true, true, true]);
});

test('a breakdown has shares of the total, and zeros without students', () => {
  expect(tardinessShares(tardinessCounts(['late', 'late', 'missing', 'on_time']))).toEqual({
    on_time: 0.25,
    late: 0.5,
    missing: 0.25,
    floating: 0,
    total: 4,
  });
  expect(tardinessShares(tardinessCounts([]))).toEqual({ on_time: 0, late: 0, missing: 0, floating: 0, total: 0 });
});
