import { expect, test } from 'vitest';
import { newQuizItemsOfEveryType } from '../../../../test/support/quiz_secrets';
import { countAnswer, emptyTally } from '../../quiz_statistics/tally';
import { scoreQuestion } from '../../quiz_submissions/scoring/score_question';
import { figuresOfItem, responseText } from './figures';

const all = newQuizItemsOfEveryType().map(({ entry }) => ({
  id: -1,
  question_type: entry.interaction_type_slug,
  question_text: '',
  points: 2,
  data: { answers: [], item: entry },
}));
const sample = (slug: string) => all.find((one) => one.question_type === slug) as (typeof all)[number];

test.each([
  ['true-false', false, 'False'],
  ['choice', 'a', 'Choice a'],
  ['multi-answer', ['a', 'c'], 'Choice a,Choice c'],
  ['matching', { 1: 'Spain' }, 'Paris=>Spain'],
  ['categorization', { x: ['p', 'q'] }, 'Fruit=>Pear,Quartz'],
  ['ordering', ['b', 'a'], 'Second,First'],
  ['numeric', '4.5', '4.5'],
  ['formula', '3', '3'],
  ['rich-fill-blank', { o: 'red', d: 'b' }, 'o=>red,d=>Choice b,w=>'],
  ['hot-spot', { x: 0.5, y: 0.25 }, '0.5,0.25'],
  ['essay', '<p>One</p>', 'One'],
  ['file-upload', [3, 4], '3,4'],
  ['choice', null, ''],
] as const)('%s: %j is shown as %j', (slug, given, text) => {
  expect(responseText(sample(slug), given)).toBe(text);
});

test('responses are counted by answer', () => {
  const question = sample('choice');
  const tally = emptyTally(question);
  const given = ['b', 'b', 'a', null];
  for (const [at, one] of given.entries())
    countAnswer(tally, at, scoreQuestion({ ...question, answers: [], item: question.data.item }, one), one);
  expect(figuresOfItem(tally)).toEqual({
    students: 4,
    responses: 3,
    correct: 2,
    partially_correct: 0,
    incorrect: 2,
    average_points: 1,
    answers: [
      { part: '', id: 'a', text: 'Choice a', correct: false, responses: 1 },
      { part: '', id: 'b', text: 'Choice b', correct: true, responses: 2 },
      { part: '', id: 'c', text: 'Choice c', correct: false, responses: 0 },
      { part: '', id: 'none', text: '', correct: false, responses: 1 },
    ],
  });
  expect(figuresOfItem(undefined)).toMatchObject({ students: 0, average_points: null, answers: [] });
});
