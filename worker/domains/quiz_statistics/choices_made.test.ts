import { describe, expect, it, test } from 'vitest';
import type { StoredAnswer } from '../quiz_questions/table';
import type { SavedAnswer } from '../quiz_submissions/answers/saved_answer';
import { type CountedQuestion, choicesMade, partsOfQuestion } from './choices_made';

const key = (id: number, weight: number, rest: Partial<StoredAnswer> = {}): StoredAnswer => ({ id, weight, text: `T${id}`, ...rest });
const question = (type: string, answers: readonly StoredAnswer[], rest: object = {}): CountedQuestion => ({
  id: 7,
  question_type: `${type}_question`,
  question_text: '<p>Why?</p>',
  points: 4,
  data: { answers, ...rest },
});

const choice = question('multiple_choice', [key(1, 100), key(2, 0), key(3, 0)]);
const several = question('multiple_answers', [key(1, 100), key(2, 100), key(3, 0)]);
const short = question('short_answer', [key(1, 100, { text: 'Paris' }), key(2, 100, { text: 'Lutetia' })]);
const blanks = question('fill_in_multiple_blanks', [
  key(1, 100, { blank_id: 'a', text: 'red' }),
  key(2, 100, { blank_id: 'b', text: 'blue' }),
]);
const dropdowns = question('multiple_dropdowns', [
  key(1, 100, { blank_id: 'a' }),
  key(2, 0, { blank_id: 'a' }),
  key(3, 100, { blank_id: 'b' }),
]);
const matching = question(
  'matching',
  [key(1, 100, { left: 'a', right: 'X', match_id: 11 }), key(2, 100, { left: 'b', right: 'Y', match_id: 12 })],
  {
    matches: [
      { match_id: 11, text: 'X' },
      { match_id: 12, text: 'Y' },
      { match_id: 13, text: 'Z' },
    ],
  },
);
const numerical = question('numerical', [
  key(1, 100, { numerical_answer_type: 'exact_answer', exact: 4, margin: 0.5 }),
  key(2, 100, { numerical_answer_type: 'range_answer', start: 10, end: 20 }),
]);
const essay = question('essay', []);

describe('which listed answers an answer is', () => {
  const cases: [string, CountedQuestion, SavedAnswer, readonly (readonly string[])[]][] = [
    ['a choice', choice, 2, [['2']]],
    ['a choice that is no longer there', choice, 9, [['other']]],
    ['no choice', choice, null, [['none']]],
    ['several choices', several, [1, 3], [['1', '3']]],
    ['no choice of several', several, [], [['none']]],
    ['an accepted text', short, ' LUTETIA', [['2']]],
    ['another text', short, 'Lyon', [['other']]],
    ['a blank text', short, '  ', [['none']]],
    ['blanks', blanks, { a: 'Red', b: 'green' }, [['1'], ['other']]],
    ['one blank', blanks, { b: 'blue' }, [['none'], ['2']]],
    ['a blank of another', blanks, { a: 'blue' }, [['other'], ['none']]],
    ['choices of blanks', dropdowns, { a: 2, b: 1 }, [['2'], ['other']]],
    ['matches', matching, { 1: 13, 2: 12 }, [['13'], ['12']]],
    ['a cleared match', matching, { 1: null }, [['none'], ['none']]],
    ['a number within the margin', numerical, '4.5', [['1']]],
    ['a number in the range', numerical, '20', [['2']]],
    ['another number', numerical, '9.99', [['other']]],
    ['no number', numerical, null, [['none']]],
    ['an essay', essay, '<p>Because</p>', []],
  ];
  it.each(cases)('%s', (_, asked, given, expected) => expect(choicesMade(asked, partsOfQuestion(asked), given)).toEqual(expected));

  test('numbers are listed with their value and margin', () => {
    expect(partsOfQuestion(numerical)[0]?.listed).toEqual([
      { id: '1', text: '4', correct: true, value: [4], margin: 0.5, is_range: false },
      { id: '2', text: '[10..20]', correct: true, value: [10, 20], margin: 0, is_range: true },
    ]);
  });

  test('a blank is named by the MD5 of its name, a left item by its id', () => {
    expect(partsOfQuestion(blanks).map(({ id, text }) => [id, text])).toEqual([
      ['0cc175b9c0f1b6a831c399e269772661', 'a'],
      ['92eb5ffee6ae2fec3ad71c777531578f', 'b'],
    ]);
    expect(partsOfQuestion(matching).map(({ id, text, listed }) => [id, text, listed.map((one) => one.correct)])).toEqual([
      ['1', 'a', [true, false, false]],
      ['2', 'b', [false, true, false]],
    ]);
  });
});
