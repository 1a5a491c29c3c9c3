// Budgets of assignment groups, assignments, overrides and submissions.

import { env } from 'cloudflare:workers';
import { enrollments } from '@carrel/worker/domains/enrollments/table';
import { users } from '@carrel/worker/domains/users/table';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { type Budget, few, fillRows, fillTime, holdBudgets, inBulk, lots, type Scene, type Twins, twins } from '../support/budgets';
import type { BuiltCourse } from '../support/ground';

interface Work extends Scene {
  /** Assigned to everyone, and submitted by half of them. */
  readonly assignment: number;
  /** Every student has an override for it. */
  readonly dated: number;
  readonly moderated: number;
  /** A course with only the bulk students and their submissions. */
  readonly hall: BuiltCourse;
  /** A section with the first of the bulk students. */
  readonly crowd: number;
}

let scenes: Twins<Work>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";
const soon = `strftime('%Y-%m-%dT%H:%M:%SZ', 4000000000 + n * 60, 'unixepoch')`;
const people = 2 ** 26;

async function withCrowd(scene: Scene, count: number): Promise<Work> {
  const hall = await ground.course();
  await ground.enroll(hall, scene.teacher, 'teacher');
  const moderation = { moderated_grading: true, grader_count: 1 };
  const give = async (name: string, more: object = {}) =>
    ok(
      await as(scene.teacher).post(`/courses/${hall.id}/assignments`, {
        assignment: { name, points_possible: 10, published: true, submission_types: ['online_text_entry'], ...more },
      }),
      201,
    ).id;
  const crowd = count * 100;
  await many(count, users, { id: sql`${crowd} + n`, name: nth('S'), short_name: 'S', sortable_name: 'S', uuid: nth(`u${count}-`) });
  await many(count, enrollments, {
    user_id: sql`${crowd} + n`,
    course_id: hall.id,
    course_section_id: hall.section_id,
    type: 'StudentEnrollment',
    role_id: 3,
    enrollment_state: 'active',
    sortable_name: sql`printf('S%05d', n)`,
  });
  return {
    ...scene,
    hall,
    assignment: await give('Essay'),
    dated: await give('Dated'),
    moderated: await give('Moderated', moderation),
    crowd,
  };
}

beforeAll(async () => {
  const { small, large } = await twins(ground);
  const crowded = async () => {
    scenes = { small: await withCrowd(small, few), large: await withCrowd(large, lots) };
  };
  await inBulk(async () => {
    await crowded();
    await fillAll();
  });
}, fillTime);

