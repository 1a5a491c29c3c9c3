// The pages of a file that have changed.

import { expect, test } from 'vitest';
import { changedPages } from './changed_pages';

test.each([
  ['a changed slide', ['a', 'b', 'c'], ['a', 'x', 'c'], { changed: [2], added: 0, removed: 0 }],
  ['one of two similar pages', ['1 a', '2 a', '3 x', '4 a'], ['1 a', '2 y', '3 a', '4 a'], { changed: [2, 3], added: 0, removed: 0 }],
  ['a page inserted', ['1 a', '2 b', '3 c'], ['1 a', '2 x', '3 b', '4 c'], { changed: [], added: 1, removed: 0 }],
  ['a page removed', ['a', 'b'], ['a'], { changed: [], added: 0, removed: 1 }],
  ['nothing', ['a'], ['a'], undefined],
  ['everything', ['a', 'b'], ['x', 'y'], undefined],
])('the changed pages of a file %s', (_what, before, after, expected) =>
  expect(changedPages({ pages: before }, { pages: after })).toEqual(expected),
);

const scan = { pages: ['', '', ''], drawn: ['p', 'q', 'r'] };

const slides = { pages: ['a', 'b', 'c', 'd'], drawn: ['p', 'q', 'r', 's'] };

test.each([
  ['another image in a scan', scan, { ...scan, drawn: ['p', 'x', 'r'] }, { changed: [2], added: 0, removed: 0 }],
  ['a page inserted in a scan', scan, { pages: ['', '', '', ''], drawn: ['p', 'x', 'q', 'r'] }, { changed: [], added: 1, removed: 0 }],
  [
    'one slide with other words, and one with another image',
    slides,
    { pages: ['a', 'x', 'c', 'd'], drawn: ['p', 'q', 'r', 'y'] },
    { changed: [2, 4], added: 0, removed: 0 },
  ],
  [
    'every page redrawn, and one with other words',
    slides,
    { pages: ['a', 'x', 'c', 'd'], drawn: ['1', '2', '3', '4'] },
    { changed: [2], added: 0, removed: 0 },
  ],
  ['nothing known of one version', { pages: slides.pages }, { ...slides, drawn: ['1', 'q', 'r', 's'] }, undefined],
])('the changed drawing on pages: %s', (_what, before, after, expected) => expect(changedPages(before, after)).toEqual(expected));
