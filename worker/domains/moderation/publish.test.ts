import { expect, test } from 'vitest';
import { choicesOf } from './publish';

const grade = (id: number, submission_id: number, score: number | null, is_final = false) => ({ id, submission_id, score, is_final });
const chosen = (...given: Parameters<typeof choicesOf>) => choicesOf(...given)?.map((one) => one.grade.id);

test('the selected grade counts, else the final one, else the only one', () => {
  expect(chosen([grade(1, 7, 3), grade(2, 7, 4)], new Map([[7, 1]]))).toEqual([1]);
  expect(chosen([grade(1, 7, 3), grade(2, 7, 4, true)], new Map())).toEqual([2]);
  expect(chosen([grade(1, 7, 3), grade(2, 7, 4, true)], new Map([[7, 1]]))).toEqual([1]);
  expect(chosen([grade(1, 7, 3), grade(2, 8, 4)], new Map())).toEqual([1, 2]);
  expect(chosen([grade(1, 7, null), grade(2, 7, 4)], new Map())).toEqual([2]);
  expect(chosen([], new Map())).toEqual([]);
});

test('two grades without a selection are no choice', () => {
  expect(chosen([grade(1, 7, 3), grade(2, 7, 4)], new Map())).toBeUndefined();
  expect(chosen([grade(1, 7, 3), grade(2, 7, 4), grade(3, 8, 5)], new Map([[8, 3]]))).toBeUndefined();
});
