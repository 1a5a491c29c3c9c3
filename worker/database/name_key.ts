// Keys by which lists of people are sorted: a character sorts without its marks, so that Ångström comes with the names in A and Łukasz with those in L.
// SQLite compares bytes, and ignores case only in ASCII. Names in ASCII are their own key.

import { lookUp } from '@carrel/shared/wire/look_up';

/** Latin, Greek, Cyrillic and Armenian. Other scripts sort by code point. */
const scripts = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x531, 0x586],
  [0x1e00, 0x1fff],
] as const;

/** Characters whose marks are not separate in Unicode, and spaces and quotation marks of typographers. */
const alike: Readonly<Record<string, string>> = {
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  ŧ: 't',
  ς: 'σ',
  '\u00a0': ' ',
  '’': "'",
  '‘': "'",
};

/** Characters that sort as two. Eth follows d: nothing else follows the tilde. */
const pairs = [
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
  ['ð', 'd~'],
] as const;

/** Combining diacritical marks. */
const marks = [0x300, 0x36f] as const;

const without = (letter: string): string => {
  const base = letter.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return lookUp(alike, base) ?? base;
};

/** The characters that a single other one replaces. */
function replacedLetters(): [string, string][] {
  const inScripts = scripts.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
  );
  return [...inScripts, ...Object.keys(alike)].flatMap((letter): [string, string][] => {
    const base = without(letter);
    return base !== letter && base.length === 1 ? [[letter, base]] : [];
  });
}

let known: ReadonlyMap<string, string> | undefined;
/** By character; computed when a name needs it. */
const baseLetters = (): ReadonlyMap<string, string> => {
  known ??= new Map(replacedLetters());
  return known;
};

/** The key in lower case: names with the same beginning are adjacent. */
export function nameKey(name: string): string {
  if (!/[^ -~]/.test(name)) return name.toLowerCase();
  const baseOf = baseLetters();
  const letters = [...name].flatMap((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return code >= marks[0] && code <= marks[1] ? [] : (baseOf.get(letter) ?? letter);
  });
  return pairs.reduce((key, [letter, two]) => key.replaceAll(letter, two), letters.join('')).toLowerCase();
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const longest = 255;
const places = quoted(JSON.stringify(Array.from({ length: longest }, (_, at) => at + 1)));

/** Whether a name is not in ASCII. @param name an SQL expression */
export const hasOtherLetters = (name: string): string => `${name} glob '*[^ -~]*'`;

/**
 * The key of such a name, as SQL. The name itself follows it, so that Zoe comes before Zoë.
 * @param name an SQL expression
 */
export const nameKeySql = (name: string): string => {
  const from = quoted([...baseLetters().keys()].join(''));
  const to = quoted([...baseLetters().values()].join(''));
  const letters = `select iif(unicode(l.letter) between ${marks[0]} and ${marks[1]}, '', coalesce(nullif(substr(${to}, instr(${from}, l.letter), 1), ''), l.letter)) as base
    from (select substr(${name}, p.value, 1) as letter from json_each(${places}) p where p.value <= length(${name}) order by p.key) l`;
  const joined = `(select group_concat(base, '') from (${letters}))`;
  return `${pairs.reduce((key, [letter, two]) => `replace(${key}, '${letter}', '${two}')`, joined)} || char(1) || ${name}`;
};