async function fillAll(): Promise<void> {
  await fillRows(
    scenes,
    'assignment_groups',
    'course_id, name, position, created_at, updated_at',
    ({ course }) => `${course.id}, 'G' || n, n + 1, ${stamp}`,
  );
  await fillRows(
    scenes,
    'assignments',
    'course_id, assignment_group_id, name, position, points_possible, submission_types, due_at, workflow_state, lti_context_id, created_at, updated_at',
    ({ course }) =>
      `${course.id}, ${course.assignment_group_id}, printf('Task %05d', n), n + 1, 10, '["online_text_entry"]', ${soon}, 'published', 'x', ${stamp}`,
  );
  await fillRows(
    scenes,
    'submissions',
    'id, course_id, assignment_id, user_id, attempt, submission_type, body, submitted_at, workflow_state, created_at, updated_at',
    ({ hall, assignment, crowd }) =>
      `${assignment} * ${people} + ${crowd} + n, ${hall.id}, ${assignment}, ${crowd} + n, 1, 'online_text_entry', 'x', '2026-09-02T08:00:00Z', 'submitted', ${stamp}`,
  );
  await fillRows(
    scenes,
    'submissions',
    'id, course_id, assignment_id, user_id, score, grade, graded_at, posted_at, workflow_state, created_at, updated_at',
    ({ hall, dated, crowd }) =>
      `${dated} * ${people} + ${crowd} + n, ${hall.id}, ${dated}, ${crowd} + n, 9, '9', strftime('%Y-%m-%dT%H:%M:%SZ', 1788000000 + n / 5, 'unixepoch'), '2026-09-03T08:00:00Z', 'graded', ${stamp}`,
  );
  await fillRows(
    scenes,
    'submissions',
    'id, course_id, assignment_id, user_id, attempt, submission_type, body, submitted_at, score, grade, graded_attempt, graded_at, posted_at, workflow_state, created_at, updated_at',
    ({ course, student }) => {
      const task = `((select min(id) from assignments where course_id = ${course.id} and name = 'Task 00001') + n - 1)`;
      return `${task} * ${people} + ${student.id}, ${course.id}, ${task}, ${student.id}, 1, 'online_text_entry', 'x', '2026-09-02T08:00:00Z', 9, '9', 1, strftime('%Y-%m-%dT%H:%M:%SZ', 1788000000 + n / 5000, 'unixepoch'), '2026-09-03T08:00:00Z', 'graded', ${stamp}`;
    },
  );
  await fillRows(
    scenes,
    'assignments',
    'course_id, assignment_group_id, name, position, points_possible, submission_types, due_at, workflow_state, lti_context_id, created_at, updated_at',
    ({ course }) =>
      `${course.id}, ${course.assignment_group_id}, printf('Missed %05d', n), n + 20001, 10, '["online_text_entry"]', strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + n * 60, 'unixepoch'), 'published', 'x', ${stamp}`,
  );
  await fillRows(
    scenes,
    'assignment_overrides',
    'assignment_id, course_id, set_type, title, due_at, due_at_overridden, created_at, updated_at',
    ({ hall, dated }) => `${dated}, ${hall.id}, 'ADHOC', 'O' || n, ${soon}, 1, ${stamp}`,
  );
  await fillRows(
    scenes,
    'assignment_override_students',
    'assignment_override_id, assignment_id, user_id',
    ({ dated, crowd }) => `((select min(id) from assignment_overrides where assignment_id = ${dated}) + n - 1), ${dated}, ${crowd} + n`,
  );
  await fillRows(
    scenes,
    'moderation_selections',
    'submission_id, created_at, updated_at',
    ({ moderated, crowd }) => `${moderated} * ${people} + ${crowd} + n, ${stamp}`,
  );
  // Each student reviews the one before, and all of them the first.
  const review = 'assignment_id, submission_id, assessor_id, created_at, updated_at';
  await fillRows(
    scenes,
    'assessment_requests',
    review,
    ({ assignment, crowd }) => `${assignment}, ${assignment} * ${people} + ${crowd} + n, ${crowd} + n - 1, ${stamp}`,
  );
  await fillRows(
    scenes,
    'assessment_requests',
    review,
    ({ dated, crowd }) => `${dated}, ${dated} * ${people} + ${crowd} + 1, ${crowd} + n, ${stamp}`,
  );
}

type Path = (scene: Work) => string;
const asked = (by: 'student' | 'teacher', path: Path, query: object = {}, more: Partial<Budget<Work>> = {}): Budget<Work> => ({
  with: `as a ${by} ${JSON.stringify(query)}`,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  query: () => query,
  ...more,
});
/** The same request as a student and as a teacher. */
const both = (path: Path, query: object = {}, more: Partial<Budget<Work>> = {}): Budget<Work>[] => [
  asked('student', path, query, more),
  asked('teacher', path, query, more),
];
const inCourse =
  (rest: string): Path =>
  ({ course }) =>
    `/courses/${course.id}${rest}`;
const inHall =
  (rest: Path): Path =>
  (scene) =>
    `/courses/${scene.hall.id}${rest(scene)}`;
const inSection =
  (rest: Path): Path =>
  (scene) =>
    `/sections/${scene.hall.section_id}${rest(scene)}`;

const datedForAll = { madeOf: ['assignment', 'override', 'submission that waits'] };
const given = { madeOf: ['assignment', 'override', 'module item', 'discussion'] };
const withWork = { madeOf: [...given.madeOf, 'submission'] };
const slot = { madeOf: ['student', 'enrollment', 'submission'] };
/** A page is cheap, and its start is found among students who all have one name here. */
const cheapSlot = { ...slot, beside: [30, 'students of the same name before the page are passed over'] as const };
const slotWithPerson = { madeOf: [...slot.madeOf, 'person', 'login', 'address'] };
const slots = { madeOf: ['student', 'enrollment', 'submission', 'assignment', 'override', 'module item'] };
const lookedThrough = { ...withWork, looksThrough: 250 };

const list = inCourse('/assignments');
const gradeable: Path = ({ assignment }) => `/assignments/${assignment}/gradeable_students`;
const gradeableIn: Path = ({ assignment }) => `/assignments/gradeable_students?assignment_ids[]=${assignment}`;
const submissions: Path = ({ assignment }) => `/assignments/${assignment}/submissions`;
const dated: Path = (scene) => `/assignments/${scene.dated}/overrides`;
const flat: Path = () => '/students/submissions';
const grouped: Path = ({ assignment }) => `/students/submissions?assignment_ids[]=${assignment}`;
const all = { student_ids: ['all'] };
const reviews: Path = ({ assignment }) => `/assignments/${assignment}/peer_reviews`;
const reviewsOfOne: Path = (scene) => `/assignments/${scene.dated}/submissions/${scene.dated * people + scene.crowd + 1}/peer_reviews`;
const review = { madeOf: ['peer review', 'student', 'enrollment'] };
const moderated: Path = (scene) => `/assignments/${scene.moderated}/moderated_students`;
const withNames = { include: ['user', 'submission_comments'] };

