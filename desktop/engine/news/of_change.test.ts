// Case tables for news: the item before and after a change, and the expected news.

import { describe, expect, test } from 'vitest';
import type { NewsItem } from '../../contract/news';
import { newsWords } from '../../language/news';
import { changedWords } from '../text/compare';
import { changedPages } from '../text/extract/changed_pages';
import { together } from './grouped';
import { folded, type News, newsOf, paired, type Seeing } from './of_change';
import { isQuiet, quietSince, quietUntil } from './quiet';
import { remind } from './reminders';

const me = 7;
const told = (kind: Seeing['kind'], before: object | undefined, after: object | undefined): News[] =>
  newsOf({
    kind,
    id: 1,
    course_id: 5,
    before: before as never,
    after: after as never,
    me,
    titleOf: (kind, id) => (kind === 'assignment' && id === 1 ? 'Essay' : kind === 'folder' ? `Folder ${id}` : undefined),
  });

const essay = {
  id: 1,
  course_id: 5,
  name: 'Essay',
  due_at: '2026-11-20T10:00:00Z',
  points_possible: 10,
  description: '<p>Two pages.</p>',
  lock_at: null,
};
const work = { id: 9, assignment_id: 1, workflow_state: 'submitted', grade: null, score: null, missing: false, submission_comments: [] };
const comment = (id: number, author_id: number, words: string) => ({
  id,
  author_id,
  author_name: 'T. Eacher',
  comment: words,
  created_at: 'x',
});
const page = { page_id: 1, url: 'tides', title: 'Tides', body: '<p>Twice a day.</p>' };
const file = { id: 1, folder_id: 1, display_name: 'slides.pdf', size: 1, sha256: 'a' };
const topic = { id: 1, title: 'Stones', message: '<p>What?</p>', unread_count: 1, is_announcement: false };
const letter = { id: 1, subject: 'Hello', workflow_state: 'unread', last_message: 'Shall we?', last_message_at: 'b', message_count: 3 };
const module = { id: 1, name: 'Week 1', position: 1, state: 'locked', items: [{ id: 1, type: 'Page', title: 'Tides' }] };
const lecture = { id: 1, title: 'Lecture', start_at: '2026-11-20T10:00:00Z' };

