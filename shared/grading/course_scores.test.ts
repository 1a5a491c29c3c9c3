// Course totals: counted and dropped scores.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CountedGroup, courseScores, rounded, type ScoredWork, scoresByPeriod, wholeCourse } from './course_scores';
import { keptScores } from './kept_scores';

const group = (points: readonly number[], rest: Partial<CountedGroup> = {}, from = 1): CountedGroup => ({
  group_weight: 0,
  rules: {},
  assignments: points.map((points_possible, at) => ({ id: from + at, points_possible })),
  ...rest,
});
const done = (score: number | null, rest: Partial<ScoredWork> = {}): ScoredWork => ({
  score,
  isPending: false,
  excused: false,
  isHidden: false,
  ...rest,
});
const scores = (groups: readonly CountedGroup[], work: Record<number, ScoredWork>, rest: { isWeighted?: boolean } = {}) =>
  courseScores({
    groups,
    work: new Map(Object.entries(work).map(([id, one]) => [Number(id), one])),
    isWeighted: false,
    ...rest,
  });

test('an ungraded submission is left out of the current score and counts as zero in the final score', () => {
  expect(scores([group([10, 10])], { 1: done(8) })).toMatchObject({ current_score: 80, final_score: 40, current_points: 8 });
  expect(scores([group([10, 10])], {})).toMatchObject({ current_score: null, final_score: 0 });
  expect(scores([group([])], {})).toMatchObject({ current_score: null, final_score: null });
  expect(scores([group([10, 10])], { 1: done(8), 2: done(4, { isPending: true }) })).toMatchObject({ current_score: 80, final_score: 60 });
});

test('an excused submission is left out of both scores', () => {
  expect(scores([group([10, 10])], { 1: done(8), 2: done(null, { excused: true }) })).toMatchObject({ current_score: 80, final_score: 80 });
});

test('unposted scores count only in the totals for graders', () => {
  expect(scores([group([10, 10])], { 1: done(8), 2: done(2, { isHidden: true }) })).toMatchObject({
    current_score: 80,
    final_score: 40,
    unposted_current_score: 50,
    unposted_final_score: 50,
  });
});

test('without possible points there is no score, and extra points count', () => {
  expect(scores([group([0])], { 1: done(5) })).toMatchObject({ current_score: null, current_points: 5 });
  expect(scores([group([0, 10])], { 1: done(5), 2: done(10) })).toMatchObject({ current_score: 150 });
});

test('weights apply to groups with possible points, and are scaled up when they add up to less than 100', () => {
  const groups = [group([10], { group_weight: 30 }), group([10], { group_weight: 30 }, 2), group([0], { group_weight: 40 }, 3)];
  expect(scores(groups, { 1: done(10), 2: done(5) }, { isWeighted: true })).toMatchObject({ current_score: 75 });
  expect(scores(groups, { 1: done(10) }, { isWeighted: true })).toMatchObject({ current_score: 100, final_score: 50 });
  const heavy = [group([10], { group_weight: 100 }), group([10], { group_weight: 20 }, 2)];
  expect(scores(heavy, { 1: done(10), 2: done(10) }, { isWeighted: true })).toMatchObject({ current_score: 120 });
  expect(scores([group([10])], { 1: done(10) }, { isWeighted: true })).toMatchObject({ current_score: null });
});

test('a group drops the scores that change its percentage most, not simply the lowest percentages', () => {
  // Of 1/10, 30/100 and 9/10 the second has the largest effect, although its percentage is not the lowest.
  const groups = (rules: CountedGroup['rules']) => [group([10, 100, 10], { rules })];
  const work = { 1: done(1), 2: done(30), 3: done(9) };
  expect(scores(groups({ drop_lowest: 1 }), work)).toMatchObject({ current_score: 50 });
  expect(scores(groups({ drop_highest: 1 }), work)).toMatchObject({ current_score: 28.18 });
  expect(scores(groups({ drop_lowest: 1, never_drop: [2] }), work)).toMatchObject({ current_score: 35.45 });
  expect(scores(groups({ drop_lowest: 9 }), work), 'one always stays').toMatchObject({ current_score: 90 });
  expect(scores(groups({ drop_lowest: 1, drop_highest: 2 }), work), 'then nothing high is dropped').toMatchObject({ current_score: 50 });
  expect(
    scores([group([0, 0, 0], { rules: { drop_lowest: 1, drop_highest: 1 } }), group([10], {}, 4)], { ...work, 4: done(0) }),
  ).toMatchObject({
    current_points: 9,
  });
});

