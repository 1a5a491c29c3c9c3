import { expect, test } from 'vitest';
import { newQuizItemsOfEveryType } from '../../../test/support/quiz_secrets';
import { choicesMade, partsOfQuestion } from './choices_made';

const all = newQuizItemsOfEveryType().map(({ entry }) => ({
  id: -1,
  question_type: entry.interaction_type_slug,
  question_text: '',
  points: 2,
  data: { answers: [], item: entry },
}));
const sample = (slug: string) => all.find((one) => one.question_type === slug) as (typeof all)[number];

test.each([
  ['true-false', true, [['true']]],
  ['true-false', null, [['none']]],
  ['choice', 'a', [['a']]],
  ['multi-answer', ['a', 'c'], [['a', 'c']]],
  ['matching', { 1: 'France' }, [['France']]],
  ['matching', null, [['none']]],
  ['categorization', { x: ['p', 'q'] }, [['p', 'q']]],
  ['numeric', '4.1', [['2']]],
  ['numeric', '99', [['other']]],
  ['rich-fill-blank', { o: 'wrong', d: 'b' }, [['other'], ['b'], ['none']]],
  ['essay', 'text', []],
] as const)('%s answered with %j is counted as %j', (slug, given, ids) => {
  const question = sample(slug);
  expect(choicesMade(question, partsOfQuestion(question), given)).toEqual(ids);
});

test('the right answers are marked', () => {
  const right = (slug: string) => partsOfQuestion(sample(slug)).map(({ listed }) => listed.flatMap((one) => (one.correct ? one.id : [])));
  expect(right('true-false')).toEqual([['true']]);
  expect(right('multi-answer')).toEqual([['a', 'b']]);
  expect(right('matching')).toEqual([['France']]);
  expect(right('categorization')).toEqual([['p']]);
  expect(right('rich-fill-blank')).toEqual([['1'], ['a'], ['k']]);
});
