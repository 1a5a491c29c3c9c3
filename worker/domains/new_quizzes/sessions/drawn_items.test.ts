import { expect, test } from 'vitest';
import { seededRandom } from '../../quiz_submissions/presenting/random';
import { type DrawingItem, drawnItems } from './drawn_items';

const item = (id: number, given: Partial<DrawingItem> = {}): DrawingItem => ({
  id,
  version: id * 10,
  position: id,
  points_possible: 2,
  entry_type: 'Item',
  entry: { interaction_type_slug: 'essay' },
  properties: {},
  question_bank_id: null,
  bank_question_id: null,
  stimulus_quiz_entry_id: null,
  ...given,
});
const question = (id: number, question_bank_id: number) => ({
  id,
  version: 1,
  quiz_group_id: null,
  question_bank_id,
  question_type: 'true_false_question',
  points_possible: 9,
  position: 1,
  data: { answers: [{ id: 1 }, { id: 2 }] },
});
const plain = { shuffle_answers: false, shuffle_questions: false, reducesChoices: false };
const draw = (items: readonly DrawingItem[], banked: ReturnType<typeof question>[] = [], settings = plain, seed = 1) =>
  drawnItems(settings, items, banked, seededRandom(seed));

test('items are presented in their order, with their points and versions', () => {
  expect(draw([item(4), item(7, { points_possible: 5 })])).toEqual([
    { id: -4, version: 40, points: 2, quiz_group_id: null, item_id: 4 },
    { id: -7, version: 70, points: 5, quiz_group_id: null, item_id: 7 },
  ]);
});

test('a text is before the items about it, which stay together; one without items is not presented', () => {
  const text = (id: number) => item(id, { entry_type: 'Stimulus' });
  const about = (id: number, stimulus_quiz_entry_id: number) => item(id, { stimulus_quiz_entry_id });
  const items = [item(1), text(2), item(3), about(4, 2), about(5, 2), text(6), about(7, 999)];
  const drawn = draw(items);
  expect(drawn.map(({ id }) => id)).toEqual([-1, -2, -4, -5, -3, -7]);
  expect(drawn.map(({ stimulus_id }) => stimulus_id)).toEqual([undefined, undefined, 2, 2, undefined, undefined]);
  expect(drawn[1]).toMatchObject({ is_stimulus: true, points: 0 });
  const orders = Array.from({ length: 60 }, (_, seed) => draw(items, [], { ...plain, shuffle_questions: true }, seed).map(({ id }) => id));
  expect(new Set(orders.map(String)).size).toBeGreaterThan(15);
  for (const order of orders) expect(order.slice(order.indexOf(-2), order.indexOf(-2) + 3)).toEqual([-2, -4, -5]);
});

test('banks give as many questions as an item names, none twice, with the points of the item', () => {
  const bank = (id: number, sample_num: number) => item(id, { entry_type: 'Bank', question_bank_id: 8, properties: { sample_num } });
  const named = item(3, { entry_type: 'BankEntry', bank_question_id: 21, points_possible: 4 });
  const banked = [question(21, 8), question(22, 8), question(23, 8), question(24, 8), question(31, 9)];
  for (let seed = 0; seed < 30; seed += 1) {
    const drawn = draw([bank(1, 1), bank(2, 2), named], banked, plain, seed);
    expect(drawn.map(({ item_id }) => item_id)).toEqual([1, 2, 2, 3]);
    expect(new Set(drawn.map(({ id }) => id))).toEqual(new Set([21, 22, 23, 24]));
    expect(drawn.at(-1)).toEqual({ id: 21, version: 1, points: 4, quiz_group_id: null, item_id: 3 });
  }
  expect(draw([bank(1, 9)], banked)).toHaveLength(4);
  expect(draw([named])).toEqual([]);
});
