import { expect, test } from 'vitest';
import { newQuizItemsOfEveryType } from '../../../../test/support/quiz_secrets';
import type { QuestionParts } from './reading';
import { checkQuestion } from './shapes';

const all = newQuizItemsOfEveryType().map(({ entry }) => entry as unknown as QuestionParts);
const sample = (slug: string, change: object): QuestionParts => ({
  ...(all.find((one) => one.interaction_type_slug === slug) as QuestionParts),
  ...change,
});
const value = (given: unknown, more: object = {}) => ({ scoring_data: { value: given, ...more } });

test('questions of every type are accepted', () => {
  for (const question of all) expect(() => checkQuestion(question)).not.toThrow();
  expect(new Set(all.map((one) => one.interaction_type_slug)).size).toBe(12);
});

test('lists from forms are maps with numbers as keys', () => {
  expect(() => checkQuestion(sample('multi-answer', value({ 0: 'a', 1: 'c' })))).not.toThrow();
  expect(() =>
    checkQuestion(sample('choice', { interaction_data: { choices: { 0: { id: 'a' }, 1: { id: 'b' } } }, answer_feedback: undefined })),
  ).not.toThrow();
});

const choices = [{ id: 'a' }, { id: 'b' }];
const data = (given: object) => ({ interaction_data: given });
const blank = (answer: object) =>
  value([
    answer,
    { id: 'd', scoring_data: { value: 'a' }, scoring_algorithm: 'Equivalence' },
    { id: 'w', scoring_data: { value: 'k' }, scoring_algorithm: 'Equivalence' },
  ]);

