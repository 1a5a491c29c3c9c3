// CSV in any chunks of bytes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadCsv, CsvReader, type CsvRow, cellsOf, delimiterOf } from './reader';
import { csvLine } from './writer';

const bytes = (text: string) => new TextEncoder().encode(text);

/** All rows of a text that arrives in chunks of the given lengths. */
function rowsIn(text: Uint8Array, cuts: readonly number[] = []): CsvRow[] {
  const reader = new CsvReader(0);
  const rows: CsvRow[] = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    const to = Math.min(text.length, Math.max(from, cut));
    rows.push(...reader.push(text.slice(from, to)));
    from = to;
  }
  rows.push(...reader.finish());
  return rows;
}

const cells = (text: string) => rowsIn(bytes(text)).map((row) => row.cells);

describe('the CSV reader', () => {
  test.each<[string, string, string[][]]>([
    [
      'plain rows',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a last line without a line end',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'Windows line ends',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a byte order mark', '\ufeffa,b\n', [['a', 'b']]],
    ['quotes, commas and lines within quotes', '"a ""x""","b,c","d\ne"\nf\n', [['a "x"', 'b,c', 'd\ne'], ['f']]],
    ['empty values, quoted and not', ',"",\n', [['', '', '']]],
    ['an empty quoted last value', 'a,""\n', [['a', '']]],
    ['blank lines, which are skipped', 'a\n\n\r\nb\n\n', [['a'], ['b']]],
    ['text outside of ASCII', 'Ærø,"Łódź 🏛"\n', [['Ærø', 'Łódź 🏛']]],
    ['nothing', '', []],
  ])('reads %s', (_, text, expected) => expect(cells(text)).toEqual(expected));

  test.each([
    ['a quote within a value', 'a"b,c\n'],
    ['text after a closing quote', '"a"b,c\n'],
    ['an unterminated quoted value', 'a\n"b,c\nd\n'],
  ])('refuses %s', (_, text) => expect(() => cells(text)).toThrow(BadCsv));

  test('refuses text that is not UTF-8, and a row without an end', () => {
    expect(() => rowsIn(new Uint8Array([0x61, 0xe9, 0x0a]))).toThrow(/UTF-8/);
    expect(() => rowsIn(bytes(`"${'a'.repeat(1_100_000)}`))).toThrow(BadCsv);
  });

  test('reads the same rows however the bytes are chunked, and resumes after any row', () => {
    const value = fc.oneof(fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r\n', '🏛', ' ') }), fc.string());
    const file = fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(file, fc.array(fc.nat({ max: 200 })), (rows, cuts) => {
        const text = bytes(rows.map((row) => csvLine(row.map((one) => (/^\s|\s$|^$/.test(one) ? 'x' : one)))).join(''));
        const whole = rowsIn(text);
        const sorted = [...cuts].sort((a, b) => a - b);
        expect(rowsIn(text, sorted)).toEqual(whole);
        for (const { end } of whole) {
          const rest = new CsvReader(end);
          const later = [...rest.push(text.slice(end)), ...rest.finish()];
          expect(later).toEqual(whole.filter((row) => row.end > end));
        }
      }),
    );
  });

  test('returns cells as they were written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (values) => {
        fc.pre(values.every((value) => !/[\r\n]/.test(value)));
        expect(cellsOf(csvLine(values).slice(0, -2))).toEqual(values);
      }),
    );
  });

  test.each([
    ['a,b;c,d\n1;2;3', ','],
    ['a;b;"c,d,e"\n1,5;2', ';'],
    ['a\tb\n', '\t'],
    ['a', ','],
    ['"a,\nb";c', ';'],
  ])('finds the delimiter of %j', (text, delimiter) => expect(delimiterOf(text)).toBe(delimiter));

  test('reads values between other delimiters', () => {
    expect(cellsOf('1,5;"a;""b""";', ';')).toEqual(['1,5', 'a;"b"', '']);
    expect([...new CsvReader(0, '\t').push(bytes('a,b\tc\n'))].map((row) => row.cells)).toEqual([['a,b', 'c']]);
    expect(() => cellsOf('"a",b;c', ';')).toThrow(BadCsv);
  });
});
