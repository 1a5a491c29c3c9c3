// Missing submissions: the score that the late policy gives when a due date passes, to whom, and what takes it back.

import { env } from 'cloudflare:workers';
import { wireTime } from '@carrel/shared/wire/fields';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { expect, test } from 'vitest';
import { as, ground, manyStudents, ok } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
const platform = env as unknown as Platform;
const minute = 60_000;
/** A time in minutes from now. */
const inMinutes = (minutes: number) => wireTime(Math.floor(Date.now() / minute + minutes) * minute);
const run = (minutes: number) => tick(platform, Date.parse(inMinutes(minutes)));
const missing = { missing_submission_deduction_enabled: true, missing_submission_deduction: 75 };

const at = ({ course }: Scene, id: number, person: Person) => `/courses/${course.id}/assignments/${id}/submissions/${person.id}`;
const of = async (scene: Scene, id: number, person: Person) => ok(await as(scene.teacher).get(at(scene, id, person)));
const grade = async (scene: Scene, id: number, person: Person, submission: object) =>
  ok(await as(scene.teacher).put(at(scene, id, person), { submission }));
async function task({ course, teacher }: Scene, more: object = {}): Promise<number> {
  const assignment = {
    name: 'Essay',
    published: true,
    points_possible: 10,
    due_at: inMinutes(-60),
    submission_types: ['online_text_entry'],
    ...more,
  };
  return ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201).id;
}
const policy = ({ course }: Scene) => `/courses/${course.id}/late_policy`;
const given = {
  score: 2.5,
  grade: '2.5',
  entered_score: 2.5,
  points_deducted: null,
  workflow_state: 'graded',
  missing: true,
  grader_id: null,
};
const none = { score: null, grade: null, workflow_state: 'unsubmitted', graded_at: null };

test('a New Quiz that no one has taken is missing after its due date, and gets the score', async () => {
  const scene = await aCourse(ground);
  ok(await as(scene.teacher).post(policy(scene), { late_policy: missing }), 201);
  const quiz = { title: 'Cells', points_possible: 10, published: true, due_at: inMinutes(-60) };
  const id = Number(ok(await as(scene.teacher).post(`/api/quiz/v1/courses/${scene.course.id}/quizzes`, { quiz })).id);
  const tool = await task(scene, { submission_types: ['external_tool'] });
  expect(await of(scene, id, scene.student)).toMatchObject({ missing: true, late: false });
  await run(5);
  expect(await of(scene, id, scene.student)).toMatchObject(given);
  expect(await of(scene, tool, scene.student)).toMatchObject({ ...none, missing: false });
});

test('what is missing gets its score when the due date of the student passes, and never before', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  ok(await as(teacher).post(policy(scene), { late_policy: missing }), 201);
  const id = await task(scene, { due_at: inMinutes(10) });
  const assignment_override = { student_ids: [student2.id], due_at: inMinutes(20) };
  ok(await as(teacher).post(`/courses/${course.id}/assignments/${id}/overrides`, { assignment_override }), 201);
  await run(5);
  expect(await of(scene, id, student)).toMatchObject(none);
  await run(11);
  // Without waiting: whether it is missing by now depends on the clock.
  const { missing: _, ...scored } = given;
  expect(await of(scene, id, student)).toMatchObject({ ...scored, grade_matches_current_submission: true, posted_at: expect.any(String) });
  expect(ok(await as(student).get(at(scene, id, student)))).toMatchObject({ score: 2.5 });
  expect(await of(scene, id, student2)).toMatchObject(none);
  await run(21);
  expect(await of(scene, id, student2)).toMatchObject(scored);
});

