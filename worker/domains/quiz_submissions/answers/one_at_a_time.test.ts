import { expect, test } from 'vitest';
import { canGoTo, isGoneBy, isQuestionOpen } from './one_at_a_time';

const freely = { one_question_at_a_time: false, cant_go_back: false };
const back = { one_question_at_a_time: true, cant_go_back: false };
const onwards = { one_question_at_a_time: true, cant_go_back: true };

test.each([
  ['all at once', freely, 2, [1, 2, 3, 4], [1, 2, 3, 4], []],
  ['with a way back', back, 2, [1, 2], [1, 2, 3], []],
  ['without a way back', onwards, 3, [3], [3, 4], [1, 2]],
  ['without a way back, at the start', onwards, 1, [1], [1, 2], []],
])('%s', (_name, quiz, reached, shown, next, gone) => {
  const places = [1, 2, 3, 4];
  expect(places.filter((place) => isQuestionOpen(quiz, reached, place))).toEqual(shown);
  expect(places.filter((place) => canGoTo(quiz, reached, place))).toEqual(next);
  expect(places.filter((place) => isGoneBy(quiz, reached, place))).toEqual(gone);
});
