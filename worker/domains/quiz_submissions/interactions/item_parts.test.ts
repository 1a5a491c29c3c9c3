import { expect, test } from 'vitest';
import { scoreQuestion } from '../scoring/score_question';
import { isInRegion } from './item_parts';

const choices = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const item = (interaction_type_slug: string, scoring_algorithm: string, value: unknown, data: object = {}, more: object = {}) => ({
  interaction_type_slug,
  scoring_algorithm,
  interaction_data: data,
  scoring_data: { value, ...more },
});

const trueFalse = item('true-false', 'Equivalence', true);
const choice = item('choice', 'Equivalence', 'b', { choices });
const varying = item(
  'choice',
  'VaryPointsByAnswer',
  'b',
  { choices },
  {
    values: [
      { value: 'a', points: 0 },
      { value: 'b', points: '6' },
      { value: 'c', points: 2.5 },
    ],
  },
);
const all = item('multi-answer', 'AllOrNothing', ['a', 'b'], { choices });
const partial = item('multi-answer', 'PartialScore', { 0: 'a', 1: 'b', 2: 'c' }, { choices });
const matches = { questions: [{ id: '1' }, { id: '2' }, { id: '3' }], answers: ['x', 'y', 'z'] };
const key = { 1: 'x', 2: 'y', 3: 'x' };
const matching = item('matching', 'DeepEquals', key, matches);
const partialMatching = item('matching', 'PartialDeep', key, matches);
const groups = { categories: { m: { id: 'm' }, n: { id: 'n' } }, distractors: { p: {}, q: {}, r: {} } };
const members = [
  { id: 'm', scoring_data: { value: ['p', 'q'] } },
  { id: 'n', scoring_data: { value: [] } },
];
const categories = item('categorization', 'Categorization', members, groups, { score_method: 'all_or_nothing' });
const partialCategories = item('categorization', 'Categorization', members, groups, { score_method: 'partial_credit' });
const order = item('ordering', 'DeepEquals', ['a', 'b', 'c'], { choices: { a: {}, b: {}, c: {} } });
const expecting = (...expected: object[]) => item('numeric', 'Numeric', expected);
const exact = expecting({ type: 'exactResponse', value: '0.3' });
const percent = expecting({ type: 'marginOfError', value: '200', margin: '5', margin_type: 'percent' });
const absolute = expecting({ type: 'marginOfError', value: '-0.1', margin: 0.2, margin_type: 'absolute' });
const range = expecting({ type: 'withinARange', start: '0.1', end: '0.3' }, { type: 'exactResponse', value: 9 });
const decimals = expecting({ type: 'preciseResponse', value: '3.14', precision: '2', precision_type: 'decimals' });
const digits = expecting({ type: 'preciseResponse', value: '1230', precision: 3, precision_type: 'significantDigits' });
const formula = (numeric?: object) =>
  item('formula', 'Numeric', {
    formula: 'x + 1',
    numeric,
    generated_solutions: [
      { inputs: [{ name: 'x', value: '2' }], output: '3' },
      { inputs: [{ name: 'x', value: '9' }], output: '10' },
    ],
  });
const blanks = item('rich-fill-blank', 'MultipleMethods', [
  { id: 'o', scoring_data: { value: 'red' }, scoring_algorithm: 'TextContainsAnswer' },
  { id: 'd', scoring_data: { value: 'k1' }, scoring_algorithm: 'Equivalence' },
  { id: 'w', scoring_data: { value: 'k2' }, scoring_algorithm: 'Equivalence' },
]);
const square = (...corners: [number, number][]) => ({ type: 'square', coordinates: corners.map(([x, y]) => ({ x, y })) });
const hotSpot = item('hot-spot', 'HotSpot', [square([0.1, 0.1], [0.2, 0.2]), square([0.8, 0.8], [0.6, 0.6])]);

