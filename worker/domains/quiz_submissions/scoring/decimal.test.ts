import { describe, expect, test } from 'vitest';
import { addDecimals, compareDecimals, type Decimal, decimalOf, decimalText, marginOf, toDecimals, toSignificant } from './decimal';

const read = (given: unknown) => decimalOf(given) as Decimal;

describe('decimal numbers', () => {
  test.each([
    ['12', '12'],
    ['-0.50', '-0.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1.5e3', '1500'],
    ['15E-3', '0.015'],
    [' +7 ', '7'],
    [0.1, '0.1'],
    [1e21, '1000000000000000000000'],
    ['-0', '0'],
  ])('%s is read as %s', (given, text) => {
    expect(decimalText(read(given))).toBe(text);
  });

  test.each(['', '.', 'x', '1,5', '1e', '0x10', 'Infinity', Number.NaN, null, undefined, [], '1e9999', '9'.repeat(500)])(
    '%s is none',
    (given) => {
      expect(decimalOf(given)).toBeUndefined();
    },
  );

  test('sums are exact', () => {
    expect(compareDecimals(addDecimals(read('0.1'), read('0.2')), read('0.3'))).toBe(0);
    expect(compareDecimals(read('0.30'), read('0.3000001'))).toBeLessThan(0);
    expect(compareDecimals(read('-1'), read('-2'))).toBeGreaterThan(0);
  });

  test.each([
    ['5%', '200', '10'],
    ['5%', '-200', '10'],
    ['0.5', '200', '0.5'],
    [-0.5, '200', '0.5'],
    ['', '200', '0'],
    ['x%', '200', '0'],
    [undefined, '200', '0'],
  ])('a margin of %s around %s is %s', (margin, value, expected) => {
    expect(decimalText(marginOf(margin, read(value)))).toBe(expected);
  });

  test.each([
    ['123456', 3, '123000'],
    ['0.0012345', 2, '0.0012'],
    ['0.00125', 2, '0.0013'],
    ['-995', 2, '-1000'],
    ['12', 5, '12'],
  ])('%s has %s significant digits as %s', (given, digits, expected) => {
    expect(decimalText(toSignificant(read(given), digits))).toBe(expected);
  });

  test.each([
    ['1.23456', 4, '1.2346'],
    ['-1.00005', 4, '-1.0001'],
    ['2', 4, '2'],
  ])('%s rounded to %s decimals is %s', (given, decimals, expected) => {
    expect(decimalText(toDecimals(read(given), decimals))).toBe(expected);
  });
});
