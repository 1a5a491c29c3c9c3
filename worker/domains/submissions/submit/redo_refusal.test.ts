import { expect, test } from 'vitest';
import { redoRefusal } from './redo_refusal';

const essay = { submission_types: ['online_text_entry'], allowed_attempts: 2 };
const first = { attempt: 1, extra_attempts: null, excused: false };

test.each([
  ['an attempt is left', essay, first, false, undefined],
  ['attempts are unlimited', { ...essay, allowed_attempts: -1 }, { ...first, attempt: 9 }, false, undefined],
  ['an extra attempt is left', essay, { ...first, attempt: 2, extra_attempts: 1 }, false, undefined],
  ['discussions have no attempts', { submission_types: ['discussion_topic'], allowed_attempts: 1 }, first, false, undefined],
  ['no attempt is left', essay, { ...first, attempt: 2 }, false, /no attempts left/],
  ['nothing was submitted', essay, undefined, false, /not submitted/],
  ['only a grade was given', essay, { ...first, attempt: null }, false, /not submitted/],
  ['the student is excused', essay, { ...first, excused: true }, false, /excused/],
  ['the grading period is closed', essay, first, true, /closed grading period/],
] as const)('whether a student can be asked to submit again: %s', (_, assignment, submitted, isClosed, expected) => {
  const refusal = redoRefusal(assignment, submitted, isClosed);
  if (expected === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toMatch(expected);
});
