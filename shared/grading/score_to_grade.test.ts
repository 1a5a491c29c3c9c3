// What a grader enters as a score, and the grade that is shown for it.

import { expect, test } from 'vitest';
import { defaultScheme, type Graded, gradeFrom, gradeNameOf, type Scheme } from './score_to_grade';

const points: Graded = { grading_type: 'points', points_possible: 20 };
const percent: Graded = { grading_type: 'percent', points_possible: 20 };
const pass: Graded = { grading_type: 'pass_fail', points_possible: 20 };
const letter: Graded = { grading_type: 'letter_grade', points_possible: 20 };
const gpa: Graded = { grading_type: 'gpa_scale', points_possible: 20 };
const worthless = (graded: Graded): Graded => ({ ...graded, points_possible: 0 });
const none = [null, null];

test.each([
  ['a number', points, '17.5', [17.5, '17.5']],
  ['a whole number without its fraction', points, '17.0', [17, '17']],
  ['a fraction without a whole', points, '.5', [0.5, '0.5']],
  ['blanks around a number', points, ' 7 ', [7, '7']],
  ['more than there is', points, '25', [25, '25']],
  ['less than nothing', points, '-3', [-3, '-3']],
  ['a percentage', points, '85%', [17, '17']],
  ['a signed percentage', points, '+50.5%', [10.1, '10.1']],
  ['a point without a fraction', points, '5.', none],
  ['a comma', points, '1,5', none],
  ['an exponent', points, '1e1', none],
  ['a word', points, 'so so', none],
  ['nothing', points, '', none],
  ['blanks', points, '  ', none],
  ['complete', points, 'Complete', [20, '20']],
  ['incomplete', points, 'incomplete', [0, '0']],
  ['a letter without a scheme', points, 'A', none],
  ['no points possible', { grading_type: 'points', points_possible: null }, '85%', [0, '0']],
  ['a plain number is points', percent, '17', [17, '85%']],
  ['a percentage', percent, '85%', [17, '85%']],
  ['hundredths', percent, '6.667', [6.667, '33.34%']],
  ['a half of a hundredth, rounded up in decimals', { grading_type: 'percent', points_possible: 400 }, '10.7', [10.7, '2.68%']],
  ['without points possible', worthless(percent), '3', [3, '3%']],
  ['all points', pass, '20', [20, 'complete']],
  ['no points', pass, '0', [0, 'incomplete']],
  ['some points', pass, '10', none],
  ['pass', pass, 'PASS', [20, 'complete']],
  ['fail', pass, 'fail', [0, 'incomplete']],
  ['all of it in percent', pass, '100%', [20, 'complete']],
  ['pass without points possible', worthless(pass), 'pass', [0, 'complete']],
  ['fail without points possible', worthless(pass), 'fail', [0, 'incomplete']],
  ['zero without points possible', worthless(pass), '0', [0, 'incomplete']],
  ['the highest name', letter, 'A', [20, 'A']],
  ['a name is just below the next', letter, 'A-', [18.6, 'A-']],
  ['in small letters, with a long minus', letter, 'b−', [16.6, 'B-']],
  ['a number', letter, '17', [17, 'B']],
  ['a percentage', letter, '93.99%', [18.798, 'A-']],
  ['on the bound', letter, '94%', [18.8, 'A']],
  ['less than nothing', letter, '-1', [-1, 'F']],
  ['another name', letter, 'E', none],
  ['a name without points possible', worthless(letter), 'b+', [0, 'B+']],
  ['a number without points possible', worthless(letter), '91', [91, 'A-']],
  ['a name of the scale', gpa, 'C', [15.2, 'C']],
  ['a grade for what is not graded', { grading_type: 'not_graded', points_possible: 20 }, '7', none],
] as const)('%s (%o, %s)', (_, graded, given, [score, grade]) => {
  const result = gradeFrom(given, graded);
  expect(result.grade).toBe(grade);
  if (score === null) expect(result.score).toBe(null);
  else expect(result.score).toBeCloseTo(score, 9);
});

const numbers: Scheme = {
  entries: [
    { name: '4', value: 0.9 },
    { name: '3.0', value: 0.8 },
    { name: '2', value: 0.795 },
    { name: '1', value: 0.2 },
  ],
};

test.each([
  ['a number that is a name', '4', false, [20, '4']],
  ['a number that equals a name', '3', false, [17.8, '3.0']],
  ['a narrow range: a tenth below the next', '2', false, [15.98, '2']],
  ['the same as points', '3', true, [3, '1']],
  ['a number that is no name', '5', false, [5, '1']],
] as const)('a scheme with numbers: %s', (_, given, prefersPoints, [score, grade]) => {
  const result = gradeFrom(given, gpa, numbers, prefersPoints);
  expect(result.score).toBeCloseTo(score, 9);
  expect(result.grade).toBe(grade);
});

test('a scheme by points gives the score a tenth of a point below the next bound', () => {
  const byPoints: Scheme = {
    points_based: true,
    scaling_factor: 5,
    entries: [
      { name: 'Good', value: 0.8 },
      { name: 'Poor', value: 0 },
    ],
  };
  expect(gradeFrom('Poor', letter, byPoints)).toEqual({ score: 15.6, grade: 'Poor' });
});

test('a score below all bounds has the last name, and one below zero that of zero', () => {
  expect([100, 94, 93.999, 60.9, 0, -5].map((one) => gradeNameOf(one, defaultScheme))).toEqual(['A', 'A', 'A-', 'F', 'F', 'F']);
  expect(gradeNameOf(10, numbers)).toBe('1');
});
