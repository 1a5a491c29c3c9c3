// The parsers of request parameters: what they accept and refuse.

import { expect, test } from 'vitest';
import {
  bool,
  choice,
  choices,
  commaList,
  either,
  int,
  isList,
  listOf,
  mapOf,
  maybe,
  number,
  object,
  oneOf,
  optional,
  read,
  someOf,
  text,
  time,
  word,
} from './fields';

const value = (field: never, given: unknown) => {
  const result = read({ it: field }, { it: given });
  return result.ok ? (result.value as { it: unknown }).it : `${result.refusal.parameter} ${result.refusal.message}`;
};

test.each([
  [true, true],
  ['true', true],
  ['YES', true],
  ['on', true],
  ['0', false],
  ['off', false],
  ['', undefined],
  ['perhaps', undefined],
])('the boolean %j is read as %j', (given, expected) => {
  expect(value(optional(bool) as never, given)).toBe(expected);
});

test.each([
  ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00Z'],
  ['2026-11-20T10:00:00.123456', '2026-11-20T10:00:00Z'],
  ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00Z'],
  ['2026-11-20', '2026-11-20T00:00:00Z'],
  ['2026-11-20 10:00', '2026-11-20T10:00:00Z'],
  ['2026-12-01 10:00:00 UTC', '2026-12-01T10:00:00Z'],
  ['2026-12-01 10:00:00 +0100', '2026-12-01T09:00:00Z'],
  ['2026-12-01 10:00:00.5 -05', '2026-12-01T15:00:00Z'],
  ['2026-12-01T10:00 GMT', '2026-12-01T10:00:00Z'],
  ['2026-12-01 10:00:00 CET', 'it is not a date and time'],
  ['2026-12-01 25:00:00 UTC', 'it is not a date and time'],
  ['next week', 'it is not a date and time'],
  ['2026-13-41', 'it is not a date and time'],
  ['9999-12-31T23:59:59-14:00', 'it is not a date and time'],
  ['0000-01-01T00:00:00+14:00', 'it is not a date and time'],
  [5, 'it is not a date and time'],
])('the time %j is read as %j', (given, expected) => {
  expect(value(time as never, given)).toBe(expected);
});

test.each([
  [5, 5],
  ['5', 5],
  [' 7 ', 7],
  ['5.5', 'it is not an integer'],
  ['five', 'it is not an integer'],
  ['', 'it is not an integer'],
  ['1e400', 'it is not an integer'],
  ['99999999999999999999', 'it is not an integer'],
])('the integer %j is read as %j', (given, expected) => {
  expect(value(int as never, given)).toBe(expected);
});

test('a blank clears a field that may be empty and is refused elsewhere', () => {
  expect(value(maybe(time) as never, '')).toBeNull();
  expect(value(maybe(time) as never, null)).toBeNull();
  expect(value(number as never, '')).toBe('it is not a number');
  expect(read({ it: optional(maybe(time)) }, {})).toEqual({ ok: true, value: {} });
});

test('null and a blank count as absent for a field that cannot be cleared', () => {
  const shape = {
    number: optional(number),
    at: optional(time),
    word: optional(oneOf('asc', 'desc')),
    flag: optional(bool),
    list: optional(listOf(int)),
    group: optional(object({ at: optional(time), text: optional(text) })),
    map: optional(mapOf(int)),
    either: optional(either(int, object({ a: int }))),
    said: optional(word),
  };
  const all = (value: unknown) => Object.fromEntries(Object.keys(shape).map((name) => [name, value]));
  for (const blank of [null, '', ' '])
    expect(read(shape, { ...all(blank), list: blank && null }), JSON.stringify(blank)).toEqual({ ok: true, value: {} });
  const nested = { group: { at: null, text: null }, map: { a: null, b: 1 }, list: [null, '', 3] };
  expect(read(shape, nested)).toEqual({ ok: true, value: { group: {}, map: { b: 1 }, list: [3] } });
  // An empty list of a form clears the field; a text may be blank.
  expect(read({ list: optional(listOf(int)), text: optional(text) }, { list: [''], text: '' })).toEqual({
    ok: true,
    value: { list: [], text: '' },
  });
  expect(read({ text }, { text: null })).toMatchObject({ refusal: { message: 'is missing', isMissing: true } });
  expect(read({ at: optional(time) }, { at: 'soon' })).toMatchObject({ refusal: { parameter: 'at' } });
});

test('unknown values of a filter count as absent', () => {
  const shape = { order: choice('asc', 'desc'), states: choices('active', 'deleted') };
  expect(read(shape, { order: 'desc', states: ['active', 'gone', ''] })).toEqual({
    ok: true,
    value: { order: 'desc', states: ['active'] },
  });
  for (const odd of ['up', '', null, ['asc'], { a: 1 }, 5])
    expect(read(shape, { order: odd, states: odd })).toEqual({ ok: true, value: {} });
});

test('a list is one value, many values, or an object with integer keys', () => {
  expect(value(listOf(int) as never, '5')).toEqual([5]);
  expect(value(listOf(int) as never, ['1', '2', ''])).toEqual([1, 2]);
  expect(value(listOf(object({ a: text })) as never, { 1: { a: 'y' }, 0: { a: 'x' } })).toEqual([{ a: 'x' }, { a: 'y' }]);
  expect(value(commaList(int) as never, '1, 2')).toEqual([1, 2]);
  expect(isList(optional(listOf(int)))).toBe(true);
});

test('an error names the parameter as it was written', () => {
  const shape = { assignment: optional(object({ due_at: optional(maybe(time)), points: optional(listOf(number)) })) };
  expect(read(shape, { assignment: { due_at: 'soon' } })).toMatchObject({ refusal: { parameter: 'assignment[due_at]' } });
  expect(read(shape, { assignment: 'x' })).toMatchObject({ refusal: { parameter: 'assignment', message: 'is not an object' } });
  expect(read({ name: text }, {})).toMatchObject({ refusal: { parameter: 'name', message: 'is missing', isMissing: true } });
});

test('values outside a closed set are refused; in `include` they are ignored', () => {
  expect(value(oneOf('asc', 'desc') as never, 'up')).toBe('it is not one of asc, desc');
  expect(value(someOf('term', 'sections') as never, ['term', 'moon'])).toEqual(['term']);
});
