// Finds highlighted words in a text, even after the text around them has changed. Pure.

import type { Highlight } from '../../contract/reading.ts';

const around = 32;

export const anchorOf = (text: string, start: number, end: number): Omit<Highlight, 'id'> => ({
  words: text.slice(start, end),
  before: text.slice(Math.max(0, start - around), start),
  after: text.slice(end, end + around),
});

function alike(a: string, b: string): number {
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
  return same;
}
const backwards = (text: string) => [...text].reverse().join('');

/** The occurrence with the most similar context; null when the words are gone. */
export function placeOfWords(text: string, { words, before, after }: Omit<Highlight, 'id'>): readonly [start: number, end: number] | null {
  if (words === '') return null;
  let best: number | null = null;
  let most = -1;
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const score =
      alike(backwards(text.slice(Math.max(0, at - around), at)), backwards(before)) + alike(text.slice(at + words.length), after);
    if (score > most) [best, most] = [at, score];
  }
  return best === null ? null : [best, best + words.length];
}
