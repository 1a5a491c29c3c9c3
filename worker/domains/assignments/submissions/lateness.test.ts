import { expect, test } from 'vitest';
import { lateness } from './lateness';

const due_at = '2026-09-10T12:00:00Z';
const later = '2026-09-12T12:00:00Z';
const nothing = {
  submission_type: null,
  submitted_at: null,
  excused: false,
  late_policy_status: null,
  seconds_late_override: null,
  grader_id: null,
};
const text = { due_at, submission_types: ['online_text_entry'] };
const tool = { due_at, submission_types: ['external_tool'] };
const newQuiz = { ...tool, is_new_quiz: true };
const handedIn = (seconds: number, submission_type: string) => ({
  ...nothing,
  submission_type,
  submitted_at: new Date(Date.parse(due_at) + seconds * 1000).toISOString(),
});

test.each([
  ['nothing, of a text', nothing, text, { missing: true, late: false }],
  ['nothing, graded', { ...nothing, grader_id: 1 }, text, { missing: false }],
  ['nothing, of a tool', nothing, tool, { missing: false, late: false }],
  ['nothing, of a New Quiz', nothing, newQuiz, { missing: true, late: false }],
  ['a text half a minute late', handedIn(30, 'online_text_entry'), text, { late: true, seconds_late: 30 }],
  [
    'a quiz half a minute late',
    handedIn(30, 'online_quiz'),
    { due_at, submission_types: ['online_quiz'] },
    { late: false, seconds_late: 0 },
  ],
  ['a New Quiz half a minute late', handedIn(30, 'basic_lti_launch'), newQuiz, { late: false, seconds_late: 0 }],
  ['a New Quiz two minutes late', handedIn(120, 'basic_lti_launch'), newQuiz, { late: true, seconds_late: 60 }],
  ['excused', { ...nothing, excused: true }, text, { missing: false, late: false }],
  [
    'late by hand',
    { ...nothing, late_policy_status: 'late', seconds_late_override: 5 },
    text,
    { late: true, missing: false, seconds_late: 5 },
  ],
])('whether a submission is late or missing: %s', (_, submission, expected, is) => {
  expect(lateness(submission, expected, later)).toMatchObject(is);
});