test('a missing score depends on the assignment, and goes to no one who is graded, excused or has submitted', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const tasks = {
    points: await task(scene),
    complete: await task(scene, { grading_type: 'pass_fail' }),
    letter: await task(scene, { grading_type: 'letter_grade', points_possible: 100 }),
    manual: await task(scene, { post_manually: true }),
    paper: await task(scene, { submission_types: ['on_paper'] }),
    ungraded: await task(scene, { grading_type: 'not_graded' }),
    draft: await task(scene, { published: false }),
    others: await task(scene, { only_visible_to_overrides: true }),
    paperByHand: await task(scene, { submission_types: ['on_paper'] }),
  };
  await grade(scene, tasks.points, student2, { posted_grade: '9' });
  await grade(scene, tasks.complete, student2, { excuse: true });
  await grade(scene, tasks.letter, student2, { late_policy_status: 'none' });
  ok(
    await as(student2).post(`/courses/${course.id}/assignments/${tasks.manual}/submissions`, {
      submission: { submission_type: 'online_text_entry', body: 'Late' },
    }),
    201,
  );
  ok(await as(teacher).post(policy(scene), { late_policy: missing }), 201);
  await run(1);
  expect(await of(scene, tasks.points, student)).toMatchObject(given);
  expect(await of(scene, tasks.complete, student)).toMatchObject({ score: 0, grade: 'incomplete' });
  expect(await of(scene, tasks.letter, student)).toMatchObject({ score: 25, grade: 'F' });
  expect(await of(scene, tasks.manual, student)).toMatchObject({ ...given, posted_at: null });
  expect(ok(await as(student).get(at(scene, tasks.manual, student))).score).toBe(undefined);
  for (const id of [tasks.paper, tasks.ungraded, tasks.draft]) expect(await of(scene, id, student)).toMatchObject(none);
  ok(await as(teacher).get(at(scene, tasks.others, student)), 404);
  expect(await of(scene, tasks.points, student2)).toMatchObject({ score: 9, missing: false });
  expect(await of(scene, tasks.complete, student2)).toMatchObject({ score: null, excused: true });
  expect(await of(scene, tasks.letter, student2)).toMatchObject({ score: null });
  expect(await of(scene, tasks.manual, student2)).toMatchObject({ score: null, workflow_state: 'submitted', late: true });
  // Set by hand, even where nothing is submitted online; and taken back with the status.
  const byHand = await grade(scene, tasks.paperByHand, student, { late_policy_status: 'missing' });
  expect(byHand).toMatchObject({ score: 2.5, missing: true, late_policy_status: 'missing' });
  expect(await grade(scene, tasks.paperByHand, student, { late_policy_status: 'none' })).toMatchObject({ score: null, missing: false });
});

test('a later date, a percentage, a grade or the end of the policy change or remove a missing score', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const id = await task(scene);
  ok(await as(teacher).post(policy(scene), { late_policy: missing }), 201);
  await run(1);
  expect(await of(scene, id, student)).toMatchObject(given);
  ok(await as(teacher).put(`/courses/${course.id}/assignments/${id}`, { assignment: { due_at: inMinutes(600) } }));
  await run(2);
  expect(await of(scene, id, student)).toMatchObject({ ...none, posted_at: null });
  ok(await as(teacher).put(`/courses/${course.id}/assignments/${id}`, { assignment: { due_at: inMinutes(-600) } }));
  await run(3);
  ok(await as(teacher).patch(policy(scene), { late_policy: { missing_submission_deduction: 60 } }), 204);
  await run(4);
  expect(await of(scene, id, student)).toMatchObject({ score: 4, grade: '4' });
  expect(await grade(scene, id, student, { posted_grade: '6' })).toMatchObject({ score: 6, grader_id: teacher.id, missing: false });
  // Submitting leaves the automatic score until the next grade or recomputation.
  ok(
    await as(student2).post(`/courses/${course.id}/assignments/${id}/submissions`, {
      submission: { submission_type: 'online_text_entry', body: 'Late' },
    }),
    201,
  );
  expect(await of(scene, id, student2)).toMatchObject({ score: 4, workflow_state: 'submitted', grade_matches_current_submission: false });
  ok(await as(teacher).patch(policy(scene), { late_policy: { missing_submission_deduction_enabled: false } }), 204);
  await run(5);
  expect(await of(scene, id, student)).toMatchObject({ score: 6 });
  expect(await of(scene, id, student2)).toMatchObject({ score: null, workflow_state: 'submitted' });
  // A cleared grade is missing again only under a policy.
  ok(await as(teacher).patch(policy(scene), { late_policy: { missing_submission_deduction_enabled: true } }), 204);
  expect(await grade(scene, id, student, { posted_grade: '' })).toMatchObject({ score: 4, grader_id: null });
});

