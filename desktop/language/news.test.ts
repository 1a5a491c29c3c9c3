// News in words.

import { describe, expect, test } from 'vitest';
import type { NewsItem } from '../contract/news';
import { newsWords } from './news';

const itemOf = (what: NewsItem['what']): NewsItem => ({
  id: 1,
  what,
  of: 'assignment',
  of_id: 1,
  course_id: 5,
  course_name: null,
  title: 'Essay',
  from: null,
  to: null,
  count: 0,
  who: null,
  words: null,
  at: 'x',
});

describe('a notification', () => {
  test.each([
    ['due', '2026-11-20T10:00:00Z', '2026-11-22T12:00:00Z', /^Due date moved by 2 days, later: /],
    ['due', '2026-11-22T10:00:00Z', '2026-11-21T12:00:00Z', /^Due date moved by 1 day, earlier: /],
    ['due', '2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z', /^Due later that day: /],
    ['due', null, '2026-11-20T12:00:00Z', /^Due .*; it had no due date before$/],
    ['due', '2026-11-20T10:00:00Z', null, /^No longer has a due date$/],
    ['grade', null, 'A', /^Grade published: A$/],
  ] as const)('%s from %s to %s reads %s', (what, from, to, words) => {
    expect(newsWords({ ...itemOf(what), from, to }, new Date(2026, 10, 20, 12, 0))).toMatch(words);
  });

  const text = { inserted: 8, deleted: 0, paragraphs_added: 0, paragraphs_removed: 1 };

  test.each([
    ['text', { text }, 'Text: a paragraph removed · 8 words added'],
    ['syllabus', { text: { ...text, paragraphs_removed: 0 } }, 'Syllabus: 8 words added'],
    [
      'rubric',
      { rows: { added: ['Method'], removed: [], changed: ['Style', 'Sources'] } },
      'Rubric row added: “Method” · 2 rubric rows changed: “Style” and “Sources”',
    ],
    ['file new', { count: 20, titles: ['a'] }, '20 new files'],
    ['due', { count: 4, titles: ['a'], from: '2026-11-20T10:00:00Z', to: '2026-11-27T10:00:00Z' }, '4 due dates moved by 7 days, later'],
    ['weight', { from: '20', to: '30' }, 'Counts 30 % of the grade instead of 20 %'],
    ['attempts', { from: '-1', to: '2' }, 'You have 2 attempts now'],
    ['message', { count: 1, who: 'Holm' }, 'New message from Holm'],
    ['answer', { who: 'Holm' }, 'New reply to you by Holm'],
    ['comment', { who: 'Holm', student: { id: 9, name: 'Maya' } }, 'Maya: New comment on the work by Holm'],
    ['grade', { to: 'A', student: { id: 9, name: 'Maya' } }, 'Maya: Grade published: A'],
  ] as const)('%s with %j reads: %s', (what, given, words) => expect(newsWords({ ...itemOf(what), ...given })).toBe(words));
});
