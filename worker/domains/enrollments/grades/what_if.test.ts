import { expect, test } from 'vitest';
import { whatIfTotals, withEnteredScores } from './what_if';

const spring = '2026-03-01T00:00:00Z';
const member = (id: number, points: number, manual = 0, anonymous = 0, created_at = spring) => [
  id,
  points,
  manual,
  null,
  anonymous,
  created_at,
];
const group = (id: number, weight: number, members: unknown[], rules: object = {}) => ({ id, weight, rules, members });
const course = (groups: object[], is_weighted = 0) => ({ course_id: 1, is_weighted, groups: JSON.stringify(groups), divided: null });
const work = (done: unknown[][], more: object = {}) =>
  JSON.stringify({ work: done, others: [], dates: [], ended: null, overrides: [], ...more });

const graded = (id: number, score: number, excused = 0) => [id, score, 0, excused, 'then', 'then'];
const entered = (...pairs: [number, number][]) => new Map(pairs);

const two = course([group(5, 0, [member(1, 10), member(2, 20)]), group(6, 0, [member(3, 10)])]);

test('an entered score counts in place of the score, and of a missing one', () => {
  const { current, final } = whatIfTotals(work([graded(1, 4)]), two, entered([1, 9], [3, 5]));
  expect(current).toMatchObject({ grade: 70, total: 14, possible: 20 });
  expect(final).toMatchObject({ grade: 35, total: 14, possible: 40 });
  expect(current.groups).toEqual([
    { id: 5, score: 9, possible: 10, weight: 0, grade: 90, dropped: [] },
    { id: 6, score: 5, possible: 10, weight: 0, grade: 50, dropped: [] },
  ]);
  expect(final.groups[0]).toMatchObject({ score: 9, possible: 30, grade: 30 });
});

test('a group without anything that counts has no grade', () => {
  const { current } = whatIfTotals(work([]), two, entered());
  expect(current).toMatchObject({ grade: null, total: 0, possible: 0 });
  expect(current.groups[1]).toMatchObject({ grade: null, possible: 0 });
});

test('a hidden grade does not count, an entered score for it does', () => {
  const manual = course([group(5, 0, [member(1, 10, 1), member(2, 10, 1, 1)])]);
  const hidden = work([
    [1, 10, 0, 0, 'then', null],
    [2, 10, 0, 0, 'then', null],
  ]);
  expect(whatIfTotals(hidden, manual, entered()).current.grade).toBeNull();
  expect(whatIfTotals(hidden, manual, entered([1, 3])).current).toMatchObject({ grade: 30, possible: 10 });
  expect(whatIfTotals(hidden, manual, entered([2, 4])).current).toMatchObject({ grade: 40, possible: 10 });
});

test('work that waits for a grade counts with an entered score; excused work does not', () => {
  const pending = work([[1, 2, 1, 0, null, null], graded(2, 20, 1)]);
  expect(whatIfTotals(pending, two, entered([1, 8], [2, 0])).current).toMatchObject({ grade: 80, total: 8, possible: 10 });
});

test('drop rules and weights apply to entered scores', () => {
  const weighted = course([group(5, 25, [member(1, 10), member(2, 10)], { drop_lowest: 1 }), group(6, 75, [member(3, 10)])], 1);
  const { current } = whatIfTotals(work([graded(1, 10), graded(2, 5), graded(3, 10)]), weighted, entered([1, 1], [3, 4]));
  expect(current.groups.map(({ dropped }) => dropped)).toEqual([[1], []]);
  expect(current.grade).toBe(0.25 * 50 + 0.75 * 40);
});

test('assignments of others do not count', () => {
  expect(whatIfTotals(work([], { others: [1] }), two, entered([1, 5])).final).toMatchObject({ total: 0, possible: 30 });
});

test('an entered score replaces one entry of the work', () => {
  const before = JSON.parse(work([graded(1, 4), graded(2, 6, 1)]));
  expect(withEnteredScores(before, entered([2, 3])).work.map((one) => one.slice(0, 4))).toEqual([
    [1, 4, 0, 0],
    [2, 3, 0, 1],
  ]);
});

test('a student who has left has zeros for missing work, but not for what was assigned later', () => {
  const later = '2026-06-01T00:00:01Z';
  const groups = course([group(5, 0, [member(1, 10), member(2, 10), member(3, 10, 0, 0, later), member(4, 10, 0, 0, later)])]);
  const left = work([graded(1, 8), graded(4, 4)], { ended: '2026-06-01T00:00:00Z' });
  expect(whatIfTotals(left, groups, entered()).final).toMatchObject({ grade: 40, total: 12, possible: 30 });
});

test('a weighted set without periods leaves the total', () => {
  const divided = JSON.stringify({ weighted: 1, periods: [] });
  const { current, final } = whatIfTotals(work([graded(1, 8)]), { ...course([group(5, 0, [member(1, 10)])]), divided }, entered());
  expect([current.grade, final.grade]).toEqual([80, 80]);
});