/** The three assignments of the hall, with all its students and submissions. */
const ofHall = { page: 3, unpaged: true, madeOf: ['assignment', 'figures', 'submission', 'override', 'module item'] };
const summary = { madeOf: ['student', 'enrollment', 'submission', 'assignment', 'override', 'override of a student'] };

holdBudgets<Work, 'work'>(() => scenes, {
  'GET /courses/:course_id/analytics/assignments': [
    asked(
      'teacher',
      inHall(() => '/analytics/assignments'),
      {},
      ofHall,
    ),
  ],
  'GET /courses/:course_id/analytics/student_summaries': [
    'name',
    'name_descending',
    'page_views_descending',
    'participations',
    'score',
  ].map((sort_column) =>
    asked(
      'teacher',
      inHall(() => '/analytics/student_summaries'),
      { sort_column },
      summary,
    ),
  ),
  'GET /courses/:course_id/analytics/users/:user_id/assignments': [
    asked(
      'teacher',
      inHall(({ crowd }) => `/analytics/users/${crowd + 1}/assignments`),
      {},
      ofHall,
    ),
  ],
  'GET /courses/:course_id/assignment_groups': both(inCourse('/assignment_groups')),
  'GET /courses/:course_id/assignment_groups/:id/assignments': both(
    ({ course }) => `/courses/${course.id}/assignment_groups/${course.assignment_group_id}/assignments`,
    {},
    given,
  ),
  'GET /courses/:course_id/assignments': [
    ...[{}, { order_by: 'name' }].flatMap((query) => [asked('student', list, query, given), asked('teacher', list, query)]),
    asked('student', list, { include: ['submission'] }, withWork),
    ...[{}, { bucket: 'past' }, { bucket: 'future' }].flatMap((query) => {
      const byDate = { ...query, order_by: 'due_at' };
      return [asked('student', list, byDate, given), asked('teacher', list, byDate, datedForAll)];
    }),
    ...['past', 'future'].flatMap((bucket) => [asked('student', list, { bucket }, given), asked('teacher', list, { bucket }, datedForAll)]),
    asked('teacher', list, { bucket: 'unsubmitted' }, { ...datedForAll, looksThrough: 250, page: 100 }),
    ...['overdue', 'unsubmitted'].map((bucket) => asked('student', list, { bucket }, lookedThrough)),
  ],
  'GET /courses/:course_id/assignments/:assignment_id/gradeable_students': [asked('teacher', inHall(gradeable), {}, cheapSlot)],
  'GET /courses/:course_id/assignments/:assignment_id/moderated_students': [
    asked('teacher', inHall(moderated), {}, { madeOf: ['student', 'enrollment', 'login', 'address'] }),
  ],
  'GET /courses/:course_id/assignments/:assignment_id/overrides': [
    asked('teacher', inHall(dated), {}, { madeOf: ['override', 'assignment', 'student'] }),
  ],
  'GET /courses/:course_id/assignments/:assignment_id/peer_reviews': [
    asked('teacher', inHall(reviews), {}, review),
    asked('teacher', inHall(reviews), withNames, { madeOf: [...review.madeOf, 'reviewer', 'author', 'person', 'submission'] }),
  ],
  'GET /courses/:course_id/assignments/:assignment_id/submissions/:submission_id/peer_reviews': [
    asked('teacher', inHall(reviewsOfOne), {}, review),
  ],
  'GET /courses/:course_id/assignments/:assignment_id/submissions': [
    asked('teacher', inHall(submissions), {}, slot),
    asked('teacher', inHall(submissions), { include: ['user'] }, slotWithPerson),
  ],
  'GET /courses/:course_id/assignments/gradeable_students': [asked('teacher', inHall(gradeableIn), {}, slots)],
  'GET /courses/:course_id/students/submissions': [
    asked('teacher', inHall(flat), all, slots),
    ...['ascending', 'descending'].map((order_direction) =>
      asked('teacher', inHall(flat), { ...all, order: 'graded_at', order_direction }, { ...slots, looksThrough: 250, page: 100 }),
    ),
    // Those that the window finds last: without a grade.
    asked('teacher', inHall(flat), { ...all, order: 'graded_at', workflow_state: 'submitted' }, { ...slots, looksThrough: 1000 }),
    asked('student', inCourse('/students/submissions'), {}, slots),
    asked(
      'teacher',
      inHall(grouped),
      { ...all, grouped: true },
      { madeOf: ['student', 'enrollment', 'login', 'submission', 'assignment'] },
    ),
  ],
  'GET /sections/:section_id/assignments/:assignment_id/gradeable_students': [asked('teacher', inSection(gradeable), {}, cheapSlot)],
  'GET /sections/:section_id/assignments/:assignment_id/peer_reviews': [asked('teacher', inSection(reviews), {}, review)],
  'GET /sections/:section_id/assignments/:assignment_id/submissions/:submission_id/peer_reviews': [
    asked('teacher', inSection(reviewsOfOne), {}, review),
  ],
  'GET /sections/:section_id/assignments/:assignment_id/submissions': [asked('teacher', inSection(submissions), {}, slot)],
  'GET /sections/:section_id/assignments/gradeable_students': [asked('teacher', inSection(gradeableIn), {}, slots)],
  'GET /sections/:section_id/students/submissions': [asked('teacher', inSection(flat), all, slots)],
  'GET /users/:user_id/courses/:course_id/assignments': both(
    ({ course, student }) => `/users/${student.id}/courses/${course.id}/assignments`,
    {},
    given,
  ),
  'GET /users/:user_id/graded_submissions': [asked('student', () => '/users/self/graded_submissions')],
  'GET /users/:user_id/missing_submissions': [
    asked(
      'student',
      () => '/users/self/missing_submissions',
      {},
      { madeOf: ['assignment', 'course', 'override', 'module item', 'module', 'submission'] },
    ),
  ],
});

