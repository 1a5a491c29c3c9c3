// What an observer of two students sees of each, and cannot change.

import type { Kind } from '@carrel/shared/sync/protocol';
import { expect, test } from 'vitest';
import { Outbox } from '../outbox/outbox';
import { see } from '../outbox/seen';
import { openCache } from '../store/cache';
import { UserStore } from '../store/user';
import { courseCards, studentChoices } from '../views/courses';
import { gradesView } from '../views/grades';
import { plannerEntries } from '../views/planner';
import { reading } from '../views/reading';
import { workView } from '../views/work';
import { chooseStudent } from './observing';

const me = 7;
const [maya, leo] = [
  { id: 21, name: 'Maya' },
  { id: 22, name: 'Leo' },
] as const;
const now = () => new Date('2026-11-20T09:00:00Z');

type Rows = readonly (readonly [kind: Kind, course: number | null, json: { readonly id: number } & Readonly<Record<string, unknown>>])[];

const observes = (id: number, course: number, student: { readonly id: number; readonly name: string }, current_score: number) =>
  [
    'enrollment',
    course,
    {
      id,
      type: 'ObserverEnrollment',
      user_id: me,
      associated_user_id: student.id,
      observed_user: { ...student, enrollments: [{ id: 100 + id, type: 'StudentEnrollment', grades: { current_score } }] },
    },
  ] as const;
const submission = (id: number, course: number, assignment_id: number, user_id: number, more: object) =>
  ['submission', course, { id, assignment_id, user_id, workflow_state: 'unsubmitted', missing: false, ...more }] as const;
const comment = { id: 1, author_id: 50, author_name: 'T. Eacher', comment: 'Well done', created_at: '2026-11-19T10:00:00Z' };
const work = (id: number, course_id: number, name: string) =>
  [
    'assignment',
    course_id,
    {
      id,
      course_id,
      name,
      due_at: '2026-11-19T10:00:00Z',
      points_possible: 10,
      assignment_group_id: 9,
      submission_types: ['online_text_entry'],
    },
  ] as const;

function aDesk() {
  const cache = openCache(':memory:');
  cache.owner = me;
  const rows: Rows = [
    ['course', null, { id: 5, name: 'Both' }],
    ['course', null, { id: 6, name: 'Only Leo' }],
    observes(1, 5, maya, 90),
    observes(2, 5, leo, 40),
    observes(3, 6, leo, 55),
    ['assignment_group', 5, { id: 9, name: 'Essays', position: 1 }],
    work(1, 5, 'Essay'),
    work(2, 6, 'Talk'),
    // The other student's work comes first, so that a reader of the first match is wrong.
    submission(1, 5, 1, leo.id, { missing: true }),
    submission(2, 5, 1, maya.id, {
      workflow_state: 'graded',
      submitted_at: '2026-11-18T10:00:00Z',
      score: 9,
      grade: '9',
      posted_at: '2026-11-19T10:00:00Z',
      submission_comments: [comment],
    }),
    submission(3, 6, 2, leo.id, {}),
    [
      'module',
      5,
      {
        id: 60,
        name: 'Week 1',
        position: 1,
        items: [{ id: 61, type: 'Assignment', title: 'x', content_id: 1, completion_requirement: { type: 'must_view' } }],
      },
    ],
    ['planner_note', null, { id: 70, title: 'Parents’ evening', todo_date: '2026-11-21T18:00:00Z' }],
    ['planner_override', null, { id: 80, plannable_type: 'assignment', plannable_id: 1, marked_complete: true }],
  ];
  for (const [kind, course, json] of rows) cache.put(kind, json.id, json, course ?? undefined);
  const user = new UserStore(':memory:', now);
  return { cache, user, outbox: new Outbox(user, now), signedIn: { url: 'https://x.example', user_id: me, name: 'Petra' } };
}

test('students are chosen by name, and the choice stays with the account', () => {
  const desk = aDesk();
  const chosen = () => studentChoices(desk).map((one) => [one.name, one.chosen]);
  expect(chosen()).toEqual([
    ['Leo', true],
    ['Maya', false],
  ]);
  chooseStudent(desk.user, maya.id);
  expect(chosen()).toEqual([
    ['Leo', false],
    ['Maya', true],
  ]);
});

test('Today has the work of the chosen student, and the own notes', () => {
  const desk = aDesk();
  const entries = () =>
    plannerEntries(desk).map(({ title, missing, graded, marked_complete }) => ({ title, missing, graded, marked_complete }));
  expect(entries()).toMatchObject([
    { title: 'Essay', missing: true, graded: false, marked_complete: false },
    { title: 'Talk', missing: false },
    { title: 'Parents’ evening' },
  ]);
  chooseStudent(desk.user, maya.id);
  expect(entries()).toMatchObject([{ title: 'Essay', missing: false, graded: true, marked_complete: true }, { title: 'Parents’ evening' }]);
  expect(plannerEntries(desk).map(({ observed = false }) => observed)).toEqual([true, false]);
});

test('a course that only another student attends shows the work of that student', () => {
  const desk = aDesk();
  chooseStudent(desk.user, maya.id);
  expect(courseCards(desk)).toMatchObject([
    { name: 'Both', role: 'observes', student: maya, students: [maya.id, leo.id] },
    { name: 'Only Leo', student: leo, out_of_sight: true },
  ]);
  expect(courseCards(desk)[0]).not.toHaveProperty('out_of_sight');
  expect(plannerEntries(desk, 6)).toMatchObject([{ title: 'Talk', observed: true }]);
});

test('grades, comments and state are those of the chosen student', () => {
  const desk = aDesk();
  expect(gradesView(desk, 5)).toMatchObject({ student: 'Leo', score: 40, groups: [{ rows: [{ score: null, missing: true }] }] });
  expect(reading(desk, { kind: 'assignment', course_id: 5, id: 1 })).toMatchObject({
    student: 'Leo',
    comments: [],
    submission: { workflow_state: 'unsubmitted' },
  });
  chooseStudent(desk.user, maya.id);
  expect(gradesView(desk, 5)).toMatchObject({ student: 'Maya', score: 90, groups: [{ rows: [{ score: 9, missing: false }] }] });
  expect(reading(desk, { kind: 'assignment', course_id: 5, id: 1 })).toMatchObject({
    student: 'Maya',
    comments: [{ author: 'T. Eacher', mine: false }],
    submission: { grade: '9' },
  });
});

test('an observer hands in nothing, and meets no requirement of a module', () => {
  const desk = aDesk();
  expect(workView(desk, 5, 1)).toBeNull();
  expect(see(desk.cache, desk.outbox, { kind: 'assignment', id: 1 }, me)).toBe(false);
  expect(desk.outbox.pending()).toEqual([]);
});
