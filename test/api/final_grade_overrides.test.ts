// Overrides of final grades: who sets them, where they are shown, and what they leave as it was.

import { env } from 'cloudflare:workers';
import { newMeter, open } from '@carrel/worker/database/open';
import { computeStoredScores } from '@carrel/worker/domains/enrollments/grades/job';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { Client } from '../support/client';
import { aCourse, aCourseOfTwoSections, type Person } from '../support/ground';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;
type Scene = Awaited<ReturnType<typeof build>>;
let scene: Scene;
let teacher: Client;
let admin: Client;

const past = '2026-02-01T00:00:00Z';

async function build() {
  const one = await aCourseOfTwoSections(ground);
  const at = `/courses/${one.course.id}`;
  const assignment = await ground.assignment(one.course, { points_possible: 10, due_at: '2026-03-01T00:00:00Z' });
  return { ...one, at, list: `${at}/gradebook/final_grade_overrides`, assignment };
}

const allow = async (allowed: boolean) => ok(await teacher.put(`${scene.at}/settings`, { allow_final_grade_override: allowed }));
const row = (student: Person, override_score: unknown) => ({ student_id: student.id, override_score });
const save = (client: Client, rows: readonly object[], grading_period_id?: number) =>
  client.put(scene.list, { override_scores: rows, ...(grading_period_id && { grading_period_id }) });
const stored = async (client = teacher): Promise<Body> => ok(within(await client.get(scene.list), 2)).final_grade_overrides;
const compute = async () => {
  while ((await computeStoredScores(open(env.DB, newMeter(), 'first-primary'))) > 0);
};
const gradesOf = async (client: Client, student: Person, more: object = {}): Promise<Body> =>
  ok(within(await client.get(`${scene.at}/enrollments`, { user_id: student.id, ...more }), 2))[0].grades;

beforeAll(async () => {
  scene = await build();
  teacher = as(scene.teacher);
  admin = as(await ground.admin());
  const { student, student2, at, assignment } = scene;
  ok(
    await teacher.post(`${at}/assignments/${assignment}/submissions/update_grades`, {
      grade_data: { [student.id]: { posted_grade: 6 }, [student2.id]: { posted_grade: 9 } },
    }),
  );
  ok(await teacher.put(at, { course: { grading_standard_id: 0 } }));
  await allow(true);
}, 60_000);

test('a grader sets, changes and clears final grades of several students, by percentage and by grade of the scheme', async () => {
  const { student, student2, at } = scene;
  const given = [row(student, 88.1), row(student2, 'B+')];
  const expected = { [student.id]: { course_grade: { percentage: 88.1 } }, [student2.id]: { course_grade: { percentage: 89 } } };
  expect(ok(within(await save(teacher, given), 3))).toEqual({ final_grade_overrides: expected });
  expect(await stored()).toEqual(expected);
  expect(ok(await save(teacher, [row(student2, null)]))).toEqual({ final_grade_overrides: {} });
  expect(await stored()).toEqual({ [student.id]: { course_grade: { percentage: 88.1 } } });
  // A form cannot send null.
  ok(await teacher.put(scene.list, { override_scores: [{ student_id: String(student.id), override_score: '' }] }));
  expect(await stored()).toEqual({});
  const bulk = await teacher.put(`${at}/update_final_grade_overrides`, { override_scores: [row(student, '91%'), row(scene.stranger, 50)] });
  expect(ok(within(bulk, 3))).toMatchObject({
    workflow_state: 'completed',
    completion: 100,
    tag: 'override_grade_update',
    context_type: 'Course',
    message: '1 of 2 overrides could not be saved',
    results: { errors: [{ student_id: scene.stranger.id, error: 'invalid_student_id' }] },
  });
  expect(await stored()).toEqual({ [student.id]: { course_grade: { percentage: 91 } } });
  ok(await save(teacher, [row(student, null)]));
});

