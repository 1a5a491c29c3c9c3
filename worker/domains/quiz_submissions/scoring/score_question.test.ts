import { describe, expect, test } from 'vitest';
import { fudgeFor, scoreOfAttempt, stateOfAttempt, withManualResults } from './attempt_score';
import { keptScore } from './kept_score';
import { type ScoredQuestion, scoreQuestion } from './score_question';

const right = (id: number, rest: object = {}) => ({ id, weight: 100, ...rest });
const wrong = (id: number, rest: object = {}) => ({ id, weight: 0, ...rest });
const question = (type: string, points: number, answers: object[], rest: object = {}) =>
  ({ id: 1, question_type: `${type}_question`, points, answers, ...rest }) as unknown as ScoredQuestion;

const choice = [right(1), wrong(2)];
const four = [right(1), right(2), right(3), right(4), wrong(5), wrong(6)];
const words = [right(1, { text: ' Paris ' }), right(2, { text: 'Lutetia' })];
const blanks = [
  right(1, { blank_id: 'a', text: 'Red' }),
  right(2, { blank_id: 'a', text: 'crimson' }),
  wrong(3, { blank_id: 'a', text: 'blue' }),
  right(4, { blank_id: 'b', text: 'green' }),
];
const pairs = [
  right(1, { left: 'a', right: 'X', match_id: 11 }),
  right(2, { left: 'b', right: 'Y', match_id: 12 }),
  right(3, { left: 'c', right: 'x ', match_id: 13 }),
  right(4, { left: 'd', right: 'Z', match_id: 14 }),
];
const exact = (value: number, margin: number | string) => [right(1, { numerical_answer_type: 'exact_answer', exact: value, margin })];
const range = (start: number, end: number) => [right(1, { numerical_answer_type: 'range_answer', start, end })];
const precise = (approximate: number, precision: number) => [
  right(1, { numerical_answer_type: 'precision_answer', approximate, precision }),
];
const sums = [right(1, { answer: 10 }), right(2, { answer: 0.3 })];

type Case = readonly [type: string, points: number, answers: object[], given: unknown, correct: unknown, points: number, rest?: object];

const cases: readonly Case[] = [
  ['multiple_choice', 2, choice, 1, true, 2],
  ['multiple_choice', 2, choice, 2, false, 0],
  ['multiple_choice', 2, choice, null, false, 0],
  ['multiple_choice', 2, choice, 99, false, 0],
  ['true_false', 1, choice, 1, true, 1],
  ['missing_word', 1, choice, 1, true, 1],

  ['short_answer', 1, words, 'PARIS', true, 1],
  ['short_answer', 1, words, '  lutetia', true, 1],
  ['short_answer', 1, words, 'Par is', false, 0],
  ['short_answer', 1, [...words, right(3, { text: '' })], ' ', false, 0],

  ['fill_in_multiple_blanks', 4, blanks, { a: 'CRIMSON ', b: 'green' }, true, 4],
  ['fill_in_multiple_blanks', 4, blanks, { a: 'blue', b: 'green' }, 'partial', 2],
  ['fill_in_multiple_blanks', 4, blanks, { a: 'green', b: 'red' }, false, 0],
  ['fill_in_multiple_blanks', 4, blanks, undefined, false, 0],
  ['fill_in_multiple_blanks', 4, [], { a: 'x' }, 'no_score', 0],

  ['multiple_dropdowns', 4, blanks, { a: 2, b: 4 }, true, 4],
  ['multiple_dropdowns', 4, blanks, { a: 3, b: 4 }, 'partial', 2],
  // The right answer of another blank.
  ['multiple_dropdowns', 4, blanks, { a: 4, b: 1 }, false, 0],

  ['multiple_answers', 6, four, [1, 2, 3, 4], true, 6],
  ['multiple_answers', 6, four, [1, 2, 3, 5], 'partial', 3],
  ['multiple_answers', 6, four, [1, 2, 3, 4, 5, 6], 'partial', 3],
  ['multiple_answers', 6, four, [1, 5], false, 0],
  ['multiple_answers', 6, four, [1, 5, 6], false, 0],
  ['multiple_answers', 6, four, [1, 2], 'partial', 3],
  ['multiple_answers', 6, four, [], false, 0],
  ['multiple_answers', 6, [wrong(1)], [1], 'no_score', 0],
  ['multiple_answers', 6, four, [1, 2, 3, 4, 5], 'partial', 5, { incorrect_dock: 1 }],
  ['multiple_answers', 6, four, [1, 5, 6], false, 0, { incorrect_dock: 5 }],

  ['matching', 4, pairs, { 1: 11, 2: 12, 3: 13, 4: 14 }, true, 4],
  // The first and the third item have the same right text.
  ['matching', 4, pairs, { 1: 13, 2: 12, 3: 11, 4: 14 }, true, 4],
  ['matching', 4, pairs, { 1: 12, 2: 12 }, 'partial', 1],
  ['matching', 4, pairs, { 1: 14, 2: null }, false, 0],
  ['matching', 4, [], {}, 'no_score', 0],

  ['numerical', 1, exact(0.3, 0.1), '0.4', true, 1],
  ['numerical', 1, exact(0.3, 0.1), '0.2', true, 1],
  ['numerical', 1, exact(0.3, 0.1), '0.4000000000000000001', false, 0],
  ['numerical', 1, exact(-200, '5%'), '-210', true, 1],
  ['numerical', 1, exact(-200, '5%'), '-210.01', false, 0],
  ['numerical', 1, exact(7, ''), '7.0', true, 1],
  ['numerical', 1, range(3, 5), '5', true, 1],
  ['numerical', 1, range(5, 3), '3', true, 1],
  ['numerical', 1, range(3, 5), '5.0001', false, 0],
  ['numerical', 1, [...range(3, 5), ...exact(9, 0)], '9', true, 1],
  ['numerical', 1, precise(12.35, 3), '12.4', true, 1],
  ['numerical', 1, precise(12.35, 3), '12.349', false, 0],
  ['numerical', 1, precise(1200, 2), '1249', true, 1],
  ['numerical', 1, precise(12.345, 4), '12.344', false, 0],
  ['numerical', 1, exact(3, 0), 'three', false, 0],
  ['numerical', 1, [right(1)], '3', false, 0],

  ['calculated', 1, sums, '10', true, 1, { variant: 1, answer_tolerance: 0 }],
  ['calculated', 1, sums, '10.5', true, 1, { variant: 1, answer_tolerance: '5%' }],
  ['calculated', 1, sums, '10.51', false, 0, { variant: 1, answer_tolerance: '5%' }],
  // The answer of another student's variables.
  ['calculated', 1, sums, '10', false, 0, { variant: 2, answer_tolerance: 1 }],
  ['calculated', 1, sums, '0.4', true, 1, { variant: 2, answer_tolerance: 0.1 }],
  ['calculated', 1, sums, '10', false, 0],

  ['essay', 5, [], '<p>Text</p>', 'undefined', 0],
  ['essay', 5, [], '', false, 0],
  ['file_upload', 5, [], [7], 'undefined', 0],
  ['file_upload', 5, [], [], false, 0],
  ['text_only', 5, [], 'x', 'no_score', 0],
  ['hot_spot', 5, [right(1)], 1, 'no_score', 0],
];

