// The UI texts: every language has all of them with the same values, and no text is outside the catalogues.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languages, type MessageKey, messageOf, speak, spokenOf, t } from '@carrel/desktop/language/texts';
import { afterEach, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'desktop'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'));
const textOf = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const said = [...textOf.values()].join('\n');

const { en, ...others } = languages;

type Part = { readonly type: number; readonly value?: unknown; readonly children?: unknown; readonly options?: unknown };
/** The values and elements that a message takes. */
function asked(given: unknown): string[] {
  if (Array.isArray(given)) return given.flatMap(asked);
  if (typeof given !== 'object' || given === null) return [];
  const { type, value, children, options } = given as Part;
  const own = typeof value === 'string' && type !== 0 ? [value] : [];
  const inner = Object.values((options ?? {}) as Record<string, { value: unknown }>).flatMap((option) => asked(option.value));
  return [...own, ...asked(children), ...inner];
}
const valuesOf = (key: string, language: Language) => [...new Set(asked(messageOf(key as MessageKey, language).getAst()))].sort().join();

describe.each(Object.entries(others))('%s', (name, { texts }) => {
  test('has a text for every English text, and no other', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en.texts).sort());
  });

  test('takes the same values as English', () => {
    const differing = Object.keys(en.texts).filter((key) => valuesOf(key, 'en') !== valuesOf(key, name as Language));
    expect(differing).toEqual([]);
  });
});

test('every text is used', () => {
  expect(Object.keys(en.texts).filter((key) => !said.includes(`'${key}'`))).toEqual([]);
});

test('screens have no literal text in attributes or sentences', () => {
  const attribute = /\s(?:aria-label|aria-description|title|placeholder|alt|label|legend)="([^"]*\p{L}{2}[^"]*)"/gu;
  const sentence = /(['"`])(“?\p{Lu}\p{Ll}+[ …][^'"`\n]*)\1/gu;
  const found = sources
    .filter((file) => /^desktop\/(?:ui|language|contract)\//.test(file))
    .flatMap((file) => {
      const text = (textOf.get(file) ?? '').replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
      const words = [...text.matchAll(attribute), ...text.matchAll(sentence)];
      return words.map(([whole]) => `${file}: ${whole.trim()}`);
    })
    // The pseudo-language for layout tests is never shown to users.
    .filter((line) => !line.endsWith("'Right to left'"))
    // Keys, as the browser names them.
    .filter((line) => !/'(Shift|Alt|Ctrl) (\w+)?'$/.test(line))
    // Heading levels and addresses.
    .filter((line) => !/title="h[23]"$|\.example\.|"https:/.test(line));
  expect(found).toEqual([]);
});

test('styles use logical directions, so that they work in right-to-left languages', () => {
  const sheets = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'desktop/ui/*.css'], { cwd: root, encoding: 'utf8' });
  const sided =
    /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)[\w-]*|left|right|border-(?:top|bottom)-(?:left|right)-radius):|(?:text-align|float): (?:left|right)/;
  const found = sheets
    .split('\n')
    .filter(Boolean)
    .filter((file) => sided.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([]);
});

describe('a text', () => {
  afterEach(() => speak('en'));

  test.each([
    ['en', 0, 'No files'],
    ['en', 1, '1 file'],
    ['en', 1200, '1,200 files'],
    ['de', 1, '1 Datei'],
    ['de', 1200, '1.200 Dateien'],
  ] as const)('counts in %s: %d', (language, count, words) => {
    speak(language);
    expect(t('files.count', { count })).toBe(words);
  });

  test.each([
    [['de-AT', 'en'], 'de'],
    [['fr', 'en-US'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ])('the languages %j select %s', (wanted, language) => {
    expect(spokenOf(wanted)).toBe(language);
  });
});