test('an override is beside the computed scores for graders, and in their place for the student, where the course allows it', async () => {
  const { student, observer, at } = scene;
  ok(await save(teacher, [row(student, 95)]));
  const computed = { current_score: 60, current_grade: 'F', final_score: 60, final_grade: 'F' };
  const replaced = { current_score: 95, current_grade: 'A', final_score: 95, final_grade: 'A' };
  const total = { include: ['total_scores'] };
  const ofCourse = async (client: Client): Promise<Body> =>
    ok(within(await client.get('/courses', { include: ['total_scores'], per_page: 100 }), 2)).find(({ id }: Body) => id === scene.course.id)
      .enrollments[0];
  // Computed while it is read, and stored.
  for (const when of ['read', 'stored']) {
    expect(await gradesOf(teacher, student), when).toMatchObject({ ...computed, override_score: 95, override_grade: 'A' });
    const own = await gradesOf(as(student), student);
    expect(own, when).toMatchObject(replaced);
    expect(own, when).not.toHaveProperty('override_score');
    expect(await gradesOf(as(observer), student), when).toMatchObject(replaced);
    expect(await ofCourse(as(student)), when).toMatchObject({
      computed_current_score: 95,
      computed_final_score: 95,
      computed_final_grade: 'A',
    });
    expect(ok(await as(student).get(`${at}/students/submissions`, { ...total, grouped: true, student_ids: ['all'] }))).toMatchObject([
      { computed_current_score: 95, computed_final_score: 95 },
    ]);
    await compute();
  }
  const grouped = ok(await teacher.get(`${at}/students/submissions`, { ...total, grouped: true, student_ids: [student.id] }));
  expect(grouped).toMatchObject([{ computed_current_score: 60, computed_final_score: 60 }]);
  const listed = ok(within(await teacher.get(`${at}/users`, { include: ['enrollments'], user_ids: [student.id] }), 2));
  expect(listed[0].enrollments[0].grades).toMatchObject({ ...computed, override_score: 95 });
  const observed = ok(await as(observer).get('/courses', { include: ['total_scores', 'observed_users'], per_page: 100 }));
  expect(JSON.stringify(observed)).toContain('"computed_final_score":95');

  await allow(false);
  for (const client of [teacher, as(student), as(observer)]) {
    const grades = await gradesOf(client, student);
    expect(grades).toMatchObject(computed);
    expect(grades).not.toHaveProperty('override_score');
  }
  expect(await ofCourse(as(student))).toMatchObject({ computed_final_score: 60 });
  expect(ok(await save(teacher, [row(student, 10)]), 401).errors[0].message).toContain('does not allow');
  expect(await stored()).toEqual({ [student.id]: { course_grade: { percentage: 95 } } });
  await allow(true);

  ok(await teacher.put(`${at}/settings`, { hide_final_grades: true }));
  expect(await gradesOf(as(student), student)).not.toHaveProperty('final_score');
  expect(await gradesOf(teacher, student)).toMatchObject({ override_score: 95 });
  ok(await teacher.put(`${at}/settings`, { hide_final_grades: false }));
  ok(await save(teacher, [row(student, null)]));
  expect(await gradesOf(as(student), student)).toMatchObject(computed);
});

test('a student without work has a final grade that is set', async () => {
  const { sid } = scene;
  ok(await save(teacher, [row(sid, 70)]));
  expect(await gradesOf(as(sid), sid)).toMatchObject({ current_score: 70, final_score: 70, final_grade: 'C-' });
  await compute();
  expect(await gradesOf(teacher, sid)).toMatchObject({ current_score: null, final_score: 0, override_score: 70 });
  ok(await save(teacher, [row(sid, null)]));
});

test('a grading period has overrides of its own, and a closed one refuses them except from administrators', async () => {
  const { student, at } = scene;
  const [closed, now] = ok(
    await teacher.patch(`${at}/grading_periods/batch_update`, {
      grading_periods: [
        { title: 'One', start_date: '2026-01-01T00:00:00Z', end_date: past },
        { title: 'Two', start_date: past, end_date: '2099-01-01T00:00:00Z' },
      ],
    }),
  ).grading_periods;
  ok(await save(teacher, [row(student, 77)]));
  expect(ok(await save(teacher, [row(student, 66)], now.id))).toEqual({
    final_grade_overrides: {
      [student.id]: { course_grade: { percentage: 77 }, grading_period_grades: { [now.id]: { percentage: 66 } } },
    },
  });
  expect(await gradesOf(teacher, student, { grading_period_id: now.id })).toMatchObject({ current_score: 60, override_score: 66 });
  expect(await gradesOf(as(student), student, { grading_period_id: now.id })).toMatchObject({ current_score: 66, final_score: 66 });
  expect(await gradesOf(as(student), student)).toMatchObject({ final_score: 77 });
  const inCourse = async (client: Client): Promise<Body> =>
    ok(await client.get(`${at}`, { include: ['total_scores', 'current_grading_period_scores'] })).enrollments[0];
  expect(await inCourse(as(student))).toMatchObject({ computed_final_score: 77, current_period_computed_final_score: 66 });

  expect(ok(await save(teacher, [row(student, 50)], closed.id), 403).errors[0].message).toContain('closed');
  ok(await save(admin, [row(student, 50)], closed.id));
  const elsewhere = await aCourse(ground);
  const [foreign] = ok(
    await as(elsewhere.teacher).patch(`/courses/${elsewhere.course.id}/grading_periods/batch_update`, {
      grading_periods: [{ title: 'Other', start_date: past, end_date: '2099-01-01T00:00:00Z' }],
    }),
  ).grading_periods;
  for (const id of [foreign.id, 999_999])
    expect(ok(await save(teacher, [row(student, 50)], id), 400).errors[0].message).toContain('grading_period_id');
  // A deleted period takes its overrides along.
  ok(await teacher.del(`${at}/grading_periods/${now.id}`), 204);
  expect(await stored()).toEqual({
    [student.id]: { course_grade: { percentage: 77 }, grading_period_grades: { [closed.id]: { percentage: 50 } } },
  });
  ok(await teacher.del(`${at}/grading_periods/${closed.id}`), 204);
  ok(await save(teacher, [row(student, null)]));
});

