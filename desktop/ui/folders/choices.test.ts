// What is sent of a plan.

import { expect, test } from 'vitest';
import type { PlannedChange } from '../../contract/grading_folders.ts';
import { chosenIn, shareChosen, usualChoices } from './choices.ts';

const change = (key: string, more: Partial<PlannedChange> = {}): PlannedChange => ({
  key,
  name: key,
  members: '',
  row: 2,
  from: { grade: null, excused: false },
  to: { grade: '8', excused: false },
  comment: null,
  files: [],
  for_attempt: null,
  conflict: null,
  ...more,
});
const conflict = { why: 'graded meanwhile', grade: '3', excused: false, grader: null } as const;
const assignment = { assignment_id: 1, title: 'Essay', changes: [change('a'), change('b'), change('c', { conflict })], problems: [] };
const plan = { id: 'p', is_offline: false, assignments: [assignment] };

test('everything is chosen but conflicts, which are sent only after a decision', () => {
  expect(chosenIn(plan, usualChoices(plan))).toEqual({ a: 'send', b: 'send' });
  expect(chosenIn(plan, { ...usualChoices(plan), a: undefined, c: 'theirs' })).toEqual({ b: 'send', c: 'theirs' });
  expect(chosenIn(plan, { unknown: 'send' })).toEqual({});
});

test('the box of an assignment is checked if all of its students are, and mixed if some are', () => {
  expect(shareChosen(assignment, { a: 'send', b: 'send' })).toBe('all');
  expect(shareChosen(assignment, { a: 'send', c: 'mine' })).toBe('some');
  expect(shareChosen(assignment, { c: 'mine' })).toBe('none');
});
