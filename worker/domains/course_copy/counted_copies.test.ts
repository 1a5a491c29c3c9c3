import { expect, test } from 'vitest';
import { countedKinds } from './counted_copies';

test('an issue counts what was copied in words', () => {
  expect(
    countedKinds([
      { kind: 'file', count: 2 },
      { kind: 'quiz', count: 1 },
      { kind: 'quiz', count: 3 },
      { kind: 'discussion_topic', count: 4 },
    ]),
  ).toBe('2 files, 1 quiz, 3 quizzes, 4 discussion topics');
});