test('rows that are wrong are refused by name, and nothing is written', async () => {
  const { student, student2, stranger } = scene;
  const errors = ok(
    await save(teacher, [row(student, 50), row(stranger, 50), row(student2, -1), row(student, 60), { student_id: student2.id }]),
    400,
  ).errors;
  expect(Object.keys(errors)).toEqual([
    'override_scores[1][student_id]',
    'override_scores[2][override_score]',
    'override_scores[3][student_id]',
    'override_scores[4][student_id]',
  ]);
  for (const wrong of [-0.1, 10_001, 'Z', 'Infinity', '1e3', 'pass', {}, [1]]) ok(await save(teacher, [row(student, wrong)]), 400);
  for (const body of [
    {},
    { override_scores: 'x' },
    { override_scores: [{ override_score: 5 }] },
    { override_scores: [row(student, 5)], grading_period_id: 'x' },
  ])
    ok(await teacher.put(scene.list, body), 400);
  ok(
    await save(
      teacher,
      Array.from({ length: 501 }, () => row(student, 1)),
    ),
    400,
  );
  expect(await stored()).toEqual({});
  expect(ok(await save(teacher, []))).toEqual({ final_grade_overrides: {} });
});

test('only graders set and list overrides, those of a section for its students only', async () => {
  const { student, student2, sid, limited, designer, observer, stranger, course } = scene;
  for (const one of [student, designer, observer, stranger]) {
    ok(await as(one).get(scene.list), 401);
    ok(await save(as(one), [row(student, 100)]), 401);
    ok(await as(one).put(`${scene.at}/update_final_grade_overrides`, { override_scores: [row(student, 100)] }), 401);
  }
  ok(await save(teacher, [row(student, 80), row(sid, 81)]));
  expect(await stored(as(limited))).toEqual({ [sid.id]: { course_grade: { percentage: 81 } } });
  ok(await save(as(limited), [row(student, 1)]), 400);
  expect(ok(await save(as(limited), [row(sid, 82)]))).toEqual({
    final_grade_overrides: { [sid.id]: { course_grade: { percentage: 82 } } },
  });
  // An inactive student keeps the override; one who has left has none.
  const other = await ground.person();
  const id = await ground.enroll(course, other, 'student');
  ok(await save(teacher, [row(other, 40)]));
  ok(await teacher.del(`${scene.at}/enrollments/${id}`, { task: 'inactivate' }));
  expect((await stored())[other.id]).toEqual({ course_grade: { percentage: 40 } });
  ok(await teacher.del(`${scene.at}/enrollments/${id}`, { task: 'delete' }));
  expect(Object.keys(await stored())).not.toContain(String(other.id));
  ok(await save(teacher, [row(other, 50)]), 400);
  ok(await save(teacher, [row(student, null), row(sid, null), row(student2, null)]));
});

test('each change of an override is in the grade-change log, and in no history of assignments', async () => {
  const { student2, teacher: person, ta, course, at } = scene;
  const log = async (): Promise<Body[]> =>
    ok(
      await teacher.get('/audit/grade_change', { course_id: course.id, student_id: student2.id, assignment_id: 'override', per_page: 100 }),
    ).events;
  const before = (await log()).length;
  for (const [by, score] of [
    [person, 85],
    [person, 85],
    [ta, 95],
    [person, null],
  ] as const)
    ok(await save(as(by), [row(student2, score)]));
  expect((await log()).slice(0, (await log()).length - before)).toMatchObject([
    { course_override_grade: true, grade_before: 'A', grade_after: null, links: { assignment: null, grader: String(person.id) } },
    { course_override_grade: true, grade_before: 'B', grade_after: 'A', links: { grader: String(ta.id) } },
    { course_override_grade: true, grade_before: null, grade_after: 'B', links: { student: String(student2.id) } },
  ]);
  const history = JSON.stringify([
    ok(await teacher.get(`${at}/gradebook_history/days`)),
    ok(await teacher.get(`${at}/gradebook_history/feed`, { per_page: 100 })),
  ]);
  expect(history).not.toContain('"assignment_id":null');
  expect(history).not.toContain('"new_grade":"B"');
});

test('a merged user keeps the final grade', async () => {
  const { course } = scene;
  const [from, to] = [await ground.person(), await ground.person()];
  await ground.enroll(course, from, 'student');
  ok(await save(teacher, [row(from, 64)]));
  ok(await admin.put(`/users/${from.id}/merge_into/${to.id}`));
  expect((await stored())[to.id]).toEqual({ course_grade: { percentage: 64 } });
  expect(await gradesOf(teacher, to)).toMatchObject({ override_score: 64 });
});
