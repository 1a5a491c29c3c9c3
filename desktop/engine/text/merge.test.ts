// Merges of two edits of a text: who has changed which paragraph, and where both have.

import { expect, test } from 'vitest';
import { mergeParagraphs, paragraphsIn } from './merge';

test.each([
  ['', []],
  ['only words', ['only words']],
  ['<p>a</p><p>b</p>', ['<p>a</p>', '<p>b</p>']],
  [
    '<p>a</p>\n<ul><li>b</li><li><p>c</p></li></ul>x <em>y</em>',
    ['<p>a</p>', '\n', '<ul><li>b</li><li><p>c</p></li></ul>', 'x <em>y</em>'],
  ],
  ['<div><p>a</p><p>b</p></div><hr><p>c', ['<div><p>a</p><p>b</p></div>', '<hr>', '<p>c']],
  ['<p>a &lt;p&gt; b</p>', ['<p>a &lt;p&gt; b</p>']],
])('%s has these paragraphs', (html, paragraphs) => {
  expect(paragraphsIn(html)).toEqual(paragraphs);
  expect(paragraphsIn(html).join('')).toBe(html);
});

/** One letter for a paragraph. */
const text = (letters: string) => [...letters].map((letter) => `<p>${letter}</p>`).join('');
const letters = (html: string) => html.replaceAll(/<\/?p>/g, '');

/** `=` both, `+` mine, `-` theirs, with what was there; `!` conflict. */
const merged = (base: string, mine: string, theirs: string): string =>
  mergeParagraphs(text(base), text(mine), text(theirs))
    .map((part) => {
      if (part.from === 'conflict') return `!${letters(part.mine)}/${letters(part.theirs)}`;
      if (part.from === 'both') return `=${letters(part.html)}`;
      return `${part.from === 'mine' ? '+' : '-'}${letters(part.html)}(${letters(part.was)})`;
    })
    .join(' ');

test.each([
  ['nothing has changed', 'abc', 'abc', 'abc', '=abc'],
  ['I have changed one', 'abc', 'aXc', 'abc', '=a +X(b) =c'],
  ['they have changed one', 'abc', 'abc', 'aXc', '=a -X(b) =c'],
  ['each has changed another one', 'abcde', 'aXcde', 'abcYe', '=a +X(b) =c -Y(d) =e'],
  ['both have changed one, differently', 'abc', 'aXc', 'aYc', '=a !X/Y =c'],
  ['both have changed one, to the same', 'abc', 'aXc', 'aXc', '=a =X =c'],
  ['I have removed one', 'abc', 'ac', 'abc', '=a +(b) =c'],
  ['they have removed one', 'abc', 'abc', 'ac', '=a -(b) =c'],
  ['I have removed one that they have changed', 'abc', 'ac', 'aYc', '=a !/Y =c'],
  ['both have removed one', 'abc', 'ac', 'ac', '=a = =c'],
  ['I have removed the last and they the first', 'abc', 'ab', 'bc', '-(a) =b +(c)'],
  ['I have added one at the start, they at the end', 'ab', 'Xab', 'abY', '+X() =ab -Y()'],
  ['both have added one at the same place', 'ab', 'aXb', 'aYb', '=a !X/Y =b'],
  ['there was nothing, and both have written', '', 'X', 'Y', '!X/Y'],
  ['there was nothing, and they have written', '', '', 'Y', '-Y()'],
  ['adjacent paragraphs are decided one by one', 'abc', 'XYc', 'ZbW', '!X/Z +Y(b) -W(c)'],
  ['I have removed everything', 'ab', '', 'ab', '+(ab)'],
  ['I have removed everything while they have changed one', 'ab', '', 'aY', '!/aY'],
  ['the same paragraph is there twice', 'aba', 'abXa', 'Yaba', '-Y() =ab +X() =a'],
])('%s', (_, base, mine, theirs, result) => {
  expect(merged(base, mine, theirs)).toBe(result);
});

test('spaces between tags are no change, and the server’s spelling stays', () => {
  expect(mergeParagraphs('<p>a</p>\n<ul>\n<li>b</li>\n</ul>', '<p>a</p><ul><li>b</li></ul>', '<p>a</p>\n<ul>\n<li>b</li>\n</ul>')).toEqual([
    { from: 'both', html: '<p>a</p><ul>\n<li>b</li>\n</ul>' },
  ]);
});

test('whatever is merged, every paragraph of both sides is in the result', () => {
  const some = ['', 'a', 'ab', 'ba', 'abc', 'cab', 'aXc', 'Xabc', 'abcX', 'cba'];
  for (const base of some)
    for (const mine of some)
      for (const theirs of some) {
        const parts = mergeParagraphs(text(base), text(mine), text(theirs));
        const side = (which: 'mine' | 'theirs') =>
          parts
            .map((part) => (part.from === 'conflict' ? part[which] : part.from === 'both' || part.from === which ? part.html : part.was))
            .join('');
        expect([base, mine, theirs, letters(side('mine'))]).toEqual([base, mine, theirs, mine]);
        expect([base, mine, theirs, letters(side('theirs'))]).toEqual([base, mine, theirs, theirs]);
      }
});
