import { describe, expect, test } from 'vitest';
import { formattedAnswer } from './formatted_answer';
import { type AnsweredQuestion, savedAnswer, shownAnswer } from './saved_answer';

const question = (type: string, answers: object[] = [], matches?: object[]) =>
  ({ question_type: `${type}_question`, answers, matches }) as unknown as AnsweredQuestion;
const choice = question('multiple_choice', [{ id: 1 }, { id: 2 }]);
const several = question('multiple_answers', [{ id: 1 }, { id: 2 }, { id: 3 }]);
const essay = question('essay');
const blanks = question('fill_in_multiple_blanks', [
  { id: 1, blank_id: 'a' },
  { id: 2, blank_id: 'a' },
  { id: 3, blank_id: 'b' },
]);
const dropdowns = { ...blanks, question_type: 'multiple_dropdowns_question' };
const matching = question('matching', [{ id: 1 }, { id: 2 }], [{ match_id: 11 }, { match_id: 12 }]);
const number = question('numerical');
const file = question('file_upload');
const long = 'ä'.repeat(8193);

describe('answers', () => {
  test.each([
    [choice, 1, 1],
    [choice, '2', 2],
    [choice, '', null],
    [choice, null, null],
    [several, ['3', 1, 1], [1, 3]],
    [several, { 0: '2', 1: '1' }, [1, 2]],
    [several, [], []],
    [several, '', []],
    [essay, 'Text', 'Text'],
    [essay, 7, '7'],
    [essay, '', null],
    [blanks, { a: ' red', b: '' }, { a: ' red', b: null }],
    [dropdowns, { a: '2' }, { a: 2 }],
    [
      matching,
      [
        { answer_id: '1', match_id: 12 },
        { answer_id: 2, match_id: '' },
      ],
      { 1: 12, 2: null },
    ],
    [matching, [], null],
    [number, ' 1.50e2 ', '150'],
    [number, 0.1, '0.1'],
    [file, [7, '8'], [7, 8]],
    [file, 7, [7]],
    [question('text_only'), 'x', null],
    [question('hot_spot'), 'x', null],
  ])('%j: %j is stored as %j', (asked, given, answer) => {
    const read = savedAnswer(asked, given);
    expect('answer' in read && read.answer).toStrictEqual(answer);
  });

  test.each([
    [choice, 'x', 'Parameter must be of type Integer.'],
    [choice, 1.5, 'Parameter must be of type Integer.'],
    [choice, { a: 1 }, 'Parameter must be of type Integer.'],
    [choice, 9, "Unknown answer '9'"],
    [several, 1, 'Selection must be of type Array.'],
    [several, ['x'], 'Parameter must be of type Integer.'],
    [several, [1, 9], "Unknown answer '9'"],
    [essay, long, 'Text is too long.'],
    [essay, ['x'], 'Parameter must be of type String.'],
    [blanks, 'red', 'Answer must be of type Hash.'],
    [blanks, { x: 'red' }, "Unknown variable 'x'."],
    [blanks, { constructor: 'red' }, "Unknown variable 'constructor'."],
    [blanks, { a: long }, 'Text is too long.'],
    [dropdowns, { a: 'red' }, 'Parameter must be of type Integer.'],
    [dropdowns, { a: 3 }, "Unknown answer '3'"],
    [matching, 'x', 'Answer must be of type Array.'],
    [matching, ['x'], "Answer entry must be of type Hash, got 'x'."],
    [matching, [{ match_id: 11 }], "Missing parameter 'answer_id'."],
    [matching, [{ answer_id: 1 }], "Missing parameter 'match_id'."],
    [matching, [{ answer_id: 'x', match_id: 11 }], 'Parameter must be of type Integer.'],
    [matching, [{ answer_id: 9, match_id: 11 }], "Unknown answer '9'"],
    [matching, [{ answer_id: 1, match_id: 9 }], "Unknown match '9'."],
    [number, 'three', 'Parameter must be a valid decimal.'],
    [number, '1e999999', 'Parameter must be a valid decimal.'],
    [file, ['x'], 'Parameter must be of type Integer.'],
  ])('%j: %j is refused', (asked, given, error) => {
    expect(savedAnswer(asked, given)).toStrictEqual({ error });
  });

  test('only parts of blanks and matches may be sent', () => {
    expect(savedAnswer(blanks, { a: 'x' })).toHaveProperty('merges', true);
    expect(savedAnswer(matching, [{ answer_id: 1, match_id: 11 }])).toHaveProperty('merges', true);
    expect(savedAnswer(several, [1])).not.toHaveProperty('merges');
    expect(savedAnswer(blanks, '')).not.toHaveProperty('merges');
  });

  test.each([
    [choice, undefined, null],
    [choice, 2, 2],
    [several, undefined, []],
    [essay, 'Text', 'Text'],
    [blanks, { b: 'x' }, { a: null, b: 'x' }],
    [dropdowns, undefined, { a: null, b: null }],
    [
      matching,
      { 2: 11 },
      [
        { answer_id: 1, match_id: null },
        { answer_id: 2, match_id: 11 },
      ],
    ],
    [number, '150', 150],
    [number, undefined, null],
    [file, undefined, []],
    [question('text_only'), undefined, null],
  ])('%j: %j is shown as %j', (asked, saved, shown) => {
    expect(shownAnswer(asked, saved)).toStrictEqual(shown);
  });
});

describe('formatted answers', () => {
  const precise = question('numerical', [{ id: 1, numerical_answer_type: 'precision_answer' }]);
  test.each([
    [number, '1.23456', 1.2346],
    [number, '12.3400', 12.34],
    [number, '1e3', 1000],
    [number, 'x', 'x'],
    [precise, '1.234567890123456789', 1.234567890123457],
    [essay, '1.23456', '1.23456'],
  ])('%j: %s is %s', (asked, given, formatted) => {
    expect(formattedAnswer(asked, given)).toBe(formatted);
  });
});
