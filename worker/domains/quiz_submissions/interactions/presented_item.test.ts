import { expect, test } from 'vitest';
import { expectNoQuizSecrets, newQuizItemsOfEveryType } from '../../../../test/support/quiz_secrets';
import { seededRandom } from '../presenting/random';
import { presentedItem } from './presented_item';
import { feedbackOnItem, rightResponse, shownInteraction, textOfItem } from './shown_item';

const ids = ['a', 'b', 'c', 'd', 'e'];
const choice = (more: object = {}, slug = 'choice') => ({
  interaction_type_slug: slug,
  interaction_data: { choices: ids.map((id) => ({ id, item_body: `<p>${id}</p>` })) },
  scoring_data: { value: slug === 'choice' ? 'b' : ['b'] },
  ...more,
});
const plain = { shuffles: false, reducesChoices: false };
const draws = (entry: object, drawing = plain) =>
  Array.from({ length: 40 }, (_, seed) => presentedItem(entry as Record<string, unknown>, drawing, seededRandom(seed)));

test('choices keep their order unless the quiz or the question shuffles them', () => {
  for (const drawn of draws(choice())) expect(drawn).toEqual({ shown: ids });
  expect(new Set(draws(choice(), { ...plain, shuffles: true }).map(({ shown }) => shown?.join(''))).size).toBeGreaterThan(20);
  const locked = choice({ properties: { shuffle_rules: { choices: { shuffled: true, to_lock: [4, '0'] } } } });
  const orders = draws(locked).map(({ shown }) => shown?.join('') ?? '');
  expect(new Set(orders).size).toBe(6);
  for (const order of orders) expect(order).toMatch(/^a[bcd]{3}e$/);
});

test('one wrong choice of four or more is left out for who has fewer choices', () => {
  const left = draws(choice(), { ...plain, reducesChoices: true }).map(({ shown }) => shown ?? []);
  for (const shown of left) {
    expect(shown).toHaveLength(4);
    expect(shown).toContain('b');
  }
  expect(new Set(left.map((shown) => ids.find((id) => !shown.includes(id)))).size).toBe(4);
  const three = choice({ interaction_data: { choices: ids.slice(0, 3).map((id) => ({ id })) } });
  expect(draws(three, { ...plain, reducesChoices: true })[0]?.shown).toHaveLength(3);
  expect(draws(choice({}, 'multi-answer'), { ...plain, reducesChoices: true })[0]?.shown).toHaveLength(5);
});

test('an order to find is always shuffled, and a formula gets one of its solutions', () => {
  expect(new Set(draws(choice({}, 'ordering')).map(({ shown }) => shown?.join(''))).size).toBeGreaterThan(20);
  const formula = {
    interaction_type_slug: 'formula',
    item_body: '<p>`x` plus [ y ] and [z]</p>',
    scoring_data: {
      value: {
        generated_solutions: [
          {
            inputs: [
              { name: 'x', value: '2' },
              { name: 'y', value: 1 },
            ],
            output: '3',
          },
          {
            inputs: [
              { name: 'x', value: '4' },
              { name: 'y', value: 5 },
            ],
            output: '9',
          },
        ],
      },
    },
  };
  expect(new Set(draws(formula).map(({ variant }) => variant))).toEqual(new Set([0, 1]));
  expect(textOfItem(formula, 1)).toBe('<p>4 plus 5 and [z]</p>');
  expect(rightResponse(formula, 1)).toBe('9');
});

test('what students see of a question of any type says nothing of its key', () => {
  for (const { entry } of newQuizItemsOfEveryType()) {
    const shown = { ...shownInteraction(entry, undefined), text: textOfItem(entry, 0) };
    expectNoQuizSecrets({ body: shown, headers: new Headers() }, entry.interaction_type_slug);
  }
  expect(shownInteraction(choice(), ['d', 'a'])).toEqual({
    choices: [
      { id: 'd', item_body: '<p>d</p>' },
      { id: 'a', item_body: '<p>a</p>' },
    ],
  });
  const categories = {
    interaction_type_slug: 'categorization',
    interaction_data: {
      categories: { x: { item_body: 'X' }, y: { item_body: 'Y' } },
      distractors: { q: { item_body: 'B' }, p: { item_body: 'A' } },
      category_order: ['y', 'x'],
    },
  };
  expect(shownInteraction(categories, undefined)).toEqual({
    categories: [
      { id: 'y', item_body: 'Y' },
      { id: 'x', item_body: 'X' },
    ],
    choices: [
      { id: 'p', item_body: 'A' },
      { id: 'q', item_body: 'B' },
    ],
  });
});

test('feedback is that of the result and of the choice', () => {
  const entry = { feedback: { neutral: 'n', correct: 'r', incorrect: 'w' }, answer_feedback: { a: 'about a' } };
  expect(feedbackOnItem(entry, true, 'a')).toEqual(['n', 'r', 'about a']);
  expect(feedbackOnItem(entry, 'partial', 'constructor')).toEqual(['n', 'w']);
  expect(feedbackOnItem(entry, 'undefined', null)).toEqual(['n']);
});