test.each([
  ['choice', 'interaction_type_slug', { interaction_type_slug: 'riddle' }],
  ['choice', 'interaction_type_slug', { interaction_type_slug: 'constructor' }],
  ['choice', 'scoring_algorithm', { scoring_algorithm: 'PartialScore' }],
  ['choice', 'scoring_data', { scoring_data: 'b' }],
  ['choice', 'interaction_data', { interaction_data: 3 }],
  ['choice', 'interaction_data', data({ choices: [] })],
  ['choice', 'interaction_data', data({ choices: [{ item_body: 'no id' }] })],
  ['choice', 'interaction_data', data({ choices: [...choices, { id: 'a' }] })],
  ['choice', 'scoring_data', value('z')],
  ['choice', 'scoring_data', { scoring_algorithm: 'VaryPointsByAnswer', ...value('b') }],
  ['choice', 'scoring_data', { scoring_algorithm: 'VaryPointsByAnswer', ...value('b', { values: [{ value: 'b', points: -1 }] }) }],
  ['choice', 'answer_feedback', { answer_feedback: { z: 'x' } }],
  ['true-false', 'interaction_data', data({ true_choice: 'True' })],
  ['true-false', 'scoring_data', value('maybe')],
  ['multi-answer', 'scoring_data', value('a')],
  ['multi-answer', 'scoring_data', value(['a', 'z'])],
  ['matching', 'interaction_data', data({ questions: [{ id: '1' }], answers: [] })],
  ['matching', 'scoring_data', value({ 1: 'Italy' })],
  ['matching', 'scoring_data', value({ 1: 'France', 2: 'France' })],
  ['categorization', 'interaction_data', data({ categories: {}, distractors: {} })],
  ['categorization', 'interaction_data', data({ categories: { x: {} }, distractors: { p: {} }, category_order: ['y'] })],
  ['categorization', 'scoring_data', value([{ id: 'y', scoring_data: { value: ['p'] } }])],
  ['categorization', 'scoring_data', value([{ id: 'x', scoring_data: { value: ['z'] } }])],
  ['categorization', 'scoring_data', value([{ id: 'x', scoring_data: { value: ['p', 'p'] } }])],
  ['categorization', 'scoring_data', value([{ id: 'x', scoring_data: { value: ['p'] } }], { score_method: 'some' })],
  ['ordering', 'scoring_data', value(['a'])],
  ['ordering', 'scoring_data', value(['a', 'a'])],
  ['numeric', 'scoring_data', value([])],
  ['numeric', 'scoring_data', value([{ type: 'about', value: 1 }])],
  ['numeric', 'scoring_data', value([{ type: 'exactResponse', value: 'four' }])],
  ['numeric', 'scoring_data', value([{ type: 'marginOfError', value: 1, margin: -1, margin_type: 'absolute' }])],
  ['numeric', 'scoring_data', value([{ type: 'withinARange', start: 2, end: 1 }])],
  ['numeric', 'scoring_data', value([{ type: 'preciseResponse', value: 1, precision: 1.5, precision_type: 'decimals' }])],
  ['formula', 'scoring_data', value({ variables: [] })],
  ['formula', 'scoring_data', value({ formula: 'x', variables: [{ name: 'x', min: 9, max: 1 }] })],
  [
    'formula',
    'scoring_data',
    value({
      formula: 'x',
      variables: [
        { name: 'x', min: 1, max: 9 },
        { name: 'x', min: 1, max: 9 },
      ],
    }),
  ],
  ['formula', 'scoring_data', value({ formula: 'x', generated_solutions: [{ inputs: [{ name: 'y', value: 1 }], output: 2 }] })],
  ['formula', 'scoring_data', value({ formula: 'x', numeric: { type: 'about' } })],
  ['rich-fill-blank', 'interaction_data', data({ blanks: [{ id: 'o', answer_type: 'drawing' }] })],
  ['rich-fill-blank', 'item_body', { item_body: 'no blank' }],
  ['rich-fill-blank', 'interaction_data', data({ blanks: [{ id: 'd', answer_type: 'dropdown' }] })],
  ['rich-fill-blank', 'scoring_data', value([{ id: 'o', scoring_data: { value: 'x' }, scoring_algorithm: 'TextEquivalence' }])],
  ['rich-fill-blank', 'scoring_data', blank({ id: 'o', scoring_data: { value: 'a' }, scoring_algorithm: 'Equivalence' })],
  ['rich-fill-blank', 'scoring_data', blank({ id: 'o', scoring_data: { value: '(' }, scoring_algorithm: 'TextRegex' })],
  ['rich-fill-blank', 'scoring_data', blank({ id: 'o', scoring_data: { value: 'x' }, scoring_algorithm: 'TextInChoices' })],
  ['rich-fill-blank', 'scoring_data', blank({ id: 'o', scoring_data: { value: 'x' }, scoring_algorithm: 'TextCloseEnough' })],
  ['hot-spot', 'interaction_data', data({ image_url: 'map.png' })],
  ['hot-spot', 'scoring_data', value([])],
  ['hot-spot', 'scoring_data', value({ type: 'star', coordinates: [] })],
  ['essay', 'interaction_data', data({ rce: 'often' })],
  ['essay', 'interaction_data', data({ word_limit_enabled: true, word_limit_min: 9, word_limit_max: 1 })],
  ['file-upload', 'interaction_data', data({ restrict_count: true, files_count: 0 })],
])('%s: an error names the %s that does not fit', (slug, part, change) => {
  const problem = expect.objectContaining({ status: 400, message: expect.stringContaining(`item[entry][${part}]`) });
  expect(() => checkQuestion(sample(slug, change))).toThrow(problem);
});

test('other ways to score a blank are accepted', () => {
  for (const answer of [
    { scoring_algorithm: 'TextRegex', scoring_data: { value: '^a+$' } },
    { scoring_algorithm: 'TextInChoices', scoring_data: { value: ['red', 'blue'] } },
    { scoring_algorithm: 'TextContainsAnswer', scoring_data: { value: 'red' } },
    { scoring_algorithm: 'TextEquivalence', scoring_data: { value: 'red' } },
  ])
    expect(() => checkQuestion(sample('rich-fill-blank', blank({ id: 'o', ...answer })))).not.toThrow();
});
