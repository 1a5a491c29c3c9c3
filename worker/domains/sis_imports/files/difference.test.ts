// Rows that differ from those of the import before.

import { expect, test } from 'vitest';
import { changePercent, EarlierRows } from './difference';

test('the change of a data set is a percentage of its earlier size', () => {
  expect(changePercent(100, 110)).toBeCloseTo(10);
  expect(changePercent(100, 50)).toBeCloseTo(50);
});

test('lists differing rows', () => {
  const earlier = new EarlierRows(3);
  earlier.put('a', 'a 1');
  earlier.put('b', 'b 1');
  earlier.put('c', 'c 1');
  expect([earlier.compare('a', 'a 1'), earlier.compare('b', 'b 2'), earlier.compare('d', 'd')]).toEqual(['same', 'changed', 'new']);
  expect(['a', 'b', 'c', 'c', 'd'].map((key) => earlier.isMissing(key))).toEqual([false, false, true, false, false]);
});

test('distinguishes every row', () => {
  const earlier = new EarlierRows(20_000);
  for (let n = 0; n < 20_000; n += 1) earlier.put(`U${n}`, `row ${n}`);
  for (let n = 0; n < 20_000; n += 1) expect(earlier.compare(`U${n}`, `row ${n}`)).toBe('same');
  expect(earlier.compare('U20000', '')).toBe('new');
});
