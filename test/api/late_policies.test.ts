// Late policies: the endpoints, what a late submission loses, and what changes it again.

import { env } from 'cloudflare:workers';
import { newMeter, open } from '@carrel/worker/database/open';
import { withDeductions } from '@carrel/worker/domains/late_policies/deduction';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
const platform = env as unknown as Platform;
const policyOf = (course: { id: number }) => `/courses/${course.id}/late_policy`;
const submissionOf = (course: { id: number }, task: number, person: Person) =>
  `/courses/${course.id}/assignments/${task}/submissions/${person.id}`;
const due = '2026-09-10T12:00:00Z';
const day = 86_400;
const after = (seconds: number) => new Date(Date.parse(due) + seconds * 1000).toISOString().replace('.000', '');
const daily = { late_submission_deduction_enabled: true, late_submission_deduction: 10 };
const grade = (scene: Scene, task: number, submission: object, student = scene.student) =>
  as(scene.teacher).put(submissionOf(scene.course, task, student), { submission });
/** Runs what falls due, a number of minutes after the tests begin. */
const inMinutes = (minutes: number) => tick(platform, Math.floor(Date.now() / 60_000 + minutes) * 60_000);

test('a course has one late policy, with percentages from 0 to 100', async () => {
  const { course, teacher, student, designer } = await aCourse(ground);
  const at = policyOf(course);
  ok(within(await as(teacher).get(at), 2), 404);
  ok(await as(teacher).patch(at, { late_policy: {} }), 404);
  ok(await as(student).get(at), 401);
  ok(await as(designer).post(at, {}), 401);
  expect(ok(await as(teacher).post(at, { late_policy: { late_submission_deduction: 101 } }), 422)).toMatchObject({
    errors: { late_submission_deduction: [{ type: 'inclusion' }] },
  });
  ok(await as(teacher).post(at, { late_policy: { late_submission_interval: 'week' } }), 422);
  const { late_policy } = ok(within(await as(teacher).post(at, { late_policy: daily }), 3), 201);
  expect(late_policy).toMatchObject({
    course_id: course.id,
    missing_submission_deduction_enabled: false,
    missing_submission_deduction: 0,
    late_submission_deduction_enabled: true,
    late_submission_deduction: 10,
    late_submission_interval: 'day',
    late_submission_minimum_percent_enabled: false,
    late_submission_minimum_percent: 0,
  });
  expect(ok(await as(teacher).post(at, {}), 400)).toMatchObject({ status: 'bad_request', errors: [{ message: expect.any(String) }] });
  ok(await as(teacher).patch(at, { late_policy: { missing_submission_deduction: -1 } }), 422);
  ok(await as(student).patch(at, { late_policy: { late_submission_deduction: 0 } }), 401);
  ok(within(await as(teacher).patch(at, { late_policy: { late_submission_interval: 'hour' } }), 3), 204);
  expect(ok(await as(teacher).get(at)).late_policy).toMatchObject({ late_submission_interval: 'hour', late_submission_deduction: 10 });
});

interface Case {
  readonly what: string;
  readonly policy?: object;
  readonly task?: object;
  readonly submission?: object;
  readonly graded: object;
  readonly is: object;
}

/** Handed in this many seconds late. */
const handedIn = (seconds: number, more: object = {}) => ({
  submission_type: 'online_text_entry',
  submitted_at: after(seconds),
  attempt: 1,
  workflow_state: 'submitted',
  ...more,
});
const ten = { posted_grade: '10' };
const untouched = { score: 10, entered_score: 10, grade: '10', entered_grade: '10', points_deducted: null };

