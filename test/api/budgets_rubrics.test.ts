// Budgets of rubrics: those of courses, accounts and imports, where they are used, and their assessments.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { type Budget, fillRows, fillTime, holdBudgets, inBulk, type Scene, type Twins, twins } from '../support/budgets';
import type { Person } from '../support/ground';

interface Rubrics extends Scene {
  readonly admin: Person;
  readonly faculty: number;
  /** Used in many courses. */
  readonly shared: number;
  /** With many assessments. */
  readonly assessed: number;
}

let scenes: Twins<Rubrics>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";

async function withRubrics(scene: Scene): Promise<Rubrics> {
  const faculty = (await ground.account()).id;
  const admin = await ground.admin({ account_id: faculty });
  const shared = await ground.rubric('Account', { id: faculty });
  return { ...scene, admin, faculty, shared, assessed: await ground.rubric('Course', scene.course) };
}

beforeAll(async () => {
  const { small, large } = await twins(ground);
  scenes = { small: await withRubrics(small), large: await withRubrics(large) };
  await inBulk(fillAll);
}, fillTime);

const nthOf = (table: string, where: string) => `((select min(id) from ${table} where ${where}) + n - 1)`;

async function fillAll(): Promise<void> {
  for (const place of [
    ({ course }: Rubrics) => ['Course', course.id, course.id] as const,
    ({ faculty }: Rubrics) => ['Account', faculty, 1_000_000 + faculty] as const,
  ]) {
    await fillRows(scenes, 'rubrics', 'context_type, context_id, user_id, title, rubric_import_id, created_at, updated_at', (scene) => {
      const [type, id, read] = place(scene);
      return `'${type}', ${id}, 1, printf('Many %05d', n), ${read}, ${stamp}`;
    });
    await fillRows(
      scenes,
      'rubric_associations',
      'rubric_id, association_type, association_id, context_type, context_id, purpose, created_at, updated_at',
      (scene) => {
        const [type, id] = place(scene);
        const rubric = nthOf('rubrics', `context_type = '${type}' and context_id = ${id} and title = 'Many 00001'`);
        return `${rubric}, '${type}', ${id}, '${type}', ${id}, 'bookmark', ${stamp}`;
      },
    );
    for (const scene of [scenes.small, scenes.large]) {
      const [type, id, read] = place(scene);
      await ground.rubricImport(type, { id }, { id: read });
    }
  }
  await fillRows(
    scenes,
    'courses',
    'account_id, root_account_id, enrollment_term_id, name, course_code, uuid, workflow_state, created_at, updated_at',
    ({ faculty }) => `${faculty}, 1, 1, printf('Course %05d', n), 'C', 'k${faculty}-' || n, 'available', ${stamp}`,
  );
  const course = (faculty: number) => nthOf('courses', `account_id = ${faculty}`);
  await fillRows(
    scenes,
    'assignments',
    'course_id, assignment_group_id, name, position, workflow_state, lti_context_id, created_at, updated_at',
    ({ faculty }) => `${course(faculty)}, 1, 'Task', 1, 'published', 'x', ${stamp}`,
  );
  await fillRows(
    scenes,
    'rubric_associations',
    'rubric_id, association_type, association_id, context_type, context_id, purpose, created_at, updated_at',
    ({ faculty, shared }) => {
      const task = nthOf('assignments', `course_id = (select min(id) from courses where account_id = ${faculty})`);
      return `${shared}, 'Assignment', ${task}, 'Course', ${course(faculty)}, 'grading', ${stamp}`;
    },
  );
  await fillRows(
    scenes,
    'rubric_assessments',
    'rubric_id, rubric_association_id, course_id, assignment_id, user_id, submission_id, assessment_type, assessor_id, created_at, updated_at',
    ({ course: { id }, assessed, teacher, faculty }) =>
      `${assessed}, (select min(id) from rubric_associations where rubric_id = ${assessed}), ${id},
        (select min(id) from assignments where course_id = (select min(id) from courses where account_id = ${faculty})), n, ${id} * 1000000 + n, 'grading', ${teacher.id}, ${stamp}`,
  );
}

type Path = (scene: Rubrics) => string;
const asked = (by: 'admin' | 'teacher', path: Path, more: Partial<Budget<Rubrics>> = {}): Budget<Rubrics> => ({
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  ...more,
});
const listed = { madeOf: ['rubric', 'association', 'assignment'] };

holdBudgets<Rubrics, 'rubrics'>(() => scenes, {
  'GET /accounts/:account_id/rubrics': [asked('admin', ({ faculty }) => `/accounts/${faculty}/rubrics`, listed)],
  'GET /accounts/:account_id/rubrics/:id/used_locations': [
    asked('admin', ({ faculty, shared }) => `/accounts/${faculty}/rubrics/${shared}/used_locations`, {
      madeOf: ['association', 'course', 'assignment'],
    }),
  ],
  'GET /accounts/:account_id/rubrics/upload/:import_id/rubrics': [
    asked('admin', ({ faculty }) => `/accounts/${faculty}/rubrics/upload/latest/rubrics`, listed),
  ],
  'GET /courses/:course_id/rubrics': [asked('teacher', ({ course }) => `/courses/${course.id}/rubrics`, listed)],
  'GET /courses/:course_id/rubrics/upload/:import_id/rubrics': [
    asked('teacher', ({ course }) => `/courses/${course.id}/rubrics/upload/latest/rubrics`, listed),
  ],
});

test('of many assessments a rubric includes the first 500, and links to the next', async () => {
  const { course, teacher, assessed } = scenes.large;
  const first = within(await as(teacher).get(`/courses/${course.id}/rubrics/${assessed}`, { include: ['assessments'], style: 'full' }), 2);
  const ids = ok(first).assessments.map(({ id }: { id: number }) => id);
  expect(ids).toHaveLength(500);
  expect(first.cost.rows_read).toBeLessThan(500 * 25);
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
  const second = within(await as(teacher).get(next), 2);
  expect(ok(second).assessments[0].id).toBe(Math.max(...ids) + 1);
  expect(second.cost.rows_read).toBeLessThan(500 * 25);
});