test('assignments named by their ids cost the same in a course of many', async () => {
  const asksFor = async ({ course, student, teacher }: Work, by: 'student' | 'teacher', query: object) => {
    const some = env.DB.prepare('select id from assignments where course_id = ? order by id limit 10').bind(course.id);
    const assignment_ids = (await some.all<{ id: number }>()).results.map(({ id }) => id);
    const read = within(await as({ student, teacher }[by]).get(`/courses/${course.id}/assignments`, { assignment_ids, ...query }), 2);
    expect(ok(read).map(({ id }: { id: number }) => id)).toHaveLength(10);
    return read.cost.rows_read;
  };
  for (const by of ['student', 'teacher'] as const)
    for (const query of [{}, { order_by: 'name' }, { order_by: 'due_at' }, { include: ['submission', 'all_dates'] }]) {
      const [few, many] = [await asksFor(scenes.small, by, query), await asksFor(scenes.large, by, query)];
      expect(many, `${by} ${JSON.stringify(query)}`).toBeLessThanOrEqual(few + 100);
    }
});

test('handing in and grading read no more rows in a course of many students or assignments', async () => {
  const first = (course: BuiltCourse) =>
    env.DB.prepare('select min(id) as id from assignments where course_id = ?').bind(course.id).first<number>('id') as Promise<number>;
  const [small, large] = await Promise.all(
    [scenes.small, scenes.large].map(async (scene) => {
      const { course, hall, teacher, student, assignment, crowd } = scene;
      const task = `/courses/${course.id}/assignments/${await first(course)}`;
      const inCrowd = `/courses/${hall.id}/assignments/${assignment}/submissions/${crowd + 1}`;
      const ofOne = { student_ids: [crowd + 1], per_page: 10 };
      const submission = { submission_type: 'online_text_entry', body: '<p>Mine.</p>' };
      return {
        'handed in': within(await as(student).post(`${task}/submissions`, { submission }), 3),
        'graded among many assignments': within(
          await as(teacher).put(`${task}/submissions/${student.id}`, { submission: { posted_grade: '7' } }),
          3,
        ),
        'changed among many assignments': within(await as(teacher).put(task, { assignment: { points_possible: 12 } }), 3),
        'graded among many students': within(await as(teacher).put(inCrowd, { submission: { posted_grade: '7' } }), 3),
        'graded again': within(await as(teacher).put(inCrowd, { submission: { posted_grade: '8' } }), 3),
        'listed of one student': within(await as(teacher).get(`/courses/${hall.id}/students/submissions`, ofOne), 2),
      };
    }),
  );
  for (const [what, answer] of Object.entries(small ?? {})) {
    const other = large?.[what as keyof typeof large];
    expect(answer.status, what).toBeLessThan(300);
    expect(other?.cost.rows_read, what).toBeLessThan(answer.cost.rows_read + 40);
  }
});