const cases: readonly (readonly [string, Seeing['kind'], object | undefined, object | undefined, readonly object[]])[] = [
  [
    'a due date moved',
    'assignment',
    essay,
    { ...essay, due_at: '2026-11-22T10:00:00Z' },
    [{ what: 'due', title: 'Essay', from: essay.due_at, to: '2026-11-22T10:00:00Z' }],
  ],
  ['a due date removed', 'assignment', essay, { ...essay, due_at: null }, [{ what: 'due', from: essay.due_at, to: null }]],
  ['an end date added', 'assignment', essay, { ...essay, lock_at: 'z' }, [{ what: 'closes', from: null, to: 'z' }]],
  ['points changed', 'assignment', essay, { ...essay, points_possible: 20 }, [{ what: 'points', from: '10', to: '20' }]],
  ['text changed', 'assignment', essay, { ...essay, description: '<p>Three pages.</p>' }, [{ what: 'text' }]],
  ['the same text with other markup', 'assignment', essay, { ...essay, description: '<div>Two <b>pages.</b></div>' }, []],
  ['unlocked', 'assignment', { ...essay, locked_for_user: true }, { ...essay, locked_for_user: false }, [{ what: 'opened' }]],
  [
    'a rubric changed',
    'assignment',
    { ...essay, rubric: [{ id: 'a' }] },
    { ...essay, rubric: [{ id: 'a' }, { id: 'b' }] },
    [{ what: 'rubric' }],
  ],
  [
    'renamed',
    'assignment',
    essay,
    { ...essay, name: 'Long essay' },
    [{ what: 'renamed', from: 'Essay', to: 'Long essay', title: 'Long essay' }],
  ],
  ['a new assignment', 'assignment', undefined, essay, [{ what: 'assignment new', to: essay.due_at }]],
  ['an assignment removed', 'assignment', essay, undefined, [{ what: 'gone', title: 'Essay' }]],
  ['fields that only the server counts', 'assignment', essay, { ...essay, position: 3, updated_at: 'y' }, []],
  [
    'a grade',
    'submission',
    work,
    { ...work, grade: 'A', score: 9 },
    [{ what: 'grade', of: 'assignment', of_id: 1, title: 'Essay', to: 'A' }],
  ],
  ['a grade by score alone', 'submission', work, { ...work, score: 9 }, [{ what: 'grade', to: '9' }]],
  ['grade changed', 'submission', { ...work, grade: 'B' }, { ...work, grade: 'A' }, [{ what: 'grade changed', from: 'B', to: 'A' }]],
  ['a grade removed', 'submission', { ...work, grade: 'B' }, work, [{ what: 'grade gone', from: 'B' }]],
  ['an excuse removed', 'submission', { ...work, excused: true }, work, [{ what: 'excuse gone' }]],
  ['a submission that a teacher marks as late', 'submission', { ...work, late: false }, { ...work, late: true }, [{ what: 'late' }]],
  ['the user’s own late submission', 'submission', { ...work, late: false }, { ...work, attempt: 1, submitted_at: 'x', late: true }, []],
  [
    'a comment of someone else',
    'submission',
    work,
    { ...work, submission_comments: [comment(1, 2, 'Well done')] },
    [{ what: 'comment', who: 'T. Eacher', words: 'Well done' }],
  ],
  ['the user’s own comment', 'submission', work, { ...work, submission_comments: [comment(1, me, 'Please')] }, []],
  [
    'an existing comment',
    'submission',
    { ...work, submission_comments: [comment(1, 2, 'x')] },
    { ...work, submission_comments: [comment(1, 2, 'x')] },
    [],
  ],
  ['excused', 'submission', work, { ...work, excused: true }, [{ what: 'excused' }]],
  ['missing', 'submission', work, { ...work, missing: true }, [{ what: 'missing' }]],
  ['the user’s own submission', 'submission', { ...work, workflow_state: 'unsubmitted' }, { ...work, attempt: 1, submitted_at: 'x' }, []],
  ['the text of a page', 'page', page, { ...page, body: '<p>Thrice a day.</p>' }, [{ what: 'text', title: 'Tides' }]],
  ['a new page', 'page', undefined, page, [{ what: 'page new' }]],
  ['new file content', 'file', file, { ...file, sha256: 'b' }, [{ what: 'file replaced', title: 'slides.pdf' }]],
  ['a file moved to another folder', 'file', file, { ...file, folder_id: 2 }, [{ what: 'file moved', from: 'Folder 1', to: 'Folder 2' }]],
  ['a file renamed', 'file', file, { ...file, display_name: 'lecture.pdf' }, [{ what: 'renamed', from: 'slides.pdf', to: 'lecture.pdf' }]],
  ['replies', 'discussion_topic', topic, { ...topic, unread_count: 3 }, [{ what: 'replies', count: 2 }]],
  ['replies read on another device', 'discussion_topic', topic, { ...topic, unread_count: 0 }, []],
  ['a discussion', 'discussion_topic', undefined, topic, [{ what: 'discussion new' }]],
  [
    'an announcement',
    'discussion_topic',
    undefined,
    { ...topic, is_announcement: true, posted_at: 'x', author: { display_name: 'Holm' } },
    [{ what: 'announcement', to: 'x', who: 'Holm' }],
  ],
  [
    'a message',
    'conversation',
    { ...letter, workflow_state: 'read', last_message_at: 'a', message_count: 2 },
    letter,
    [{ what: 'message', count: 1, words: 'Shall we?' }],
  ],
  ['the user’s own message', 'conversation', letter, { ...letter, workflow_state: 'read', last_message_at: 'c' }, []],
  ['a module unlocked', 'module', module, { ...module, state: 'unlocked' }, [{ what: 'opened', title: 'Week 1' }]],
  [
    'module items added',
    'module',
    module,
    { ...module, items: [...module.items, { id: 2 }, { id: 3 }] },
    [{ what: 'module items', count: 2 }],
  ],
  ['an event moved', 'calendar_event', lecture, { ...lecture, start_at: 'z' }, [{ what: 'event moved', from: lecture.start_at, to: 'z' }]],
  ['an event cancelled', 'calendar_event', lecture, undefined, [{ what: 'event gone', title: 'Lecture' }]],
  ['a course', 'course', undefined, { id: 5, name: 'Biology' }, [{ what: 'course new', title: 'Biology' }]],
  ['a folder', 'folder', undefined, { id: 1, name: 'x' }, []],
  ['a folder renamed', 'folder', { id: 1, name: 'x' }, { id: 1, name: 'y' }, [{ what: 'renamed', from: 'x', to: 'y' }]],
  ['a start date moved', 'assignment', { ...essay, unlock_at: 'a' }, { ...essay, unlock_at: 'b' }, [{ what: 'opens', from: 'a', to: 'b' }]],
  [
    'attempts and submission types changed',
    'assignment',
    { ...essay, allowed_attempts: -1, submission_types: ['online_url'] },
    { ...essay, allowed_attempts: 2, submission_types: ['online_upload', 'online_url'] },
    [{ what: 'attempts', to: '2' }, { what: 'handing in' }],
  ],
  [
    'a group weight changed',
    'assignment_group',
    { id: 1, name: 'Labs', group_weight: 20 },
    { id: 1, name: 'Labs', group_weight: 30 },
    [{ what: 'weight', title: 'Labs', from: '20', to: '30' }],
  ],
  [
    'a syllabus',
    'course',
    { id: 5, name: 'Biology', syllabus_body: '<p>One.</p>' },
    { id: 5, name: 'Biology', syllabus_body: '<p>Two.</p>' },
    [{ what: 'syllabus' }],
  ],
  ['a group', 'group', undefined, { id: 3, name: 'Divers' }, [{ what: 'group new', title: 'Divers' }]],
  ['a group that the user left', 'group', { id: 3, name: 'Divers' }, undefined, [{ what: 'group gone' }]],
  [
    'another section',
    'enrollment',
    { id: 1, type: 'StudentEnrollment', user_id: me, course_section_id: 1 },
    { id: 1, type: 'StudentEnrollment', user_id: me, course_section_id: 2 },
    [{ what: 'section' }],
  ],
  ['a page that the user edited', 'page', page, { ...page, body: '<p>Thrice.</p>', last_edited_by: { id: me } }, []],
  ['a page unlocked', 'page', { ...page, body: undefined, locked_for_user: true }, page, [{ what: 'opened' }]],
  ['a discussion that the user started', 'discussion_topic', undefined, { ...topic, author: { id: me } }, []],
  ['a graded discussion, which is reported as its assignment', 'discussion_topic', undefined, { ...topic, assignment_id: 4 }, []],
  ['a module removed', 'module', module, undefined, [{ what: 'gone', title: 'Week 1' }]],
  ['a module renamed', 'module', module, { ...module, name: 'Week 2' }, [{ what: 'renamed', from: 'Week 1' }]],
  ['module items removed', 'module', module, { ...module, items: [] }, [{ what: 'module left', count: 1 }]],
  [
    'requirements changed',
    'module',
    module,
    { ...module, items: module.items.map((item) => ({ ...item, completion_requirement: { type: 'must_view' } })) },
    [{ what: 'requirements', count: 1, titles: ['Tides'] }],
  ],
  [
    'a location changed',
    'calendar_event',
    { ...lecture, location_name: 'Room 4' },
    { ...lecture, location_name: 'Room 5' },
    [{ what: 'event place', from: 'Room 4', to: 'Room 5' }],
  ],
  ['the user’s own note', 'planner_note', undefined, { id: 1, title: 'x' }, []],
];

