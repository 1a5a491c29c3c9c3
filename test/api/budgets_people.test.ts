// Budgets of the users of a course: users, enrollments, sections, recipients, and progress.

import { beforeAll } from 'vitest';
import { as, ground, ok } from '../support/api';
import {
  type Budget,
  few,
  fillPeople,
  fillRows,
  fillTime,
  holdBudgets,
  inBulk,
  lots,
  type Scene,
  type Twins,
  twins,
} from '../support/budgets';
import type { Person } from '../support/ground';
import { addViews, aView } from '../support/page_views';

interface People extends Scene {
  /** The id before the first of many users. */
  readonly crowd: number;
  /** A course with many sections. */
  readonly divided: number;
  /** Has many logins. */
  readonly signer: Person;
  readonly admin: Person;
}

let scenes: Twins<People>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";

async function withCourses(scene: Scene, count: number): Promise<People> {
  const { course, teacher } = scene;
  await ground.enroll(course, await ground.person({ name: 'ŵq' }), 'student');
  const divided = await ground.course();
  await ground.enroll(divided, teacher, 'teacher');
  const module = ok(await as(teacher).post(`/courses/${course.id}/modules`, { module: { name: 'First' } }));
  const item = ok(
    await as(teacher).post(`/courses/${course.id}/modules/${module.id}/items`, {
      module_item: { type: 'ExternalUrl', title: 'Go', external_url: 'https://example.edu' },
    }),
  );
  ok(
    await as(teacher).put(`/courses/${course.id}/modules/${module.id}/items/${item.id}`, {
      module_item: { published: true, completion_requirement: { type: 'must_view' } },
    }),
  );
  ok(await as(teacher).put(`/courses/${course.id}/modules/${module.id}`, { module: { published: true } }));
  return { ...scene, crowd: 1_000_000 + count * 10, divided: divided.id, signer: await ground.person(), admin: await ground.admin() };
}

beforeAll(async () => {
  const { small, large } = await twins(ground);
  scenes = { small: await withCourses(small, few), large: await withCourses(large, lots) };
  await inBulk(fillAll);
}, fillTime);

async function fillAll(): Promise<void> {
  await fillPeople(scenes);
  await fillRows(
    scenes,
    'enrollments',
    'user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at',
    ({ course, crowd }) =>
      `${crowd} + n, ${course.id}, ${course.section_id}, 'StudentEnrollment', 3, 'active', printf('Many %05d', n), ${stamp}`,
  );
  await fillRows(
    scenes,
    'logins',
    'user_id, account_id, unique_id, created_at, updated_at',
    ({ signer }) => `${signer.id}, 1, 's${signer.id}-' || n, ${stamp}`,
  );
  for (const [count, { signer }] of [
    [few, scenes.small],
    [lots, scenes.large],
  ] as const) {
    const at = (nth: number) => `2026-09-01T08:${new Date((nth % 3600) * 1000).toISOString().slice(14, 19)}Z`;
    await addViews(
      Array.from({ length: count }, (_, nth) => aView(signer.id, at(nth))),
      '2026-09-01T09:00:00Z',
    );
  }
  for (const [one, many] of [
    ['observer_id', 'student_id'],
    ['student_id', 'observer_id'],
  ])
    await fillRows(
      scenes,
      'observers',
      `${one}, ${many}, created_at`,
      ({ signer, crowd }) => `${signer.id}, ${crowd} + n, '2026-09-01T08:00:00Z'`,
    );
  await fillRows(
    scenes,
    'sections',
    'course_id, name, created_at, updated_at',
    ({ divided }) => `${divided}, printf('S%05d', n), ${stamp}`,
  );
}

const asked = (by: 'student' | 'teacher', rest: string, query: object = {}, more: Partial<Budget<People>> = {}): Budget<People> => ({
  with: `as a ${by} ${JSON.stringify(query)}`,
  asks: (scene) => ({ by: scene[by], path: `/courses/${scene.course.id}${rest}` }),
  query: () => query,
  ...more,
});
const at = (
  by: 'student' | 'teacher' | 'admin',
  path: (scene: People) => string,
  query: (scene: People) => object,
  more: Partial<Budget<People>>,
): Budget<People> => ({
  with: `as a ${by}`,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  query,
  ...more,
});
const linkedPerson = { madeOf: ['link', 'person', 'login', 'address'] };
const person = { madeOf: ['person', 'enrollment', 'login', 'address'] };
/** Not in an index, because every sign-in would write one for each course of the user: everybody in the course is looked up. */
const bySignIn = { ...person, beside: [6 * lots, 'the last sign-in of everybody in the course'] as const };
const classmate = { madeOf: ['person', 'enrollment'] };
const enrolled = { madeOf: ['enrollment', 'person', 'login'] };
const withEnrollments = { madeOf: ['person', 'enrollment', 'role', 'section', 'login', 'address'] };
const recipients = {
  madeOf: ['person', 'enrollment', 'own enrollment', 'course', 'section', 'enrollment through which the two know each other'],
};
const progressed = { madeOf: ['student', 'enrollment', 'module', 'requirement', 'mark', 'progression'] };
const inContext = ({ course }: People) => ({ context: `course_${course.id}`, type: 'user' });