const cases: readonly Case[] = [
  {
    what: 'a begun day counts as a day',
    submission: handedIn(day + 1),
    graded: ten,
    is: { score: 8, grade: '8', entered_score: 10, entered_grade: '10', points_deducted: 2, late: true, seconds_late: day + 1 },
  },
  { what: 'a whole day is one day', submission: handedIn(day), graded: ten, is: { score: 9, points_deducted: 1 } },
  { what: 'on the second is in time', submission: handedIn(0), graded: ten, is: { ...untouched, late: false } },
  {
    what: 'by the hour',
    policy: { late_submission_interval: 'hour', late_submission_deduction: 1.5 },
    submission: handedIn(3601),
    graded: { posted_grade: '9' },
    is: { score: 8.7, grade: '8.7', entered_score: 9, points_deducted: 0.3 },
  },
  {
    what: 'no lower than the lowest percentage',
    policy: { late_submission_minimum_percent_enabled: true, late_submission_minimum_percent: 40 },
    submission: handedIn(20 * day),
    graded: { posted_grade: '8' },
    is: { score: 4, points_deducted: 4 },
  },
  {
    what: 'a grade below the lowest percentage stays',
    policy: { late_submission_minimum_percent_enabled: true, late_submission_minimum_percent: 40 },
    submission: handedIn(day),
    graded: { posted_grade: '3' },
    is: { score: 3, entered_score: 3, points_deducted: 0, grade: '3' },
  },
  { what: 'never below zero', submission: handedIn(50 * day), graded: { posted_grade: '7' }, is: { score: 0, points_deducted: 7 } },
  { what: 'a negative grade stays', submission: handedIn(day), graded: { posted_grade: '-2' }, is: { score: -2, points_deducted: 0 } },
  {
    what: 'percent',
    task: { grading_type: 'percent', points_possible: 20 },
    submission: handedIn(1),
    graded: { posted_grade: '95%' },
    is: { score: 17, grade: '85%', entered_score: 19, entered_grade: '95%', points_deducted: 2 },
  },
  {
    what: 'letters',
    task: { grading_type: 'letter_grade', points_possible: 100 },
    submission: handedIn(1),
    graded: { posted_grade: 'A' },
    is: { score: 90, grade: 'A-', entered_score: 100, entered_grade: 'A', points_deducted: 10 },
  },
  {
    what: 'complete or not is never lowered',
    task: { grading_type: 'pass_fail' },
    submission: handedIn(day),
    graded: { posted_grade: 'complete' },
    is: { score: 10, grade: 'complete', entered_grade: 'complete', points_deducted: null },
  },
  { what: 'no points, no deduction', task: { points_possible: 0 }, submission: handedIn(day), graded: ten, is: untouched },
  { what: 'switched off', policy: { late_submission_deduction_enabled: false }, submission: handedIn(day), graded: ten, is: untouched },
  { what: 'on paper', task: { submission_types: ['on_paper'] }, submission: handedIn(day), graded: ten, is: untouched },
  {
    what: 'on paper, but set late by hand',
    task: { submission_types: ['on_paper'] },
    graded: { ...ten, late_policy_status: 'late', seconds_late_override: 2 * day },
    is: { score: 8, entered_score: 10, points_deducted: 2, late: true, seconds_late: 2 * day, late_policy_status: 'late' },
  },
  {
    what: 'late by hand, without seconds',
    graded: { ...ten, late_policy_status: 'late' },
    is: { score: 10, points_deducted: 0, late: true },
  },
  {
    what: 'set to none by hand',
    submission: handedIn(day),
    graded: { ...ten, late_policy_status: 'none' },
    is: { ...untouched, late: false },
  },
  { what: 'extended', submission: handedIn(day), graded: { ...ten, late_policy_status: 'extended' }, is: untouched },
  { what: 'nothing handed in', graded: ten, is: untouched },
  {
    what: 'a quiz has a minute',
    task: { submission_types: ['online_quiz'] },
    submission: handedIn(60, { submission_type: 'online_quiz' }),
    graded: ten,
    is: untouched,
  },
  {
    what: 'a tool',
    task: { submission_types: ['external_tool'] },
    submission: handedIn(61, { submission_type: 'basic_lti_launch' }),
    graded: ten,
    is: { score: 9, points_deducted: 1 },
  },
  { what: 'excused', submission: handedIn(day), graded: { excuse: true }, is: { score: null, entered_score: null, points_deducted: null } },
  {
    what: 'a grade that says nothing',
    submission: handedIn(day),
    graded: { posted_grade: 'so so' },
    is: { score: null, grade: null, entered_grade: null },
  },
];

test('a late submission loses what the policy says, and the entered grade is kept', async () => {
  const scene = await aCourse(ground);
  const { teacher, student } = scene;
  for (const { what, policy = {}, task = {}, submission, graded, is } of cases) {
    const course: BuiltCourse = await ground.course();
    await ground.enroll(course, teacher, 'teacher');
    await ground.enroll(course, student, 'student');
    const values = { points_possible: 10, due_at: due, submission_types: ['online_text_entry'], ...task };
    const id = await ground.assignment(course, values);
    await ground.latePolicy(course, { ...daily, ...policy });
    if (submission) await ground.submission(course, id, student, submission);
    const result = ok(within(await grade({ ...scene, course }, id, graded), 3));
    expect(result, what).toMatchObject(is);
    // What is stored is what the response said.
    expect(ok(await as(student).get(submissionOf(course, id, student))), what).toMatchObject(is);
  }
});