test.each([
  ['true-false', trueFalse, true, true, 6],
  ['true-false', trueFalse, false, false, 0],
  ['true-false without a response', trueFalse, null, false, 0],
  ['choice', choice, 'b', true, 6],
  ['choice', choice, 'a', false, 0],
  ['choice without a response', choice, null, false, 0],
  ['choice with points by answer', varying, 'b', true, 6],
  ['choice with points by answer', varying, 'c', 'partial', 2.5],
  ['choice with points by answer', varying, 'a', false, 0],
  ['choice without points for the answer', varying, 'd', false, 0],
  ['all or nothing, in another order', all, ['b', 'a'], true, 6],
  ['all or nothing, one missing', all, ['a'], false, 0],
  ['all or nothing, one too many', all, ['a', 'b', 'c'], false, 0],
  ['several with partial credit', partial, ['a', 'b', 'c'], true, 6],
  ['several with partial credit, one missing', partial, ['a', 'b'], 'partial', 4],
  ['several with partial credit, one wrong', partial, ['a', 'b', 'd'], 'partial', 2],
  ['several with partial credit, as many wrong', partial, ['a', 'd'], false, 0],
  ['several with partial credit, only wrong', partial, ['d'], false, 0],
  ['matching', matching, key, true, 6],
  ['matching, one wrong', matching, { ...key, 3: 'y' }, false, 0],
  ['matching with partial credit', partialMatching, { 1: 'x', 2: 'z' }, 'partial', 2],
  ['matching with partial credit, none right', partialMatching, { 1: 'z' }, false, 0],
  ['categories', categories, { m: ['q', 'p'] }, true, 6],
  ['categories, one option too many', categories, { m: ['p', 'q'], n: ['r'] }, false, 0],
  ['categories with partial credit', partialCategories, { m: ['p', 'q'], n: ['r'] }, 'partial', 3],
  ['categories with partial credit, all right', partialCategories, { m: ['p', 'q'] }, true, 6],
  ['categories with nothing in them', partialCategories, {}, 'partial', 3],
  ['categories without a response', partialCategories, null, false, 0],
  ['an order', order, ['a', 'b', 'c'], true, 6],
  ['another order', order, ['a', 'c', 'b'], false, 0],
  ['an exact number', exact, '0.30', true, 6],
  ['not quite an exact number', exact, '0.3000000000000000004', false, 0],
  ['a percentage, at its border', percent, '210', true, 6],
  ['a percentage, beyond its border', percent, '210.1', false, 0],
  ['a margin, at its border', absolute, '0.1', true, 6],
  ['a margin, beyond its border', absolute, '-0.31', false, 0],
  ['a range, at its border', range, '0.3', true, 6],
  ['one of several expected numbers', range, '9', true, 6],
  ['none of several expected numbers', range, '5', false, 0],
  ['decimals', decimals, '3.141', true, 6],
  ['decimals', decimals, '3.15', false, 0],
  ['significant digits', digits, '1234', true, 6],
  ['significant digits', digits, '1236', false, 0],
  ['no number', exact, 'three', false, 0],
  ['a formula', formula(), '10', true, 6],
  ['a formula with the values of another attempt', formula(), '3', false, 0],
  ['a formula with a margin', formula({ type: 'marginOfError', margin: '10', margin_type: 'percent' }), '9', true, 6],
  ['a formula without decimals', formula({ type: 'preciseResponse', precision: 0, precision_type: 'decimals' }), '10.4', true, 6],
  ['blanks', blanks, { o: 'Bright red', d: 'k1', w: 'k2' }, true, 6],
  ['blanks, one right', blanks, { o: 'blue', d: 'k1' }, 'partial', 2],
  ['blanks, none right', blanks, { d: 'k2' }, false, 0],
  ['a spot in the second region', hotSpot, { x: 0.7, y: 0.7 }, true, 6],
  ['a spot beside the regions', hotSpot, { x: 0.3, y: 0.3 }, false, 0],
  ['an essay', item('essay', 'None', ''), '<p>Long</p>', 'undefined', 0],
  ['an essay without a text', item('essay', 'None', ''), null, false, 0],
  ['files', item('file-upload', 'None', ''), [7], 'undefined', 0],
  ['a stimulus', { title: 'Read this' }, null, 'no_score', 0],
] as const)('%s %#: %j answered with %j is %s and worth %d of 6', (_, entry, given, correct, points) => {
  const question = { id: -1, question_type: 'x', points: 6, answers: [], variant: 1, item: entry };
  expect(scoreQuestion(question, given)).toEqual({ question_id: -1, correct, points });
});

const at = (x: number, y: number) => ({ x, y });
test.each([
  ['rectangle', [at(0.2, 0.4), at(0.6, 0.1)], at(0.6, 0.4), true],
  ['rectangle', [at(0.2, 0.4), at(0.6, 0.1)], at(0.61, 0.4), false],
  ['oval', [at(0, 0), at(0.4, 0.2)], at(0.2, 0.2), true],
  ['oval', [at(0, 0), at(0.4, 0.2)], at(0.39, 0.19), false],
  ['polygon', [at(0, 0), at(1, 0), at(0, 1)], at(0.2, 0.2), true],
  ['polygon', [at(0, 0), at(1, 0), at(0, 1)], at(0.8, 0.8), false],
  ['polygon', [at(0, 0), at(1, 0), at(1, 1), at(0.5, 0.2), at(0, 1)], at(0.5, 0.5), false],
])('a %s of %j contains %j: %s', (type, coordinates, point, isInside) => {
  expect(isInRegion(point, { type, coordinates })).toBe(isInside);
});
