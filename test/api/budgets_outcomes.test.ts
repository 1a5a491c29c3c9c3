// Budgets of polls and outcomes.

import { beforeAll } from 'vitest';
import { ground } from '../support/api';
import { type Budget, fillRows, fillTime, holdBudgets, inBulk, type Scene, type Twins, twins } from '../support/budgets';
import type { Person } from '../support/ground';

interface Learning extends Scene {
  readonly admin: Person;
  readonly faculty: number;
  /** A group with many subgroups and outcomes in each kind of context. */
  readonly groups: Readonly<Record<Place, number>>;
  /** Of the teacher, with many choices and sessions. */
  readonly poll: number;
  /** A live assessment with many results. */
  readonly live: number;
}

let scenes: Twins<Learning>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";

type Place = 'Global' | 'Account' | 'Course';

async function filled(scene: Scene): Promise<Learning> {
  const faculty = (await ground.account()).id;
  const admin = await ground.admin({ account_id: faculty });
  const groupOf = (type: Place, id: number) => ground.outcomeGroup(type, { id });
  const groups = {
    Global: await groupOf('Global', 0),
    Account: await groupOf('Account', faculty),
    Course: await groupOf('Course', scene.course.id),
  };
  return { ...scene, admin, faculty, groups, poll: await ground.poll(scene.teacher), live: await ground.liveAssessment(scene.course) };
}

beforeAll(async () => {
  const { small, large } = await twins(ground);
  scenes = { small: await filled(small), large: await filled(large) };
  await inBulk(fillAll);
}, fillTime);

async function fillAll(): Promise<void> {
  await fillRows(scenes, 'polls', 'user_id, question, created_at, updated_at', ({ teacher }) => `${teacher.id}, 'Which?', ${stamp}`);
  await fillRows(
    scenes,
    'live_assessments',
    'course_id, key, title, created_at, updated_at',
    ({ course }) => `${course.id}, n, 'Check', ${stamp}`,
  );
  await fillRows(
    scenes,
    'live_assessment_results',
    'assessment_id, course_id, user_id, assessor_id, passed, assessed_at, created_at, updated_at',
    ({ live, course, student, teacher }) => `${live}, ${course.id}, ${student.id}, ${teacher.id}, 1, '2026-09-01T08:00:00Z', ${stamp}`,
  );
  await fillRows(scenes, 'poll_choices', 'poll_id, text, position, created_at, updated_at', ({ poll }) => `${poll}, 'Choice', n, ${stamp}`);
  await fillRows(
    scenes,
    'learning_outcomes',
    'context_type, context_id, title, mastery_points, points_possible, ratings, created_at, updated_at',
    ({ course }) => `'Course', ${course.id}, 'Goal', 3, 5, '[]', ${stamp}`,
  );
  for (const [type, idOf] of [
    ['Global', () => 0],
    ['Account', ({ faculty }: Learning) => faculty],
    ['Course', ({ course }: Learning) => course.id],
  ] as const) {
    await fillRows(
      scenes,
      'learning_outcome_groups',
      'context_type, context_id, parent_outcome_group_id, title, created_at, updated_at',
      (scene) => `'${type}', ${idOf(scene)}, ${scene.groups[type]}, printf('Group %05d', n), ${stamp}`,
    );
    await fillRows(
      scenes,
      'learning_outcome_links',
      'learning_outcome_group_id, learning_outcome_id, context_type, context_id, title, created_at, updated_at',
      (scene) =>
        `${scene.groups[type]}, (select min(id) from learning_outcomes where context_type = 'Course' and context_id = ${scene.course.id}) + n - 1, '${type}', ${idOf(scene)}, printf('Goal %05d', n), ${stamp}`,
    );
  }
  for (const isOpen of [0, 1])
    await fillRows(
      scenes,
      'poll_sessions',
      'poll_id, course_id, is_published, opened_at, created_at, updated_at',
      ({ poll, course }) => `${poll}, ${course.id}, ${isOpen}, '2026-09-01T08:00:00Z', ${stamp}`,
    );
}

type Path = (scene: Learning) => string;
const asked = (by: 'teacher' | 'student' | 'admin', path: Path, more: Partial<Budget<Learning>> = {}): Budget<Learning> => ({
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  ...more,
});
const links = { madeOf: ['link', 'outcome', 'group', 'rights'] };
const groups = { madeOf: ['group', 'parent'] };
const sessions = { madeOf: ['session', 'poll', 'answers'] };

holdBudgets<Learning, 'outcomes'>(() => scenes, {
  'GET /accounts/:account_id/outcome_group_links': [asked('admin', ({ faculty }) => `/accounts/${faculty}/outcome_group_links`, links)],
  'GET /accounts/:account_id/outcome_groups': [asked('admin', ({ faculty }) => `/accounts/${faculty}/outcome_groups`, groups)],
  'GET /accounts/:account_id/outcome_groups/:id/outcomes': [
    asked('admin', ({ faculty, groups: { Account } }) => `/accounts/${faculty}/outcome_groups/${Account}/outcomes`, links),
  ],
  'GET /accounts/:account_id/outcome_groups/:id/subgroups': [
    asked('admin', ({ faculty, groups: { Account } }) => `/accounts/${faculty}/outcome_groups/${Account}/subgroups`),
  ],
  'GET /courses/:course_id/outcome_group_links': [asked('student', ({ course }) => `/courses/${course.id}/outcome_group_links`, links)],
  'GET /courses/:course_id/outcome_groups': [asked('student', ({ course }) => `/courses/${course.id}/outcome_groups`, groups)],
  'GET /courses/:course_id/outcome_groups/:id/outcomes': [
    asked('student', ({ course, groups: { Course } }) => `/courses/${course.id}/outcome_groups/${Course}/outcomes`, links),
  ],
  'GET /courses/:course_id/outcome_groups/:id/subgroups': [
    asked('student', ({ course, groups: { Course } }) => `/courses/${course.id}/outcome_groups/${Course}/subgroups`),
  ],
  'GET /global/outcome_groups/:id/outcomes': [
    asked('student', ({ groups: { Global } }) => `/global/outcome_groups/${Global}/outcomes`, links),
  ],
  'GET /global/outcome_groups/:id/subgroups': [asked('student', ({ groups: { Global } }) => `/global/outcome_groups/${Global}/subgroups`)],
  'GET /courses/:course_id/live_assessments': [asked('teacher', ({ course }) => `/courses/${course.id}/live_assessments`)],
  'GET /courses/:course_id/live_assessments/:assessment_id/results': [
    asked('teacher', ({ course, live }) => `/courses/${course.id}/live_assessments/${live}/results`),
    asked('teacher', ({ course, live, student }) => `/courses/${course.id}/live_assessments/${live}/results?user_id=${student.id}`),
  ],
  'GET /api/1/polls': [asked('teacher', () => '/api/1/polls')],
  'GET /polls': [asked('teacher', () => '/polls')],
  'GET /polls/:poll_id/poll_choices': [
    asked('student', ({ poll }) => `/polls/${poll}/poll_choices`, { madeOf: ['choice', 'poll', 'answer'] }),
  ],
  'GET /polls/:poll_id/poll_sessions': [asked('teacher', ({ poll }) => `/polls/${poll}/poll_sessions`, sessions)],
  'GET /poll_sessions/opened': [asked('student', () => '/poll_sessions/opened', sessions)],
  'GET /poll_sessions/closed': [asked('student', () => '/poll_sessions/closed', sessions)],
});