test.each(cases)('%s', (_name, kind, before, after, expected) => {
  expect(told(kind, before, after)).toMatchObject(expected);
  expect(told(kind, before, after)).toHaveLength(expected.length);
});

describe('several changes', () => {
  const due = (from: string | null, to: string | null) =>
    told('assignment', { ...essay, due_at: from }, { ...essay, due_at: to })[0] as News;
  test('of one date become one, from the first value to the last', () =>
    expect(folded(due('a', 'b'), due('b', 'c'))).toMatchObject({ from: 'a', to: 'c' }));
  test('that cancel out are dropped', () => expect(folded(due('a', 'b'), due('b', 'a'))).toBeUndefined());
  test('of replies are added up', () => {
    const [more] = told('discussion_topic', topic, { ...topic, unread_count: 3 }) as [News];
    expect(folded(more, more)).toMatchObject({ count: 4 });
  });
  test('that delete a file and add one of the same name become a replacement', () => {
    const news = [
      ...told('file', file, undefined),
      ...told('file', undefined, { ...file, id: 2, sha256: 'b' }),
      ...told('page', undefined, page),
    ];
    expect(paired(news).map(({ what }) => what)).toEqual(['file replaced', 'page new']);
  });
});

describe('one line', () => {
  let id = 0;
  const lines = (news: readonly News[]) =>
    together(news.map((one) => ({ ...one, id: ++id, at: 'x' }))).map(({ what, count }) => `${what} ${count}`);
  const files = (count: number, folder_id = 1) =>
    Array.from({ length: count }, (_, nth) => told('file', undefined, { ...file, folder_id, display_name: `${nth}.pdf` })).flat();
  test('groups many files of one folder', () =>
    expect(lines([...files(20), ...files(3, 2)])).toEqual(['file new 20', ...Array(3).fill('file new 0')]));
  test('groups dates moved by the same number of days', () => {
    const moved = (day: number) => told('assignment', essay, { ...essay, due_at: `2026-11-${day}T10:00:00Z` });
    expect(lines([...[22, 22, 22, 22, 25].flatMap(moved)])).toEqual(['due 4', 'due 0']);
  });
  test('groups a module with the items added to it or opened with it; an assignment has its own line', () => {
    const fresh = {
      ...module,
      items: [
        { id: 1, type: 'Page', title: 'Tides' },
        { id: 2, type: 'Assignment', title: 'Essay' },
      ],
    };
    expect(lines([...told('module', undefined, fresh), ...told('page', undefined, page), ...told('assignment', undefined, essay)])).toEqual(
      ['module new 2', 'assignment new 0'],
    );
    const opens = { ...page, body: undefined, locked_for_user: true };
    expect(lines([...told('module', module, { ...module, state: 'unlocked' }), ...told('page', opens, page)])).toEqual(['opened 0']);
    expect(lines([...told('module', { ...module, items: [] }, module), ...told('page', undefined, page)])).toEqual(['page new 0']);
  });
});