test('for any policy, date and score, what counts is what the rule gives in decimals', async () => {
  const random = fc.sample(
    fc.record({
      halfPoints: fc.integer({ min: 1, max: 60 }),
      tenthsOfPercent: fc.integer({ min: 1, max: 400 }),
      lowest: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      isHourly: fc.boolean(),
      seconds: fc.integer({ min: 1, max: 3 * day }),
      cents: fc.integer({ min: 0, max: 4000 }),
    }),
    { numRuns: 50, seed: 17 },
  );
  // 1.5 % of one point is a half of a cent, and less than that in binary fractions.
  const half = { halfPoints: 2, tenthsOfPercent: 15, lowest: undefined, isHourly: false, seconds: 1, cents: 100 };
  const given = await Promise.all(
    [half, { ...half, seconds: 2 * day + 1 }, ...random].map(async (one) => {
      const course: BuiltCourse = await ground.course();
      const student = await ground.person();
      const values = { points_possible: one.halfPoints / 2, due_at: due, submission_types: ['online_text_entry'] };
      const assignment_id = await ground.assignment(course, values);
      await ground.latePolicy(course, {
        late_submission_deduction_enabled: true,
        late_submission_deduction: one.tenthsOfPercent / 10,
        late_submission_interval: one.isHourly ? 'hour' : 'day',
        late_submission_minimum_percent_enabled: one.lowest !== undefined,
        late_submission_minimum_percent: one.lowest ?? 0,
      });
      const id = await ground.submission(course, assignment_id, student, handedIn(one.seconds) as never);
      return { ...one, row: { id, assignment_id, user_id: student.id, score: one.cents / 100, grade: String(one.cents / 100) } };
    }),
  );
  const columns = ['id', 'assignment_id', 'user_id', 'score', 'grade'].map((name) => `value ->> '${name}' as ${name}`);
  const entered = sql`select ${sql.raw(columns.join(', '))} from json_each(${JSON.stringify(given.map(({ row }) => row))})`;
  const db = open(env.DB as never, newMeter(), 'first-primary');
  const [counted] = await db.perform([
    db.build.all<{ id: number; deducted: number; counted_score: number }>(
      sql`select result.id, result.deducted, result.counted_score from (${withDeductions(entered, after(9 * day))}) result`,
    ),
  ]);
  for (const { row, halfPoints, tenthsOfPercent, lowest = 0, isHourly, seconds, cents } of given) {
    const begun = Math.ceil(seconds / (isHourly ? 3600 : day));
    // In twentieths of a cent, in which everything is whole.
    const most = Math.max(20 * cents - 10 * lowest * halfPoints, 0);
    const lost = Math.floor((Math.min(halfPoints * tenthsOfPercent * begun, most) + 10) / 20);
    const result = counted.find(({ id }) => id === row.id);
    const is = { deducted: lost / 100, counted_score: (cents - lost) / 100 };
    expect(result, JSON.stringify({ halfPoints, tenthsOfPercent, lowest, isHourly, seconds, cents })).toEqual({ id: row.id, ...is });
  }
});

async function lateWork(more: { policy?: object; task?: object } = {}) {
  const scene = await aCourse(ground);
  await ground.latePolicy(scene.course, { ...daily, ...more.policy });
  const task = await ground.assignment(scene.course, {
    points_possible: 10,
    due_at: due,
    submission_types: ['online_text_entry'],
    ...more.task,
  });
  await ground.submission(scene.course, task, scene.student, handedIn(day) as never);
  expect(ok(await grade(scene, task, ten))).toMatchObject({ score: 9, entered_score: 10 });
  const now = async (person = scene.student) => ok(await as(scene.teacher).get(submissionOf(scene.course, task, person)));
  return { ...scene, task, now };
}

test('a new due date, an override or another policy lowers or restores grades that were given', async () => {
  const scene = await lateWork();
  const { course, teacher, student, task, now } = scene;
  const at = `/courses/${course.id}/assignments/${task}`;
  ok(await as(teacher).put(at, { assignment: { due_at: after(2 * day) } }));
  await inMinutes(1);
  expect(await now()).toMatchObject({ score: 10, grade: '10', entered_score: 10, points_deducted: null, late: false });
  ok(await as(teacher).put(at, { assignment: { due_at: after(-2 * day) } }));
  await inMinutes(2);
  expect(await now()).toMatchObject({ score: 7, grade: '7', entered_score: 10, entered_grade: '10', points_deducted: 3 });
  const assignment_override = { student_ids: [student.id], due_at: due };
  const { id } = ok(await as(teacher).post(`${at}/overrides`, { assignment_override }), 201);
  await inMinutes(3);
  expect(await now()).toMatchObject({ score: 9, points_deducted: 1, cached_due_date: due });
  ok(await as(teacher).del(`${at}/overrides/${id}`));
  await inMinutes(4);
  expect(await now()).toMatchObject({ score: 7, points_deducted: 3 });
  ok(await as(teacher).patch(policyOf(course), { late_policy: { late_submission_deduction: 20 } }), 204);
  await inMinutes(5);
  expect(await now()).toMatchObject({ score: 4, entered_score: 10, points_deducted: 6 });
  ok(await as(teacher).patch(policyOf(course), { late_policy: { late_submission_deduction_enabled: false } }), 204);
  await inMinutes(6);
  expect(await now()).toMatchObject({ score: 10, grade: '10', entered_score: 10, entered_grade: '10', points_deducted: null });
});

