// The rows of packaged quizzes.

import { expect, test } from 'vitest';
import { questionRow, quizAssignment, quizRow } from './quiz_rows';

const quiz = { identifier: 'q', title: 'Test', entries: [], time_limit: 20 };

test('a quiz is for practice and unpublished unless its package says otherwise', () => {
  expect(quizRow(quiz, undefined)).toMatchObject({
    title: 'Test',
    isPublished: false,
    settings: { quiz_type: 'practice_quiz', time_limit: 20 },
    issues: [],
  });
  const packaged = {
    identifier: 'q',
    title: 'Named',
    quiz_type: 'assignment',
    available: true,
    allowed_attempts: 3,
    due_at: '2026-01-08T06:59:00Z',
    time_limit: null,
  };
  expect(quizRow(quiz, packaged)).toMatchObject({
    title: 'Named',
    isPublished: true,
    due_at: '2026-01-08T06:59:00Z',
    settings: { quiz_type: 'assignment', allowed_attempts: 3, time_limit: 20 },
  });
});

test('settings that are not known and dates that contradict each other are reported', () => {
  const packaged = {
    identifier: 'q',
    scoring_policy: 'best',
    allowed_attempts: 2,
    unlock_at: '2026-02-01T00:00:00Z',
    lock_at: '2026-01-01T00:00:00Z',
  };
  const row = quizRow(quiz, packaged);
  expect(row).toMatchObject({ unlock_at: null, lock_at: null, settings: { scoring_policy: 'keep_highest' } });
  expect(row.issues.map(({ type }) => type)).toEqual(['warning', 'warning']);
});

test('HTML of questions, answers and comments is sanitised', () => {
  const hostile = '<b onclick="x()">b</b><script>x()</script>';
  const row = questionRow({
    identifier: 'i',
    question_name: 'n'.repeat(300),
    question_type: 'multiple_choice_question',
    question_text: hostile,
    points_possible: -1,
    data: { answers: [{ id: 1, weight: 100, html: hostile, comments_html: hostile, text: '<plain>' }], correct_comments_html: hostile },
  });
  expect(row.question_text).toBe('<b>b</b>');
  expect(row.data).toEqual({
    answers: [{ id: 1, weight: 100, html: '<b>b</b>', comments_html: '<b>b</b>', text: '<plain>' }],
    correct_comments_html: '<b>b</b>',
  });
  expect(row.question_name).toHaveLength(255);
  expect(row.points_possible).toBe(0);
});

test('the assignment of a quiz is graded as its package says, and always with points', () => {
  const given = { identifier: 'a', grading_type: 'letter_grade', hide_in_gradebook: true, post_to_sis: true };
  expect(quizAssignment(given)).toEqual({ grading_type: 'letter_grade', options: { hide_in_gradebook: true } });
  for (const grading_type of ['not_graded', 'stars', null, undefined])
    expect(quizAssignment({ identifier: 'a', grading_type })).toEqual({ grading_type: 'points', options: {} });
  expect(quizAssignment(undefined)).toEqual({ grading_type: 'points', options: {} });
});
