import { expect, test } from 'vitest';
import { mayTryAgain } from './attempts';

const unlimited = { allowed_attempts: -1 };
const once = { allowed_attempts: 1 };

test.each([
  ['unlimited', unlimited, { attempt: 99, extra_attempts: null }, 'online_upload', true],
  ['the first of one', once, undefined, 'online_upload', true],
  ['the first of one, after a grade', once, { attempt: null, extra_attempts: null }, 'online_url', true],
  ['the second of one', once, { attempt: 1, extra_attempts: null }, 'online_text_entry', false],
  ['the second of one, with an extra attempt', once, { attempt: 1, extra_attempts: 1 }, 'online_text_entry', true],
  ['the third of one, with an extra attempt', once, { attempt: 2, extra_attempts: 1 }, 'student_annotation', false],
  ['a type without attempts', once, { attempt: 5, extra_attempts: null }, 'media_recording', true],
] as const)('%s', (_, assignment, used, type, may) => {
  expect(mayTryAgain(assignment, used, type)).toBe(may);
});
