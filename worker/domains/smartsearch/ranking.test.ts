// The order of search results.

import { expect, test } from 'vitest';
import { distanceOf } from './ranking';

test('a search ranks a match in the title above one in the text, and needs every word', () => {
  const near = (title: string, body: string | null, query = 'red roses') => distanceOf({ title, body }, query);
  expect(near('Red roses', null)).toBe(0);
  expect(near('On red roses', '')).toBeLessThan(near('Flowers', '<p>red roses</p>'));
  expect(near('Flowers', '<p>red roses</p>')).toBeLessThan(near('Flowers', 'roses that are red'));
  expect(near('Roses', 'white')).toBe(1);
  expect(near('Flowers', '<p class="red">roses</p>')).toBe(1);
});
