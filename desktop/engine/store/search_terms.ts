// A search query: the beginnings of words, and phrases in quotes; and where they are in a text. Pure.

import type { Marked } from '../../contract/search';

export const [markStart, markEnd] = ['\u0002', '\u0003'];

/** A text from the index, split at the delimiters around its matches. */
export const markedParts = (text: string): Marked =>
  text.split(markStart).flatMap((part, at): [string, boolean][] => {
    if (at === 0) return part === '' ? [] : [[part, false]];
    const [hit = '', rest = ''] = part.split(markEnd);
    return rest === ''
      ? [[hit, true]]
      : [
          [hit, true],
          [rest, false],
        ];
  });

/** As the index folds characters. */
const folded = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no folding
  /^[\u0000-\u007f]*$/.test(text) ? text.toLowerCase() : text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

export interface Looked {
  /** For the index; undefined if the query is empty. */
  readonly match: string | undefined;
  /** The same, in titles only. */
  readonly titles: string;
  readonly standsIn: (text: string) => 'all' | 'some' | 'none';
  /** Some of the text around the first match, with every match in it. */
  readonly excerptOf: (text: string) => Marked;
}

const before = 60;
const most = 150;

export function lookedFor(text: string): Looked {
  const parts = [...text.matchAll(/"([^"]+)"?|([\p{L}\p{N}\p{M}]+)/gu)].flatMap(([, phrase, word]) => {
    const words = wordsIn(phrase ?? word ?? '');
    return words.length === 0 ? [] : [{ words, isPhrase: phrase !== undefined }];
  });
  const asked = parts.map(({ words, isPhrase }) => `"${words.join(' ')}"${isPhrase ? '' : '*'}`);
  const tests = parts.map(({ words, isPhrase }) => {
    const inside = words.map(folded).join('[^\\p{L}\\p{N}]+');
    return new RegExp(`(?<![\\p{L}\\p{N}])${inside}${isPhrase ? '(?![\\p{L}\\p{N}])' : ''}`, 'u');
  });
  const beginnings = parts.flatMap(({ words, isPhrase }) => words.map((word) => ({ word: folded(word), isPhrase })));
  const isHit = (word: string): boolean => {
    const given = folded(word);
    return beginnings.some((one) => (one.isPhrase ? given === one.word : given.startsWith(one.word)));
  };
  return {
    match: asked.length === 0 ? undefined : asked.join(' '),
    titles: `title : (${asked.join(' ')})`,
    standsIn(given) {
      const plain = folded(given);
      const standing = tests.filter((one) => one.test(plain)).length;
      return standing === tests.length ? 'all' : standing > 0 ? 'some' : 'none';
    },
    excerptOf(given) {
      const flat = given.replaceAll(/\s+/g, ' ').trim();
      const words = [...flat.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
        from: index,
        to: index + word.length,
        word,
      }));
      const hits = words.filter(({ word }) => isHit(word));
      const part = around(hits[0]?.from ?? 0, words, flat.length);
      const pieces = marks(flat, hits, part);
      return part.from > 0 ? [['…', false], ...pieces] : pieces;
    },
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Some of a text around a word, from the beginning of a word to the beginning of another. */
function around(first: number, words: readonly Span[], length: number): Span {
  const from = first <= before ? 0 : (words.find((word) => word.from >= first - before)?.from ?? first);
  const to = length - from <= most ? length : (words.findLast((word) => word.from <= from + most)?.from ?? length);
  return { from, to };
}

function marks(text: string, hits: readonly Span[], part: Span): [string, boolean][] {
  const pieces: [string, boolean][] = [];
  let at = part.from;
  for (const { from, to } of hits.filter((hit) => hit.from >= part.from && hit.to <= part.to)) {
    if (from > at) pieces.push([text.slice(at, from), false]);
    pieces.push([text.slice(from, to), true]);
    at = to;
  }
  const rest = `${text.slice(at, part.to)}${part.to < text.length ? '…' : ''}`;
  return rest === '' ? pieces : [...pieces, [rest, false]];
}