describe('the score of an answer', () => {
  test.each(cases)('%s, %s points, %j: %j is %s, %s', (...one) => {
    const [type, points, answers, given, correct, expected, rest] = one as unknown as Case;
    const result = scoreQuestion(question(type, points, answers, rest), given);
    expect(result).toStrictEqual({ question_id: 1, correct, points: expected });
  });

  test('thirds add up to the points', () => {
    const thirds = [right(1), right(2), right(3)];
    expect(scoreQuestion(question('multiple_answers', 1, thirds), [1, 2]).points).toBe(2 / 3);
    expect(scoreQuestion(question('multiple_answers', 10, thirds), [1, 2, 3]).points).toBe(10);
  });
});

describe('the score of an attempt', () => {
  const of = (correct: 'undefined' | 'defined' | boolean, points: number, id = 1) => ({ question_id: id, correct, points });

  test.each([
    ['assignment', 0, 3.3],
    ['assignment', -1, 2.3],
    ['practice_quiz', 0.5, 3.8],
    ['survey', 0, 3.3],
    ['graded_survey', 5, 20],
  ] as const)('of a %s with %s fudge points is %s', (quiz_type, fudge, score) => {
    const results = [of(true, 1.1), of(true, 1.1, 2), of(true, 1.1, 3)];
    expect(scoreOfAttempt({ quiz_type, quiz_points_possible: 20 }, results, fudge)).toBe(score);
  });

  test.each([
    ['assignment', [of('undefined', 0)], 'pending_review'],
    ['assignment', [of('defined', 0), of(false, 0)], 'complete'],
    ['graded_survey', [of('undefined', 0)], 'complete'],
    ['survey', [of('undefined', 0)], 'complete'],
    ['assignment', [], 'complete'],
  ] as const)('a %s with %j is %s', (quiz_type, results, state) => {
    expect(stateOfAttempt({ quiz_type }, results)).toBe(state);
  });

  test('a grader scores a question, comments on it, and takes both back', () => {
    const scored = withManualResults([of('undefined', 0), of(true, 2, 2)], new Map([[1, { score: 4, comment: 'Good' }]]));
    expect(scored).toStrictEqual([{ question_id: 1, correct: 'defined', points: 4, comment: 'Good' }, of(true, 2, 2)]);
    expect(withManualResults(scored, new Map([[1, { score: 3 }]]))[0]).toStrictEqual({ ...scored[0], points: 3 });
    expect(withManualResults(scored, new Map([[1, { comment: '' }]]))[0]).toStrictEqual(of('defined', 4));
    expect(withManualResults(scored, new Map([[1, { score: null }]]))[0]).toStrictEqual({ ...of('undefined', 0), comment: 'Good' });
    expect(withManualResults(scored, new Map([[2, { score: 1 }]]))[1]).toStrictEqual(of(true, 1, 2));
  });

  test('fudge points reach a given score', () => {
    expect(fudgeFor([of(true, 0.1), of(true, 0.2, 2)], 1)).toBe(0.7);
  });

  test.each([
    ['keep_highest', [3, 7, 5], 7],
    ['keep_latest', [3, 7, 5], 5],
    ['keep_average', [3, 7, 5, 5], 5],
    ['keep_average', [1, 2, 2], 1.67],
    ['keep_highest', [-1], -1],
    ['keep_highest', [], null],
  ] as const)('%s of %j is %s', (policy, scores, kept) => {
    expect(keptScore(policy, scores)).toBe(kept);
  });
});