test('a student who joins a course, a section or a group after the due date gets the missing score by the clock', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const client = as(teacher);
  ok(await client.post(policy(scene), { late_policy: missing }), 201);
  const queued = () => env.DB.prepare('select count(*) as n from late_policy_runs where course_id = ?').bind(course.id).first<number>('n');
  const ahead = await task(scene, { due_at: inMinutes(600) });
  await run(1);
  const waiting = await queued();
  const early = await ground.person();
  await ground.enroll(course, early, 'student');
  expect(await queued(), 'nothing is due yet').toBe(waiting);

  const id = await task(scene);
  const section = await ground.section(course, { name: 'Evening' });
  const ofSection = await task(scene, { due_at: null, only_visible_to_overrides: true });
  const assignment_override = { course_section_id: section, due_at: inMinutes(-60) };
  ok(await client.post(`/courses/${course.id}/assignments/${ofSection}/overrides`, { assignment_override }), 201);
  await run(2);
  expect(await of(scene, id, student)).toMatchObject(given);

  const [late, invited] = [await ground.person(), await ground.person()];
  await ground.enroll(course, late, 'student');
  const invitation = await ground.enroll(course, invited, 'student', { enrollment_state: 'invited' });
  expect(await of(scene, id, late)).toMatchObject(none);
  await run(3);
  expect(await of(scene, id, late)).toMatchObject(given);
  expect(await of(scene, ahead, late)).toMatchObject(none);
  ok(await as(invited).post(`/courses/${course.id}/enrollments/${invitation}/accept`));
  await run(4);
  expect(await of(scene, id, invited)).toMatchObject(given);

  ok(
    await as(await ground.admin()).post(`/sections/${section}/enrollments`, {
      enrollment: { user_id: student2.id, type: 'StudentEnrollment', enrollment_state: 'active' },
    }),
  );
  await run(5);
  expect(await of(scene, ofSection, student2)).toMatchObject(given);

  // An assignment in a module for some students is assigned to those who are added.
  const module = ok(await client.post(`/courses/${course.id}/modules`, { module: { name: 'Week' } }));
  ok(await client.put(`/courses/${course.id}/modules/${module.id}`, { module: { published: true } }));
  ok(await client.post(`/courses/${course.id}/modules/${module.id}/items`, { module_item: { type: 'Assignment', content_id: id } }));
  const assign = (...students: Person[]) =>
    client.put(`/courses/${course.id}/modules/${module.id}/assignment_overrides`, {
      overrides: [{ student_ids: students.map((one) => one.id) }],
    });
  ok(await assign(student), 204);
  await run(6);
  expect(await of(scene, id, student)).toMatchObject(given);
  expect(await of(scene, id, late), 'it is no longer assigned').toMatchObject(none);
  ok(await assign(student, late), 204);
  await run(7);
  expect(await of(scene, id, late)).toMatchObject(given);
  const items = `/courses/${course.id}/modules/${module.id}/items`;
  const other = await task(scene, { due_at: inMinutes(-60) });
  const left = ok(await client.post(items, { module_item: { type: 'Assignment', content_id: other } }));
  ok(await assign(student), 204);
  await run(8);
  // An item of the module.
  ok(await client.get(at(scene, other, late)), 404);
  ok(await client.del(`${items}/${left.id}`));
  await run(9);
  expect(await of(scene, other, late), 'no longer an item').toMatchObject(given);
  expect(await of(scene, id, late)).toMatchObject(none);
  ok(await client.del(`/courses/${course.id}/modules/${module.id}`));
  await run(10);
  expect(await of(scene, id, late), 'no module any more').toMatchObject(given);

  const category = ok(await client.post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const group = ok(await client.post(`/group_categories/${category.id}/groups`, { name: 'One' }));
  const ofGroup = await task(scene, { due_at: null, only_visible_to_overrides: true, group_category_id: category.id });
  ok(
    await client.post(`/courses/${course.id}/assignments/${ofGroup}/overrides`, {
      assignment_override: { group_id: group.id, due_at: inMinutes(-60) },
    }),
    201,
  );
  await run(11);
  ok(await client.post(`/groups/${group.id}/memberships`, { user_id: late.id }));
  await run(12);
  expect(await of(scene, ofGroup, late)).toMatchObject(given);
});

test('a large course gets its missing scores in bounded steps', async () => {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  await manyStudents(1200, course, 700_000, 'Many');
  const ids = [await task(scene), await task(scene)];
  ok(await as(teacher).post(policy(scene), { late_policy: missing }), 201);
  await run(1);
  const [scored] = await ground.db.all<{ n: number }>(
    `select count(*) as n from submissions where course_id = ${course.id} and is_missing_score and score = 2.5`,
  );
  expect(scored?.n).toBe(1202 * ids.length);
  const chores = ok(await as(await ground.admin()).get('/accounts/1/chores')) as {
    name: string;
    rows_written: number;
    last_error: string | null;
  }[];
  const chore = chores.find(({ name }) => name === 'apply_late_policies');
  expect(chore?.last_error).toBe(null);
});
