// Case tables for news: the item before and after a change, and the expected news.

import { describe, expect, test } from 'vitest';
import { sampleNews } from '../../../test/support/sample_news';
import { foldNews, type NewsDraft, paired, type Seeing } from './of_change';

const { me, result, essay, page, file, module } = sampleNews;

const work = { id: 9, assignment_id: 1, workflow_state: 'submitted', grade: null, score: null, missing: false, submission_comments: [] };

const comment = (id: number, author_id: number, words: string) => ({
  id,
  author_id,
  author_name: 'T. Eacher',
  comment: words,
  created_at: 'x',
});

const topic = { id: 1, title: 'Stones', message: '<p>What?</p>', unread_count: 1, is_announcement: false };

const message = { id: 1, subject: 'Hello', workflow_state: 'unread', last_message: 'Shall we?', last_message_at: 'b', message_count: 3 };

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
  [
    'a grade of an observed student',
    'submission',
    { ...work, user_id: 9 },
    { ...work, user_id: 9, grade: 'A' },
    [{ what: 'grade', to: 'A', student: { id: 9, name: 'Maya' } }],
  ],
  ['a grade of a student whom the user teaches', 'submission', { ...work, user_id: 8 }, { ...work, user_id: 8, grade: 'A' }, []],
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
    { ...message, workflow_state: 'read', last_message_at: 'a', message_count: 2 },
    message,
    [{ what: 'message', count: 1, words: 'Shall we?' }],
  ],
  ['the user’s own message', 'conversation', message, { ...message, workflow_state: 'read', last_message_at: 'c' }, []],
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
  expect(result(kind, before, after)).toMatchObject(expected);
  expect(result(kind, before, after)).toHaveLength(expected.length);
});

describe('several changes', () => {
  const due = (from: string | null, to: string | null) =>
    result('assignment', { ...essay, due_at: from }, { ...essay, due_at: to })[0] as NewsDraft;
  test('of one date become one, from the first value to the last', () =>
    expect(foldNews(due('a', 'b'), due('b', 'c'))).toMatchObject({ from: 'a', to: 'c' }));
  test('that cancel out are dropped', () => expect(foldNews(due('a', 'b'), due('b', 'a'))).toBeUndefined());
  test('of replies are added up', () => {
    const [more] = result('discussion_topic', topic, { ...topic, unread_count: 3 }) as [NewsDraft];
    expect(foldNews(more, more)).toMatchObject({ count: 4 });
  });
  test('that delete a file and add one of the same name become a replacement', () => {
    const news = [
      ...result('file', file, undefined),
      ...result('file', undefined, { ...file, id: 2, sha256: 'b' }),
      ...result('page', undefined, page),
    ];
    expect(paired(news).map(({ what }) => what)).toEqual(['file replaced', 'page new']);
  });
});
