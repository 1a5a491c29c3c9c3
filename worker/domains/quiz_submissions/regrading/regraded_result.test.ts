import { expect, it } from 'vitest';
import type { QuestionRegrade } from '../../quiz_questions/table';
import type { QuestionResult } from '../table';
import { regradedResult } from './regraded_result';

const question = (right: number) => ({
  id: 1,
  question_type: 'multiple_choice_question',
  points: 4,
  answers: [1, 2, 3].map((id) => ({ id, weight: id === right ? 100 : 0 })),
});
const was = question(1);
const is = question(2);
const result = (correct: QuestionResult['correct'], points: number, rest: object = {}): QuestionResult => ({
  question_id: 1,
  correct,
  points,
  ...rest,
});
const right = result(true, 4);
const wrong = result(false, 0);
const regraded = { is_regraded: true } as const;

const cases: [string, QuestionRegrade['option'], QuestionResult, unknown, QuestionResult][] = [
  ['the new answer counts', 'current_correct_only', wrong, 2, { ...right, ...regraded }],
  ['the old answer no longer counts', 'current_correct_only', right, 1, { ...wrong, ...regraded }],
  ['another answer stays wrong', 'current_correct_only', wrong, 3, { ...wrong, ...regraded }],
  ['the old answer still counts', 'current_and_previous_correct', right, 1, { ...right, ...regraded }],
  ['the new answer counts, too', 'current_and_previous_correct', wrong, 2, { ...right, ...regraded }],
  ['neither answer', 'current_and_previous_correct', wrong, 3, { ...wrong, ...regraded }],
  ['everyone gets the points', 'full_credit', wrong, 3, { ...right, ...regraded }],
  ['also without an answer', 'full_credit', wrong, null, { ...right, ...regraded }],
  ['a comment stays', 'full_credit', result(false, 0, { comment: 'Hm' }), 3, { ...right, comment: 'Hm', ...regraded }],
  ['an entered score stays', 'current_correct_only', result(false, 1), 2, result(false, 1)],
  ['an earlier regrade does not', 'current_correct_only', result(true, 4, regraded), 3, { ...wrong, ...regraded }],
  ['an answer scored by hand stays', 'full_credit', result('defined', 0), 3, result('defined', 0)],
];

it.each(cases)('%s: %s', (_, option, before, given, expected) =>
  expect(regradedResult({ option, was, is }, before, given)).toEqual(expected),
);
