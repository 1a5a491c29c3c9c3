// How much an import may delete.

import { expect, test } from 'vitest';
import { losesTooMuch } from './cleanup';

test('an import that would delete more than its threshold allows loses too much', () => {
  expect(losesTooMuch(11, 100, 10)).toBe(true);
  expect(losesTooMuch(10, 100, 10)).toBe(false);
  expect(losesTooMuch(100, 100, undefined)).toBe(false);
  expect(losesTooMuch(0, 0, 1)).toBe(false);
});
