import { expect, test } from 'vitest';
import type { QuizAnswer } from '../../contract/quizzes';
import { answerFrom, answerToSend, blanksIn, isAnswered, isUnreadable, questionShape } from './answers';

const with_ = { fileIds: [4, 5], asHtml: (text: string) => `<p>${text}</p>` };
const question = (question_type: string, answer: unknown, more: object = {}) => ({ id: 1, question_type, answer, ...more });

test.each([
  ['multiple_choice_question', '31', 31, 31],
  ['multiple_answers_question', ['31', 32, 'x'], [31, 32], [31, 32]],
  ['short_answer_question', 'tide', 'tide', 'tide'],
  ['essay_question', 'tide', 'tide', '<p>tide</p>'],
  ['numerical_question', 2.5, '2.5', '2.5'],
  ['fill_in_multiple_blanks_question', { a: 'x', b: null }, { a: 'x', b: null }, { a: 'x', b: null }],
  ['multiple_dropdowns_question', { a: '7' }, { a: 7 }, { a: 7 }],
  [
    'matching_question',
    [
      { answer_id: 3, match_id: '9' },
      { answer_id: 4, match_id: null },
    ],
    { 3: 9, 4: null },
    [
      { answer_id: 3, match_id: 9 },
      { answer_id: 4, match_id: '' },
    ],
  ],
  ['file_upload_question', [1], null, [4, 5]],
  ['text_only_question', null, null, ''],
])('an answer to a %s is read from the server, and sent to it', (type, fromServer, read, sent) => {
  const json = question(type, fromServer);
  expect(answerFrom(json)).toEqual(read);
  expect(answerToSend(questionShape(json), read as QuizAnswer, with_)).toEqual(sent);
});

test('a decimal comma is a point, and a word is no number', () => {
  expect(answerToSend('number', ' 2,5 ', with_)).toBe('2.5');
  expect(isUnreadable('number', '2,5')).toBe(false);
  expect(isUnreadable('number', '1e3')).toBe(false);
  expect(isUnreadable('number', 'two')).toBe(true);
  expect(isUnreadable('number', ' ')).toBe(false);
  expect(isUnreadable('line', 'two')).toBe(false);
});

test('nothing, spaces and empty parts are no answer', () => {
  const none: readonly QuizAnswer[] = [null, ' ', [], {}, { a: null, b: '' }, { files: [] }];
  const some: readonly QuizAnswer[] = [0, 'x', [1], { a: 'x', b: null }, { files: [{ name: 'a', size: 1, sha256: 'b' }] }];
  for (const one of none) expect(isAnswered(one)).toBe(false);
  for (const one of some) expect(isAnswered(one)).toBe(true);
});

test('blanks are in the order of the text', () => {
  const json = question('fill_in_multiple_blanks_question', { b: null, a: null, z: null }, { question_text: 'First [z], then [a].' });
  expect(blanksIn(json)).toEqual(['z', 'a', 'b']);
});