/** A term that matches all users, one that matches one, and one too short for the search index; no random login contains it. */
const terms = [
  ['Many', {}],
  ['any 00007', { page: 1, unpaged: true }],
  ['ŵq', { page: 1, unpaged: true }],
  ['an', {}],
] as const;

holdBudgets<People, 'people'>(() => scenes, {
  'GET /accounts/:account_id/logins': [
    at(
      'admin',
      () => '/accounts/1/logins',
      ({ signer }) => ({ 'user[id]': signer.id }),
      {},
    ),
  ],
  'GET /conversations/find_recipients': [at('teacher', () => '/conversations/find_recipients', inContext, recipients)],
  'GET /courses/:course_id/bulk_user_progress': [asked('teacher', '/bulk_user_progress', {}, progressed)],
  'GET /courses/:course_id/enrollments': [
    asked('teacher', '/enrollments', {}, enrolled),
    asked('teacher', '/enrollments', { type: ['StudentEnrollment'], state: ['active'] }, enrolled),
    asked('student', '/enrollments', {}, enrolled),
  ],
  'GET /courses/:course_id/recent_students': [asked('teacher', '/recent_students', {}, bySignIn)],
  'GET /courses/:course_id/search_users': terms.map(([search_term, page]) =>
    asked('teacher', '/search_users', { search_term }, { ...person, ...page }),
  ),
  'GET /courses/:course_id/sections': [
    at(
      'teacher',
      ({ divided }) => `/courses/${divided}/sections`,
      () => ({}),
      {},
    ),
  ],
  'GET /courses/:course_id/students': [asked('teacher', '/students', {}, { ...person, page: lots + 3, unpaged: true })],
  'GET /courses/:course_id/users': [
    ...[{}, { enrollment_type: ['student'] }].map((query) => asked('teacher', '/users', query, person)),
    asked('student', '/users', {}, classmate),
    asked('teacher', '/users', { include: ['enrollments', 'email'] }, withEnrollments),
    ...['sis_id', 'email'].map((sort) => asked('teacher', '/users', { sort }, person)),
    asked('teacher', '/users', { sort: 'last_login' }, bySignIn),
  ],
  'GET /search/recipients': [
    at('teacher', () => '/search/recipients', inContext, recipients),
    ...(['teacher', 'student'] as const).map((by) =>
      at(
        by,
        () => '/search/recipients',
        () => ({ search: ' ' }),
        { ...recipients, with: `as a ${by}, of all kinds` },
      ),
    ),
    at(
      'teacher',
      () => '/search/recipients',
      ({ course }) => ({ context: `course_${course.id}`, synthetic_contexts: 1 }),
      {
        ...recipients,
        with: 'as a teacher, a course with its sections and groups',
      },
    ),
    ...(['teacher', 'student', 'admin'] as const).flatMap((by) =>
      [[' ', {}] as const, ...terms].map(([search, page]) =>
        at(
          by,
          () => '/search/recipients',
          () => ({ search, type: 'user' }),
          {
            ...recipients,
            ...page,
            with: `as a ${by}, searching everybody for "${search}"`,
            ...(by === 'admin' && { isShared: true, ...('page' in page && { page: 2 }) }),
          },
        ),
      ),
    ),
    ...terms.map(([search, page]) =>
      at(
        'teacher',
        () => '/search/recipients',
        (scene) => ({ ...inContext(scene), search }),
        { ...recipients, ...page, with: `as a teacher, searching a course for "${search}"` },
      ),
    ),
  ],
  'GET /sections/:section_id/enrollments': [
    at(
      'teacher',
      ({ course }) => `/sections/${course.section_id}/enrollments`,
      () => ({}),
      enrolled,
    ),
  ],
  'GET /users/:user_id/logins': [
    at(
      'admin',
      ({ signer }) => `/users/${signer.id}/logins`,
      () => ({}),
      {},
    ),
  ],
  'GET /users/:user_id/observees': [
    at(
      'admin',
      ({ signer }) => `/users/${signer.id}/observees`,
      () => ({}),
      linkedPerson,
    ),
  ],
  'GET /users/:user_id/page_views': [
    ...[{}, { start_time: '2026-09-01T08:00:00Z', end_time: '2026-09-01T08:59:59Z' }].map((query) =>
      at(
        'admin',
        ({ signer }) => `/users/${signer.id}/page_views`,
        () => query,
        { with: JSON.stringify(query) },
      ),
    ),
  ],
  'GET /users/:user_id/observers': [
    at(
      'admin',
      ({ signer }) => `/users/${signer.id}/observers`,
      () => ({}),
      linkedPerson,
    ),
  ],
});