test('halves are rounded away from zero, in decimals', () => {
  expect([1.005, -1.005, 2.675, 33.333333, 0.1 + 0.2, 1e-9].map(rounded)).toEqual([1.01, -1.01, 2.68, 33.33, 0.3, 0]);
});

/** Every choice of `count` items. */
const choices = <T>(items: readonly T[], count: number): T[][] =>
  count === 0 ? [[]] : items.flatMap((item, at) => choices(items.slice(at + 1), count - 1).map((rest) => [item, ...rest]));

test('no other choice of dropped scores gives a better total', () => {
  const item = fc.record({ score: fc.integer({ min: 0, max: 30 }), possible: fc.integer({ min: 1, max: 30 }), canDrop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(item, { minLength: 2, maxLength: 7 }), fc.integer({ min: 1, max: 3 }), (given, drop_lowest) => {
      const items = given.map((one, id) => ({ ...one, id }));
      const share = (those: readonly { score: number; possible: number }[]) =>
        those.reduce((all, one) => all + one.score, 0) / those.reduce((all, one) => all + one.possible, 0);
      const droppable = items.filter((one) => one.canDrop);
      if (droppable.length === 0) return;
      const fixed = items.filter((one) => !one.canDrop);
      const stay = droppable.length - Math.min(drop_lowest, droppable.length - 1);
      const best = Math.max(...choices(droppable, stay).map((chosen) => share([...fixed, ...chosen])));
      expect(share(keptScores(items, { drop_lowest }))).toBeCloseTo(best, 9);
    }),
  );
});

test('drop rules also work where one score is best only in combination: 8 of 5 outweighs 3 of 1', () => {
  const items = [
    { id: 1, score: 3, possible: 1, canDrop: true },
    { id: 2, score: 0, possible: 2, canDrop: false },
    { id: 3, score: 8, possible: 5, canDrop: true },
  ];
  expect(keptScores(items, { drop_lowest: 1 }).map(({ id }) => id)).toEqual([2, 3]);
});

test('no other choice gives a better total after the lowest, nor then a worse one after the highest scores are dropped', () => {
  const item = fc.record({ score: fc.integer({ min: 0, max: 30 }), possible: fc.integer({ min: 0, max: 30 }), canDrop: fc.boolean() });
  const rules = fc.record({ drop_lowest: fc.integer({ min: 0, max: 3 }), drop_highest: fc.integer({ min: 0, max: 3 }) });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 7 }), rules, (given, { drop_lowest, drop_highest }) => {
      const items = given.map((one, id) => ({ ...one, id }));
      const [fixed, droppable] = [items.filter((one) => !one.canDrop), items.filter((one) => one.canDrop)];
      const kept = keptScores(items, { drop_lowest, drop_highest });
      const n = droppable.length;
      if (n === 0) {
        expect(kept).toEqual(items);
        return;
      }
      const lowest = Math.min(drop_lowest, n - 1);
      const highest = lowest + drop_highest >= n ? 0 : drop_highest;
      expect(kept.length, 'as many are kept as the rules say').toBe(items.length - lowest - highest);
      expect(kept, 'what may not be dropped is kept').toEqual(expect.arrayContaining(fixed));
      const possible = (those: readonly { possible: number }[]) => those.reduce((all, one) => all + one.possible, 0);
      const share = (those: readonly { score: number; possible: number }[]) =>
        possible(those) === 0 ? Number.NaN : those.reduce((all, one) => all + one.score, 0) / possible(those);
      // With choices that have no possible points the ratio is not defined.
      const ratios = (from: typeof items, count: number) => choices(from, count).map((chosen) => share([...fixed, ...chosen]));
      if (ratios(droppable, n - lowest - highest).some(Number.isNaN)) return;
      const best = Math.max(...ratios(droppable, n - lowest));
      const good = choices(droppable, n - lowest).filter((chosen) => Math.abs(share([...fixed, ...chosen]) - best) < 1e-9);
      const worst = good.map((chosen) => Math.min(...ratios(chosen, n - lowest - highest)));
      // Several choices may be best; what is dropped then depends on which of them is taken.
      expect(worst.some((one) => Math.abs(one - share(kept)) < 1e-9)).toBe(true);
    }),
  );
});

