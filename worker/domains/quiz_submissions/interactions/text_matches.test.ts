import { expect, test } from 'vitest';
import { editDistance, isQuickPattern, isRightText } from './text_matches';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
  ['Grün', 'Grun', 1],
])('the distance from %j to %j is %d', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
});

test.each([
  ['TextContainsAnswer', { value: 'Paris' }, 'I think it is paris.', true],
  ['TextContainsAnswer', { value: 'Paris' }, 'Par is', false],
  ['TextInChoices', { value: ['red', 'Blue'] }, ' BLUE ', true],
  ['TextInChoices', { value: { 0: 'red' } }, 'red', true],
  ['TextInChoices', { value: ['red'] }, 'reds', false],
  ['TextEquivalence', { value: 'NaCl' }, ' NaCl ', true],
  ['TextEquivalence', { value: 'NaCl' }, 'nacl', false],
  ['TextEquivalence', { value: 42 }, '42', true],
  ['TextCloseEnough', { value: 'mitosis', edit_distance: '1' }, 'mitosys', true],
  ['TextCloseEnough', { value: 'mitosis', edit_distance: 1 }, 'mytosys', false],
  ['TextCloseEnough', { value: 'mitosis', edit_distance: 0, ignore_case: true }, 'MITOSIS', true],
  ['TextCloseEnough', { value: 'mitosis', edit_distance: 0 }, 'MITOSIS', false],
  ['TextCloseEnough', { value: 'a', edit_distance: 1000 }, 'x'.repeat(600), false],
  ['TextRegex', { value: '^colou?r$' }, 'color', true],
  ['TextRegex', { value: '^colou?r$' }, 'colors', false],
  ['TextRegex', { value: '(' }, '(', false],
  ['TextRegex', { value: '(a+)+$' }, 'aaa', false],
  ['TextEquivalence', { value: '' }, '', false],
  ['constructor', { value: 'x' }, 'x', false],
] as const)('%s with %j: %j is right: %s', (algorithm, data, text, isRight) => {
  expect(isRightText(algorithm, data, text)).toBe(isRight);
});

test.each([
  ['^a+b*$', true],
  ['^(red|blue)s?$', true],
  ['(ab)+', true],
  ['(?:ab){2}', true],
  [String.raw`\(a+\)+`, true],
  ['[(a+)]+', true],
  ['(a+)+', false],
  ['((a*))*', false],
  ['(a|aa)+', false],
  ['(aa?)*', false],
  ['(?:a+){2,}', false],
  [String.raw`(a)\1`, false],
  ['a*a*a*a*', false],
  ['a'.repeat(501), false],
])('%s can be tried quickly: %s', (pattern, isQuick) => {
  expect(isQuickPattern(pattern)).toBe(isQuick);
});
