// CSV that spreadsheets do not run.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from './reader';
import { csvLine, delimitedLine } from './writer';

test('the CSV writer escapes formulas, keeps numbers, and reads back what it wrote', () => {
  const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '\nx', ' =1', '＝1', '＋1', '－1', '＠x', "'=1", "''@x", '-'];
  for (const value of formulas) expect(csvLine([value])).toMatch(/^"?'/);
  const plain = ["'t Hooft", "'", '5-3', 'a=b', '-3.5', '+4512345678', '-1e-7', '0', ''];
  for (const value of plain) expect(csvLine([value])).toBe(`${value}\r\n`);
  expect(csvLine([-3.5, null, undefined, 7])).toBe('-3.5,,,7\r\n');
  expect(delimitedLine(['-4,5', 'a;b', 'c,d', '=1'], ';')).toBe(`-4,5;"a;b";c,d;'=1\r\n`);
  const unit = fc.constantFrom(...'\'=+-@＝\t 1a,"'.split(''));
  fc.assert(
    fc.property(fc.array(fc.string({ unit, minLength: 1 }), { minLength: 1 }), (values) => {
      const line = csvLine(values);
      for (const value of values) expect(csvLine([value])).toMatch(/^(?![=+@\t＝]|-(?!\d))|^[+-]?\d+\r\n$/);
      expect(cellsOf(line.slice(0, -2))).toEqual(values);
    }),
  );
});
