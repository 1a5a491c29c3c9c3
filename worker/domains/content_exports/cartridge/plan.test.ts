import { expect, it } from 'vitest';
import { cartridgeChunksOf } from './plan';

const megabyte = 1024 * 1024;

it('chunks have a limited number of items, and files a limited number of bytes', () => {
  const ids = Array.from({ length: 12 }, (_, at) => at + 1);
  expect(cartridgeChunksOf('quiz', ids).map((one) => one.ids.length)).toEqual([5, 5, 2]);
  expect(cartridgeChunksOf('file', [1, 2, 3, 4], (id) => (id === 2 ? 100 : 30) * megabyte).map((one) => one.ids)).toEqual([
    [1],
    [2],
    [3, 4],
  ]);
  expect(cartridgeChunksOf('page', [])).toEqual([]);
});