test.each([
  ['words added', '<p>One two.</p>', '<p>One and two.</p>', { inserted: 1, deleted: 0, paragraphs_added: 0, paragraphs_removed: 0 }],
  ['a paragraph removed', '<p>One.</p><p>Two.</p>', '<p>One.</p>', { inserted: 0, deleted: 0, paragraphs_added: 0, paragraphs_removed: 1 }],
  ['markup changed', '<p>One</p>', '<div>One</div>', { inserted: 0, deleted: 0, paragraphs_added: 0, paragraphs_removed: 0 }],
])('the changed words of a text %s', (_what, before, after, expected) => expect(changedWords(before, after)).toEqual(expected));

test.each([
  ['a changed slide', ['a', 'b', 'c'], ['a', 'x', 'c'], { changed: [2], added: 0, removed: 0 }],
  ['one of two similar pages', ['1 a', '2 a', '3 x', '4 a'], ['1 a', '2 y', '3 a', '4 a'], { changed: [2, 3], added: 0, removed: 0 }],
  ['a page inserted', ['1 a', '2 b', '3 c'], ['1 a', '2 x', '3 b', '4 c'], { changed: [], added: 1, removed: 0 }],
  ['a page removed', ['a', 'b'], ['a'], { changed: [], added: 0, removed: 1 }],
  ['nothing', ['a'], ['a'], undefined],
  ['everything', ['a', 'b'], ['x', 'y'], undefined],
])('the changed pages of a file %s', (_what, before, after, expected) =>
  expect(changedPages({ pages: before }, { pages: after })).toEqual(expected),
);

const scan = { pages: ['', '', ''], drawn: ['p', 'q', 'r'] };
const slides = { pages: ['a', 'b', 'c', 'd'], drawn: ['p', 'q', 'r', 's'] };
test.each([
  ['another image in a scan', scan, { ...scan, drawn: ['p', 'x', 'r'] }, { changed: [2], added: 0, removed: 0 }],
  ['a page inserted in a scan', scan, { pages: ['', '', '', ''], drawn: ['p', 'x', 'q', 'r'] }, { changed: [], added: 1, removed: 0 }],
  [
    'one slide with other words, and one with another image',
    slides,
    { pages: ['a', 'x', 'c', 'd'], drawn: ['p', 'q', 'r', 'y'] },
    { changed: [2, 4], added: 0, removed: 0 },
  ],
  [
    'every page redrawn, and one with other words',
    slides,
    { pages: ['a', 'x', 'c', 'd'], drawn: ['1', '2', '3', '4'] },
    { changed: [2], added: 0, removed: 0 },
  ],
  ['nothing known of one version', { pages: slides.pages }, { ...slides, drawn: ['1', 'q', 'r', 's'] }, undefined],
])('the changed drawing on pages: %s', (_what, before, after, expected) => expect(changedPages(before, after)).toEqual(expected));

