import { expect, it } from 'vitest';
import type { SavedAnswer } from '../quiz_submissions/answers/saved_answer';
import { answerText } from './answer_text';

const question = (type: string, answers: readonly object[] = [], matches: readonly object[] = []) =>
  ({ id: 1, question_type: `${type}_question`, question_text: '', points: 1, data: { answers, matches } }) as never;
const two = [
  { id: 1, weight: 100, text: 'Paris', blank_id: 'a' },
  { id: 2, weight: 0, text: 'Lyon', blank_id: 'b' },
];
const items = [
  { id: 1, weight: 100, left: 'France', right: 'Paris', match_id: 11 },
  { id: 2, weight: 100, left: 'Italy', right: 'Rome', match_id: 12 },
];
const matches = [
  { match_id: 11, text: 'Paris' },
  { match_id: 12, text: 'Rome' },
];

const cases: [string, unknown, SavedAnswer, string][] = [
  ['no answer', question('multiple_choice', two), null, ''],
  ['a choice', question('multiple_choice', two), 2, 'Lyon'],
  ['a choice that is gone', question('multiple_choice', two), 9, ''],
  ['several choices', question('multiple_answers', two), [1, 2], 'Paris,Lyon'],
  ['a text', question('short_answer', two), '=Paris', '=Paris'],
  ['a number', question('numerical'), '4.5', '4.5'],
  ['an essay', question('essay'), '<p>One &amp; two</p>', 'One & two'],
  ['blanks', question('fill_in_multiple_blanks', two), { b: 'x' }, ',x'],
  ['choices of blanks', question('multiple_dropdowns', two), { a: 1, b: 2 }, 'Paris,Lyon'],
  ['matches', question('matching', items, matches), { 1: 12 }, 'France=>Rome,Italy=>'],
  ['files', question('file_upload'), [7, 8], '7,8'],
];

it.each(cases)('%s', (_, asked, given, expected) => expect(answerText(asked as never, given)).toBe(expected));
