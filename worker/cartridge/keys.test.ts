import { expect, it } from 'vitest';
import { packageKey } from './keys';

it('is the same for an item, and different for other items, kinds and courses', () => {
  expect(packageKey('a', 'quiz', 1)).toBe(packageKey('a', 'quiz', 1));
  expect(packageKey('a', 'quiz', 1)).toMatch(/^g[0-9a-f]{32}$/);
  const others = [packageKey('a', 'quiz', 2), packageKey('a', 'page', 1), packageKey('b', 'quiz', 1)];
  expect(new Set([packageKey('a', 'quiz', 1), ...others]).size).toBe(4);
});