describe('a notification', () => {
  const item = (id: number, what: NewsItem['what']): NewsItem => ({
    ...(told('assignment', undefined, essay)[0] as News),
    id,
    what,
    course_name: null,
    at: 'x',
  });
  test.each([
    ['12:00', null, false],
    ['23:00', { from: '22:00', to: '07:00' }, true],
    ['06:59', { from: '22:00', to: '07:00' }, true],
    ['07:00', { from: '22:00', to: '07:00' }, false],
    ['13:00', { from: '12:00', to: '14:00' }, true],
    ['11:59', { from: '12:00', to: '14:00' }, false],
    ['11:59', { from: '12:00', to: '12:00' }, false],
  ] as const)('at %s with the quiet hours %j: %s', (hour, quiet, expected) => {
    const [hours, minutes] = hour.split(':').map(Number);
    expect(isQuiet(quiet, new Date(2026, 10, 20, hours, minutes))).toBe(expected);
  });

  test('waits for the end of the quiet hours, on the next day where they pass midnight', () => {
    const night = { from: '22:00', to: '07:00' };
    const late = new Date(2026, 10, 20, 23, 0);
    const early = new Date(2026, 10, 21, 6, 0);
    expect([quietUntil(night, late), quietUntil(night, early)]).toEqual([new Date(2026, 10, 21, 7, 0), new Date(2026, 10, 21, 7, 0)]);
    expect([quietSince(night, late), quietSince(night, early)]).toEqual([new Date(2026, 10, 20, 22, 0), new Date(2026, 10, 20, 22, 0)]);
  });

  describe('for due work', () => {
    const quiet = { from: '22:00', to: '07:00' };
    const due = (day: number, hours: number, minutes = 0) => [
      {
        course_id: 5,
        assignment_id: 1,
        title: 'Essay',
        course_name: null,
        due_at: new Date(2026, 10, day, hours, minutes).toISOString(),
      },
    ];
    const now = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes);
    test.each([
      ['a day before', due(21, 12), now(20, 11, 59), now(20, 12)],
      ['a day before, after the quiet hours', due(22, 23, 59), now(21, 22), now(22, 7)],
      ['an hour before, and before quiet hours that would end too late', due(20, 23, 59), now(20, 12), now(20, 21, 45)],
    ] as const)('%s', (_when, work, before, at) => {
      const waiting = remind(work, [], quiet, before);
      expect(waiting.again && waiting.say.length === 0 ? waiting.again : remind(work, waiting.said, quiet, before).again).toEqual(at);
      expect(remind(work, waiting.said, quiet, at).say).toHaveLength(1);
    });
    test('is shown once for a passed moment, and not once the assignment is over', () => {
      const { say, said } = remind(due(20, 12), [], quiet, now(20, 11, 30));
      expect(say).toHaveLength(1);
      expect(remind(due(20, 12), said, quiet, now(20, 11, 45)).say).toEqual([]);
      expect(remind(due(20, 12), [], quiet, now(20, 12)).say).toEqual([]);
      // A new due date is a new notification.
      expect(remind(due(20, 12, 10), said, quiet, now(20, 11, 45)).say).toHaveLength(1);
    });
  });

  test.each([
    ['due', '2026-11-20T10:00:00Z', '2026-11-22T12:00:00Z', /^Due date moved by 2 days, later: /],
    ['due', '2026-11-22T10:00:00Z', '2026-11-21T12:00:00Z', /^Due date moved by 1 day, earlier: /],
    ['due', '2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z', /^Due later that day: /],
    ['due', null, '2026-11-20T12:00:00Z', /^Due .*; it had no due date before$/],
    ['due', '2026-11-20T10:00:00Z', null, /^No longer has a due date$/],
    ['grade', null, 'A', /^Grade published: A$/],
  ] as const)('%s from %s to %s reads %s', (what, from, to, words) => {
    expect(newsWords({ ...item(1, what), from, to }, new Date(2026, 10, 20, 12, 0))).toMatch(words);
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
  ] as const)('%s with %j reads: %s', (what, given, words) => expect(newsWords({ ...item(1, what), ...given })).toBe(words));
});
