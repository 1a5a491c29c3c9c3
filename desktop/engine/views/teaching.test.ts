// What waits for people who teach, and whose work is in which list.

import type { Kind } from '@carrel/shared/sync/protocol';
import { expect, test } from 'vitest';
import { Outbox } from '../outbox/outbox';
import { openCache } from '../store/cache';
import { UserStore } from '../store/user';
import { courseCards, moduleViews } from './courses';
import { conversationCards } from './inbox';
import { plannerEntries } from './planner';
import { taughtAssignments, teachingView } from './teaching';

const me = 7;
const now = () => new Date('2026-11-20T09:00:00Z');

type Rows = readonly (readonly [kind: Kind, course: number | null, json: { readonly id: number } & Readonly<Record<string, unknown>>])[];

function aDesk(rows: Rows) {
  const cache = openCache(':memory:');
  cache.owner = me;
  for (const [kind, course, json] of rows) cache.put(kind, json.id, json, course ?? undefined);
  const user = new UserStore(':memory:', now);
  return { cache, user, outbox: new Outbox(user, now), signedIn: { url: 'https://x.example', user_id: me, name: 'Thea' } };
}

const enrolled = (id: number, course: number, type: string) => ['enrollment', course, { id, type, user_id: me }] as const;
const essay = { id: 1, course_id: 5, name: 'Essay', due_at: '2026-11-18T10:00:00Z', points_possible: 20, needs_grading_count: 3 };
const teaching: Rows = [
  ['course', null, { id: 5, name: 'Taught' }],
  enrolled(1, 5, 'TeacherEnrollment'),
  ['assignment', 5, essay],
  ['assignment', 5, { ...essay, id: 2, name: 'Talk', due_at: null, needs_grading_count: 1 }],
  ['assignment', 5, { ...essay, id: 3, name: 'Early', due_at: '2026-11-10T10:00:00Z', needs_grading_count: 2 }],
  ['assignment', 5, { ...essay, id: 4, name: 'Later', needs_grading_count: 0, published: false, has_overrides: true }],
  ['discussion_topic', 5, { id: 30, title: 'Early', assignment_id: 3 }],
  ['discussion_topic', 5, { id: 31, title: 'Questions', unread_count: 2, last_reply_at: '2026-11-19T10:00:00Z' }],
  ['discussion_topic', 5, { id: 32, title: 'Read', unread_count: 0 }],
  [
    'module',
    5,
    {
      id: 60,
      name: 'Week 1',
      position: 1,
      state: 'started',
      items: [{ id: 61, type: 'Page', title: 'x', completion_requirement: { type: 'must_mark_done' } }],
    },
  ],
];
const studying: Rows = [
  ['course', null, { id: 6, name: 'Studied' }],
  enrolled(2, 6, 'StudentEnrollment'),
  ['assignment', 6, { ...essay, id: 8, course_id: 6, name: 'Own essay', needs_grading_count: undefined }],
];

test('work to grade comes by due date, and a graded discussion opens as the discussion', () => {
  const view = teachingView(aDesk(teaching));
  expect(view?.to_grade.map(({ title, count }) => [title, count])).toEqual([
    ['Early', 2],
    ['Essay', 3],
    ['Talk', 1],
  ]);
  expect(view?.to_grade.map(({ open }) => open)).toMatchObject([
    { kind: 'discussion_topic', id: 30 },
    { kind: 'assignment', id: 1 },
    { id: 2 },
  ]);
});

test('discussions with unread replies are listed until the replies were read here', () => {
  const desk = aDesk(teaching);
  expect(teachingView(desk)?.discussions).toMatchObject([{ title: 'Questions', unread: 2, course_name: 'Taught' }]);
  desk.outbox.readEntries({ course_id: 5, topic_id: 31, entry_ids: [1, 2] });
  expect(teachingView(desk)?.discussions).toEqual([]);
});

test('who teaches nothing has no such view, and who also studies has both', () => {
  expect(teachingView(aDesk(studying))).toBeNull();
  expect(teachingView(aDesk(teaching))?.beside).toBeNull();
  const both = aDesk([...teaching, ...studying]);
  expect(teachingView(both)).toMatchObject({ beside: 'studies', to_grade: [{ course_name: 'Taught' }, {}, {}] });
  const taught = plannerEntries(both).map(({ title, taught: isTaught }) => [title, isTaught]);
  expect(taught).toContainEqual(['Own essay', false]);
  expect(taught).toContainEqual(['Essay', true]);
  expect(courseCards(both).map(({ name, role }) => [name, role])).toEqual([
    ['Studied', 'studies'],
    ['Taught', 'teaches'],
  ]);
});

test('a student who also teaches a course has both in it', () => {
  const desk = aDesk([...teaching, enrolled(3, 5, 'StudentEnrollment')]);
  expect(teachingView(desk)).toMatchObject({ beside: 'studies', to_grade: [{ count: 2 }, { count: 3 }, { count: 1 }] });
  expect(plannerEntries(desk).every(({ taught }) => !taught)).toBe(true);
});

test('the assignments of a taught course have dates, points, state and what waits to be graded', () => {
  expect(taughtAssignments(aDesk(teaching), 5)).toMatchObject([
    { title: 'Early', to_grade: 2, published: true },
    { title: 'Essay', due_at: essay.due_at, points_possible: 20, to_grade: 3, has_other_dates: false },
    { title: 'Later', to_grade: 0, published: false, has_other_dates: true },
    { title: 'Talk', due_at: null, to_grade: 1 },
  ]);
});

test('requirements of modules are for students only', () => {
  expect(moduleViews(aDesk(teaching), 5)).toMatchObject([{ state: null, items: [{ requirement: null, completed: null }] }]);
});

test('a conversation is unanswered while the last message is another person’s', () => {
  const message = { subject: 'Hello', workflow_state: 'read', last_message_at: '2026-11-19T10:00:00Z', last_authored_message_at: null };
  const desk = aDesk([
    ['conversation', null, { id: 1, ...message }],
    ['conversation', null, { id: 2, ...message, last_authored_message_at: '2026-11-19T10:00:00Z' }],
    ['conversation', null, { id: 3, ...message, cannot_reply: true }],
  ]);
  const unanswered = () =>
    conversationCards(desk)
      .filter((card) => card.unanswered)
      .map(({ id }) => id);
  expect(unanswered()).toEqual([1]);
  desk.outbox.write({ conversation_id: 1, text: 'Yes', files: [] });
  expect(unanswered()).toEqual([]);
});