test('a new attempt and a status set by hand decide again what a grade counts', async () => {
  const scene = await lateWork();
  const { course, teacher, student, task } = scene;
  const again = { submission_type: 'online_text_entry', body: 'Again', user_id: student.id, submitted_at: after(-1) };
  expect(
    ok(within(await as(teacher).post(`/courses/${course.id}/assignments/${task}/submissions`, { submission: again }), 3), 201),
  ).toMatchObject({
    attempt: 2,
    score: 10,
    entered_score: 10,
    points_deducted: null,
    grade_matches_current_submission: false,
  });
  expect(ok(await grade(scene, task, { late_policy_status: 'late', seconds_late_override: day + 1 }))).toMatchObject({
    score: 8,
    entered_score: 10,
    points_deducted: 2,
    late: true,
  });
  expect(ok(await grade(scene, task, { seconds_late_override: 1 }))).toMatchObject({ score: 9 });
  expect(ok(await grade(scene, task, { late_policy_status: '' }))).toMatchObject({
    score: 10,
    points_deducted: null,
    late_policy_status: null,
  });
  const history = ok(await as(teacher).get(submissionOf(course, task, student), { include: ['submission_history'] })).submission_history;
  expect(history[0]).toMatchObject({ attempt: 1, score: 9, entered_score: 10, entered_grade: '10', points_deducted: 1 });
});

test('a copied course has the late policy of its source', async () => {
  const scene = await lateWork();
  const target = await ground.course();
  await ground.enroll(target, scene.teacher, 'teacher');
  const copy = ok(await as(scene.teacher).post(`/courses/${target.id}/course_copy`, { source_course: scene.course.id }));
  await expect
    .poll(async () => ok(await as(scene.teacher).get(`/courses/${target.id}/course_copy/${copy.id}`)).workflow_state)
    .toBe('completed');
  expect(ok(await as(scene.teacher).get(policyOf(target))).late_policy).toMatchObject(daily);
});

test('the first post of a graded discussion lowers a grade that was given before it', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  await ground.latePolicy(course, daily);
  const assignment = { points_possible: 10, due_at: due };
  const topic = ok(await as(teacher).post(`/courses/${course.id}/discussion_topics`, { title: 'Tides', published: true, assignment }));
  expect(ok(await grade(scene, topic.assignment_id, ten))).toMatchObject({ score: 10 });
  ok(await as(student).post(`/courses/${course.id}/discussion_topics/${topic.id}/entries`, { message: 'The moon.' }), 201);
  const result = ok(await as(teacher).get(submissionOf(course, topic.assignment_id, student)));
  expect(result).toMatchObject({ entered_score: 10, late: true, points_deducted: expect.any(Number) });
});

test('in a closed grading period a policy changes nothing any more', async () => {
  const { course, teacher, student, student2, task, now } = await lateWork();
  const closed = { title: 'Autumn', start_date: '2026-09-01T00:00:00Z', end_date: '2026-09-30T00:00:00Z' };
  ok(await as(teacher).patch(`/courses/${course.id}/grading_periods/batch_update`, { grading_periods: [closed] }));
  const policy = { late_submission_deduction: 50, missing_submission_deduction_enabled: true, missing_submission_deduction: 100 };
  ok(await as(teacher).patch(policyOf(course), { late_policy: policy }), 204);
  await inMinutes(1);
  expect(await now()).toMatchObject({ score: 9, entered_score: 10, points_deducted: 1 });
  expect(await now(student2)).toMatchObject({ score: null, workflow_state: 'unsubmitted' });
  ok(await as(await ground.admin()).put(submissionOf(course, task, student), { submission: { posted_grade: '8' } }));
  expect(await now()).toMatchObject({ score: 8, entered_score: 8, points_deducted: null });
});
