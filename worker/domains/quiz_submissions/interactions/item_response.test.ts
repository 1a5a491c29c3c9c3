import { expect, test } from 'vitest';
import { isAllowedFile, itemResponse } from './item_response';

const choices = ['a', 'b', 'c'].map((id) => ({ id }));
const asked = (interaction_type_slug: string, interaction_data: object = {}) => ({ interaction_type_slug, interaction_data });
const choice = asked('choice', { choices });
const several = asked('multi-answer', { choices: { 0: { id: 'a' }, 1: { id: 2 } } });
const matching = asked('matching', { questions: [{ id: '1' }, { id: '2' }], answers: ['x', 'y'] });
const categories = asked('categorization', { categories: { m: {}, n: {} }, distractors: { p: {}, q: {} } });
const order = asked('ordering', { choices });
const numeric = asked('numeric');
const blanks = asked('rich-fill-blank', {
  blanks: [
    { id: 'o', answer_type: 'openEntry' },
    { id: 'd', answer_type: 'dropdown', choices },
    { id: 'v', answer_type: 'wordbank' },
    { id: 'w', answer_type: 'wordbank' },
  ],
  word_bank_choices: [{ id: 'k' }, { id: 'l' }],
});
const files = asked('file-upload', { restrict_count: 'true', files_count: '2' });

test.each([
  [asked('true-false'), 'false', false],
  [asked('true-false'), true, true],
  [choice, 'b', 'b'],
  [choice, '', null],
  [choice, null, null],
  [several, ['2', 'a'], ['2', 'a']],
  [several, [2], ['2']],
  [several, { 0: 'a' }, ['a']],
  [several, [], null],
  [matching, { 1: 'y', 2: '' }, { 1: 'y' }],
  [matching, {}, null],
  [categories, { n: ['q', 'p'] }, { n: ['p', 'q'] }],
  [order, ['c', 'a', 'b'], ['c', 'a', 'b']],
  [numeric, ' 1e2 ', '100'],
  [asked('formula'), -0.5, '-0.5'],
  [blanks, { w: 'k', o: 'text', d: 'c' }, { d: 'c', o: 'text', w: 'k' }],
  [asked('hot-spot'), { x: '0.5', y: 0.25 }, { x: 0.5, y: 0.25 }],
  [asked('essay'), '<p>Text</p>', '<p>Text</p>'],
  [files, ['7', 7, 8], [7, 8]],
  [files, 9, [9]],
])('%j answered with %j is stored as %j', (entry, given, response) => {
  expect(itemResponse(entry, given, undefined)).toEqual({ response });
});

test.each([
  [asked('true-false'), 'perhaps', 'must be true or false'],
  [choice, 'z', "has no choice 'z'"],
  [choice, ['a'], "has no choice 'a'"],
  [several, 'a', 'must be a list of ids'],
  [several, ['a', 'a'], 'names a choice twice'],
  [several, ['z'], "has no choice 'z'"],
  [matching, ['x'], 'must be an object by id'],
  [matching, { 3: 'x' }, "has no part '3'"],
  [matching, { 1: 'z' }, "has no answer 'z'"],
  [categories, { m: ['p'], n: ['p'] }, 'names a choice twice'],
  [categories, { m: ['z'] }, "has no choice 'z'"],
  [categories, { m: 'p' }, 'must be a list of ids'],
  [order, ['a', 'b'], 'must have all choices in an order'],
  [numeric, 'two', 'must be a decimal number'],
  [numeric, [1], 'must be a decimal number'],
  [blanks, { o: ['x'] }, 'must have texts'],
  [blanks, { o: 'x'.repeat(16 * 1024 + 1) }, 'is too long'],
  [blanks, { d: 'z' }, "has no choice 'z'"],
  [blanks, { v: 'k', w: 'k' }, 'names a choice twice'],
  [blanks, { constructor: 'k' }, "has no part 'constructor'"],
  [asked('hot-spot'), { x: 1 }, 'must have x and y'],
  [asked('essay'), { text: 'x' }, 'must be a text'],
  [asked('essay'), 'é'.repeat(9000), 'is too long'],
  [files, [1, 2, 3], 'has more than 2 files'],
  [files, ['x'], 'must be a list of ids of files'],
  [asked('constructor'), 'x', 'cannot be answered'],
])('%j does not accept %j', (entry, given, error) => {
  expect(itemResponse(entry, given, undefined)).toEqual({ error });
});

test('only choices that the attempt presents can be chosen', () => {
  expect(itemResponse(choice, 'c', ['b', 'a'])).toEqual({ error: "has no choice 'c'" });
});

test.each([
  [{ restrict_types: true, allowed_types: '.pdf, odt' }, 'Essay.PDF', true],
  [{ restrict_types: true, allowed_types: '.pdf, odt' }, 'essay.odt', true],
  [{ restrict_types: true, allowed_types: ['.pdf'] }, 'essay.doc', false],
  [{ restrict_types: true, allowed_types: '' }, 'essay.doc', true],
  [{ restrict_types: false, allowed_types: '.pdf' }, 'essay.doc', true],
])('with %j the file %s is allowed: %s', (properties, name, isAllowed) => {
  expect(isAllowedFile({ properties }, name)).toBe(isAllowed);
});
