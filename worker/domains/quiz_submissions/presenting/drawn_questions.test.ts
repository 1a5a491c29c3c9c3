import { describe, expect, test } from 'vitest';
import { type DrawnFrom, drawnQuestions } from './drawn_questions';
import { seededRandom, shuffled } from './random';

const question = (id: number, rest: Partial<DrawnFrom> = {}): DrawnFrom => ({
  id,
  version: 1,
  quiz_group_id: null,
  question_bank_id: null,
  question_type: 'multiple_choice_question',
  points_possible: 1,
  position: id,
  data: { answers: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] },
  ...rest,
});
const group = (id: number, position: number, pick_count: number, question_bank_id: number | null = null) => ({
  id,
  position,
  pick_count,
  question_points: 5,
  question_bank_id,
});
const ordered = { shuffle_answers: false };
const draw = (questions: DrawnFrom[], groups = [] as ReturnType<typeof group>[], seed = 1, quiz = ordered) =>
  drawnQuestions(quiz, questions, groups, seededRandom(seed));

describe('the questions of an attempt', () => {
  test('are in the order of the quiz, groups at their place', () => {
    const inGroup = [10, 11, 12].map((id) => question(id, { quiz_group_id: 7 }));
    const drawn = draw([question(3), ...inGroup, question(1)], [group(7, 2, 2)]);
    expect(drawn.map(({ quiz_group_id }) => quiz_group_id)).toStrictEqual([null, 7, 7, null]);
    expect([drawn[0]?.id, drawn[3]?.id]).toStrictEqual([1, 3]);
    expect(drawn.map(({ points }) => points)).toStrictEqual([1, 5, 5, 1]);
  });

  test('a group gives at most the questions that it has', () => {
    expect(draw([question(1, { quiz_group_id: 7 })], [group(7, 1, 3)])).toHaveLength(1);
    expect(draw([question(1, { quiz_group_id: 7 })], [group(7, 1, 0)])).toHaveLength(0);
  });

  test('every question of a group is drawn as often as another', () => {
    const inGroup = [1, 2, 3, 4].map((id) => question(id, { quiz_group_id: 7 }));
    const drawn = Array.from({ length: 2000 }, (_, seed) => draw(inGroup, [group(7, 1, 1)], seed)[0]?.id);
    for (const id of [1, 2, 3, 4]) expect(Math.abs(drawn.filter((one) => one === id).length - 500)).toBeLessThan(100);
  });

  test('two groups of one bank share no question, until it has no more', () => {
    const bank = [1, 2, 3].map((id) => question(id, { question_bank_id: 9 }));
    const drawn = draw(bank, [group(7, 1, 2, 9), group(8, 2, 2, 9)]);
    expect(drawn).toHaveLength(3);
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(3);
  });

  test('the same seed draws the same', () => {
    const inGroup = [1, 2, 3, 4, 5, 6].map((id) => question(id, { quiz_group_id: 7 }));
    expect(draw(inGroup, [group(7, 1, 3)], 5)).toStrictEqual(draw(inGroup, [group(7, 1, 3)], 5));
  });

  test.each([
    ['multiple_choice_question', true],
    ['multiple_answers_question', true],
    ['multiple_dropdowns_question', true],
    ['true_false_question', false],
    ['matching_question', false],
    ['fill_in_multiple_blanks_question', false],
  ])('the answers of a %s are shuffled: %s', (question_type, isShuffled) => {
    const [drawn] = draw([question(1, { question_type })], [], 3, { shuffle_answers: true });
    expect(drawn?.order && [...drawn.order].sort()).toStrictEqual(isShuffled ? [1, 2, 3, 4] : undefined);
    expect(draw([question(1, { question_type })])[0]).not.toHaveProperty('order');
  });

  test('a calculated question has one of its combinations, a text no points', () => {
    const drawn = draw([question(1, { question_type: 'calculated_question' }), question(2, { question_type: 'text_only_question' })]);
    expect([1, 2, 3, 4]).toContain(drawn[0]?.variant);
    expect(drawn[1]?.points).toBe(0);
  });

  test('every order is equally likely', () => {
    const counts = new Map<string, number>();
    const random = seededRandom(11);
    for (let at = 0; at < 6000; at += 1) {
      const order = shuffled(['a', 'b', 'c'], random).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
