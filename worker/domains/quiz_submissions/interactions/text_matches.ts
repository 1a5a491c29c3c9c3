// Whether a text that a student entered in a blank is a right one, by the algorithm of the blank (reference 04 §10.2).

import { lookUp } from '@carrel/shared/wire/look_up';
import { amountOf, booleanOf, type Mapping, partText, textsIn } from './parts';

const plain = (text: string) => text.trim().normalize('NFC');
const folded = (text: string) => plain(text).toLowerCase();
const keyIn = ({ value }: Mapping) => partText(value) ?? '';

/** Comparing longer texts character by character would take too long. */
const longestCompared = 500;

/** How many characters must be inserted, removed or replaced to turn one text into the other. */
export function editDistance(from: string, to: string): number {
  const [a, b] = [[...from], [...to]];
  let above = b.map((_, at) => at + 1);
  let corner = 0;
  for (const [row, letter] of a.entries()) {
    let left = row + 1;
    let diagonal = corner;
    corner = left;
    above = above.map((up, at) => {
      left = Math.min(left + 1, up + 1, diagonal + (letter === b[at] ? 0 : 1));
      diagonal = up;
      return left;
    });
  }
  return above.at(-1) ?? a.length;
}

function isCloseEnough(data: Mapping, text: string): boolean {
  const prepared = booleanOf(data.ignore_case) ? folded : plain;
  const [key, given] = [prepared(keyIn(data)), prepared(text)];
  const most = amountOf(data.edit_distance) ?? 0;
  if (key === given) return true;
  if (Math.max(key.length, given.length) > longestCompared || Math.abs(key.length - given.length) > most * 2) return false;
  return editDistance(key, given) <= most;
}

/** Repetitions without an upper bound, which multiply the ways to match a text. */
const mostRepetitions = 3;
const longestPattern = 500;

/** The pattern without escaped characters, classes and kinds of groups, so that only its structure is left. */
const structureOf = (pattern: string) =>
  pattern
    .replace(/\\./gsu, 'x')
    .replace(/\[[^\]]*\]/gsu, 'x')
    .replace(/\(\?(?::|=|!|<=|<!|<\w*>)/g, '(');

/** Whether a pattern can be tried on every short text in little time: without repeated groups that repeat or choose, and without references back. */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > longestPattern || /\\(?:[1-9]|k<)/.test(pattern)) return false;
  let rest = structureOf(pattern);
  if ((rest.match(/[*+{]/g) ?? []).length > mostRepetitions) return false;
  for (let group = /\(([^()]*)\)/.exec(rest); group; group = /\(([^()]*)\)/.exec(rest)) {
    const isVaried = /[*+{|?]/.test(group[1] ?? '');
    const after = rest.slice(group.index + group[0].length);
    if (isVaried && /^[*+{]/.test(after)) return false;
    rest = `${rest.slice(0, group.index)}${isVaried ? 'x?' : 'x'}${after}`;
  }
  return true;
}

function fitsPattern(data: Mapping, text: string): boolean {
  const pattern = keyIn(data);
  if (pattern === '' || text.length > longestCompared || !isQuickPattern(pattern)) return false;
  try {
    return new RegExp(pattern, 'u').test(text.trim());
  } catch {
    return false;
  }
}

const algorithms: Readonly<Record<string, (data: Mapping, text: string) => boolean>> = {
  TextContainsAnswer: (data, text) => folded(text).includes(folded(keyIn(data))),
  TextInChoices: ({ value }, text) => textsIn(value).some((one) => folded(one) === folded(text)),
  TextEquivalence: (data, text) => plain(text) === plain(keyIn(data)),
  TextCloseEnough: isCloseEnough,
  TextRegex: fitsPattern,
};

/** @param data the scoring data of the blank */
export function isRightText(algorithm: string, data: Mapping, text: string): boolean {
  return plain(text) !== '' && (lookUp(algorithms, algorithm)?.(data, text) ?? false);
}