const divided = (
  periods: readonly { id: number; weight: number | null }[],
  hasWeightedPeriods: boolean,
  work: Record<number, ScoredWork>,
  groups = [group([10, 10, 10])],
) =>
  scoresByPeriod({
    groups,
    work: new Map(Object.entries(work).map(([id, one]) => [Number(id), one])),
    isWeighted: false,
    periods,
    hasWeightedPeriods,
    overrides: new Map([[101, 77]]),
    // Assignment 1 is in period 101, 2 in 102, and 3 in none.
    periodOf: (id) => (id < 3 ? id + 100 : undefined),
  });

test('each grading period has scores of its own, and an unweighted whole ignores them', () => {
  const scores = divided(
    [
      { id: 101, weight: null },
      { id: 102, weight: null },
    ],
    false,
    { 1: done(8), 2: done(2), 3: done(5) },
  );
  expect([101, 102, wholeCourse].map((id) => scores.get(id)?.current_score)).toEqual([80, 20, 50]);
});

test.each([
  ['the weights add up to 100', [60, 40], { 1: done(8), 2: done(2) }, 56, 56],
  ['a period has no score: its weight is left out of the current score', [60, 40], { 1: done(8) }, 80, 48],
  ['the weights add up to less', [30, 20], { 1: done(8), 2: done(2) }, 56, 56],
  ['the weights add up to more, which is not scaled', [100, 50], { 1: done(8), 2: done(2) }, 90, 90],
  ['no period has a weight', [null, null], { 1: done(8), 2: done(2) }, 0, 0],
  ['no period has a score', [60, 40], { 3: done(10) }, null, 0],
  ['a score is hidden', [60, 40], { 1: done(8), 2: done(2, { isHidden: true }) }, 80, 48],
] as const)('weighted periods: %s', (_, [first, second], work, current, final) => {
  const scores = divided(
    [
      { id: 101, weight: first },
      { id: 102, weight: second },
    ],
    true,
    work,
  );
  expect(scores.get(wholeCourse)).toMatchObject({ current_score: current, final_score: final });
});

test('an override is beside the computed scores of its period, and changes none of them', () => {
  const periods = [
    { id: 101, weight: 50 },
    { id: 102, weight: 50 },
  ];
  const scores = divided(periods, true, { 1: done(8), 2: done(2) });
  expect(scores.get(101)).toMatchObject({ current_score: 80, override_score: 77 });
  expect(scores.get(102)).toMatchObject({ current_score: 20, override_score: null });
  expect(scores.get(wholeCourse)).toMatchObject({ current_score: 50, final_score: 50, override_score: null });
});

test('a drop rule applies in each period by itself', () => {
  const groups = [group([10, 10, 10, 10], { rules: { drop_lowest: 1 } })];
  const scores = scoresByPeriod({
    groups,
    work: new Map([1, 2, 3, 4].map((id) => [id, done(id)])),
    isWeighted: false,
    periods: [
      { id: 1, weight: 50 },
      { id: 2, weight: 50 },
    ],
    hasWeightedPeriods: false,
    overrides: new Map(),
    periodOf: (id) => (id <= 2 ? 1 : 2),
  });
  expect([1, 2, wholeCourse].map((id) => scores.get(id)?.current_score)).toEqual([20, 40, 30]);
});
