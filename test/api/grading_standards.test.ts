// Grading standards of courses and accounts, and where their grades appear.

import { grading_standards } from '@carrel/worker/domains/grading_standards/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/grading_standards${rest}`;
const inAccount = (account: { id: number }, rest = '') => `/accounts/${account.id}/grading_standards${rest}`;
const entries = (scheme: object) => Object.entries(scheme).map(([name, value]) => ({ name, value }));
const honours = { High: 80, Pass: 50, Fail: 0 };

const create = async (who: Person, path: string, title: string, scheme: object = honours, more: object = {}) =>
  ok(within(await as(who).post(path, { title, grading_scheme_entry: entries(scheme), ...more }), 3));

interface Class {
  readonly course: BuiltCourse;
  readonly teacher: Person;
  readonly student: Person;
}

/** Grades the student in a new assignment of ten points, and returns the displayed grade. */
async function gradeIn({ course, teacher, student }: Class, posted: string, more: object = {}) {
  const assignment = { name: 'Essay', points_possible: 10, published: true, grading_type: 'letter_grade', ...more };
  const { id } = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201);
  const there = `/courses/${course.id}/assignments/${id}`;
  const grade = async (posted_grade: string) =>
    ok(within(await as(teacher).put(`${there}/submissions/${student.id}`, { submission: { posted_grade } }), 3));
  const { grade: shown, score } = await grade(posted);
  return { there, grade, shown, score };
}

test('a teacher creates a grading standard with percentages, and reads fractions', async () => {
  const { course, teacher, student, stranger, ta } = await aCourse(ground);
  const form = { title: 'Honours', grading_scheme_entry: [...entries({ Pass: 49.999, High: 90 }), { name: '', value: 3 }] };
  const made = ok(within(await as(teacher).post(at(course), form), 3));
  expect(made).toEqual({
    id: made.id,
    title: 'Honours',
    context_type: 'Course',
    context_id: course.id,
    points_based: false,
    scaling_factor: 1,
    grading_scheme: [
      { name: 'High', value: 0.9 },
      { name: 'Pass', value: 0.5 },
    ],
  });
  expect(ok(within(await as(student).get(at(course, `/${made.id}`)), 2))).toEqual(made);
  const plain = ok(await as(ta).post(at(course), { title: 'Usual' }));
  expect(plain.grading_scheme).toHaveLength(12);
  expect(plain.grading_scheme[0]).toEqual({ name: 'A', value: 0.94 });
  const renamed = { title: 'With distinction', grading_scheme_entry: entries({ Yes: 40, No: 0 }), points_based: true, scaling_factor: 4 };
  expect(ok(within(await as(teacher).put(at(course, `/${made.id}`), renamed), 3))).toMatchObject({
    title: 'With distinction',
    scaling_factor: 4,
    grading_scheme: [
      { name: 'Yes', value: 0.4 },
      { name: 'No', value: 0 },
    ],
  });
  for (const [method, path] of [
    ['post', at(course)],
    ['put', at(course, `/${made.id}`)],
    ['del', at(course, `/${made.id}`)],
  ] as const)
    ok(await as(student)[method](path, { title: 'Mine' }), 401);
  ok(await as(stranger).get(at(course)), 401);
  expect(ok(within(await as(teacher).del(at(course, `/${made.id}`)), 3))).toMatchObject({ id: made.id, title: 'With distinction' });
  for (const method of ['get', 'put', 'del'] as const) ok(await as(teacher)[method](at(course, `/${made.id}`)), 404);
  expect(ok(await as(teacher).get(at(course)))).toEqual([plain]);
});

test('invalid schemes are refused by name', async () => {
  const { course, teacher } = await aCourse(ground);
  const refused = async (field: string, body: object) =>
    expect(Object.keys(ok(await as(teacher).post(at(course), body), 400).errors)).toEqual([field]);
  const scheme = (...list: object[]) => ({ title: 'x', grading_scheme_entry: list });
  await refused('title', { grading_scheme_entry: entries(honours) });
  await refused('title', { title: 'x'.repeat(256) });
  await refused('data', scheme({ name: 'A', value: 90 }, { name: 'A', value: 80 }));
  await refused('data', scheme({ name: 'A', value: 90 }, { name: 'B', value: 90.001 }));
  await refused('data', scheme({ name: 'A', value: -1 }));
  await refused('data', scheme({ name: 'x'.repeat(256), value: 1 }));
  await refused('scaling_factor', { title: 'x', scaling_factor: 4 });
  await refused('scaling_factor', { title: 'x', scaling_factor: 0, points_based: true });
  expect(ok(await as(teacher).get(at(course)))).toEqual([]);
});

test('a course lists its own standards before those of its accounts, and changes only its own', async () => {
  const root = await ground.admin();
  const account = await ground.account();
  const elsewhere = await ground.account();
  const { course, teacher } = await aCourse(ground, { account_id: account.id });
  const admin = await ground.admin({ account_id: account.id });
  const ofRoot = await create(root, inAccount({ id: 1 }), 'Root');
  const ofAccount = await create(admin, inAccount(account), 'Faculty');
  const foreign = await create(root, inAccount(elsewhere), 'Elsewhere');
  const own = await create(teacher, at(course), 'Own');
  const ids = (list: { id: number }[]) => list.map(({ id }) => id);
  expect(ids(ok(within(await as(teacher).get(at(course)), 2)))).toEqual([own.id, ofAccount.id, ofRoot.id]);
  expect(ids(ok(within(await as(admin).get(inAccount(account)), 2)))).toEqual([ofAccount.id, ofRoot.id]);
  expect(ok(within(await as(admin).get(inAccount(account, `/${ofRoot.id}`)), 2))).toEqual(ofRoot);
  ok(await as(teacher).get(inAccount(account)), 401);
  ok(await as(admin).post(inAccount({ id: 1 }), { title: 'x' }), 401);
  for (const id of [ofAccount.id, foreign.id]) {
    ok(await as(teacher).put(at(course, `/${id}`), { title: 'Mine' }), 404);
    ok(await as(teacher).del(at(course, `/${id}`)), 404);
  }
  ok(await as(teacher).get(at(course, `/${foreign.id}`)), 404);
  // Only a standard of the course or of an account above it can be chosen; other ids are ignored.
  const choose = async (grading_standard_id: number) =>
    ok(within(await as(teacher).put(`/courses/${course.id}`, { course: { grading_standard_id } }), 3)).grading_standard_id;
  expect(await choose(ofAccount.id)).toBe(ofAccount.id);
  expect(await choose(foreign.id)).toBe(ofAccount.id);
  expect(await choose(own.id)).toBe(own.id);
  const assignment = { name: 'Essay', grading_standard_id: foreign.id };
  const essay = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201);
  expect(essay.grading_standard_id).toBeNull();
  const set = async (grading_standard_id: unknown) =>
    ok(await as(teacher).put(`/courses/${course.id}/assignments/${essay.id}`, { assignment: { grading_standard_id } })).grading_standard_id;
  expect(await set(ofRoot.id)).toBe(ofRoot.id);
  expect(await set(foreign.id)).toBe(ofRoot.id);
  expect(await set('')).toBeNull();
  const made = { account_id: account.id, course: { name: 'New', grading_standard_id: ofAccount.id } };
  expect(ok(await as(root).post(`/accounts/${account.id}/courses`, made)).grading_standard_id).toBe(ofAccount.id);
  const strange = { course: { name: 'New', grading_standard_id: own.id } };
  expect(ok(await as(root).post(`/accounts/${account.id}/courses`, strange)).grading_standard_id).toBeNull();
});

test('a standard in use cannot be deleted, and once used for grading only its title changes', async () => {
  const admin = await ground.admin();
  const account = await ground.account();
  const it = await aCourse(ground, { account_id: account.id });
  const { course, teacher } = it;
  const scheme = await create(teacher, at(course), 'Honours');
  const ofAccount = await create(admin, inAccount(account), 'Faculty');
  const gone = async (who: Person, path: string, status: number) => ok(await as(who).del(path), status);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { grading_standard_id: scheme.id } }));
  await gone(teacher, at(course, `/${scheme.id}`), 400);
  const { there, grade, shown } = await gradeIn(it, '7');
  expect(shown).toBe('Pass');
  const changed = { title: 'Renamed', grading_scheme_entry: entries({ Top: 70, Low: 0 }) };
  ok(await as(teacher).put(at(course, `/${scheme.id}`), changed), 400);
  expect(
    ok(await as(teacher).put(at(course, `/${scheme.id}`), { title: 'Renamed', grading_scheme_entry: entries(honours) })),
  ).toMatchObject({
    title: 'Renamed',
    grading_scheme: scheme.grading_scheme,
  });
  // Work that is graded keeps its grade when the course takes another scheme.
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { grading_standard_id: '' } }));
  expect(ok(await as(teacher).get(`${there}/submissions/${it.student.id}`)).grade).toBe('Pass');
  expect((await grade('7')).grade).toBe('C-');
  await gone(teacher, at(course, `/${scheme.id}`), 200);

  const own = { assignment: { grading_standard_id: ofAccount.id } };
  ok(await as(teacher).put(there, own));
  await gone(admin, inAccount(account, `/${ofAccount.id}`), 400);
  ok(await as(teacher).put(there, { assignment: { grading_standard_id: null } }));
  ok(await as(admin).put(`/accounts/${account.id}`, { account: { grading_standard_id: ofAccount.id } }));
  await gone(admin, inAccount(account, `/${ofAccount.id}`), 400);
  ok(await as(admin).put(`/accounts/${account.id}`, { account: { grading_standard_id: '' } }));
  await gone(admin, inAccount(account, `/${ofAccount.id}`), 200);
});

test('a grade uses the scheme of the assignment, else of the course, else of the nearest account, else the built-in one', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  const department = await ground.account({ parent_account_id: faculty.id });
  const it = await aCourse(ground, { account_id: department.id });
  const { course, teacher, student } = it;
  const only = (name: string) => ({ [name]: 0 });
  const ofFaculty = await create(admin, inAccount(faculty), 'Faculty', only('faculty'));
  const ofDepartment = await create(admin, inAccount(department), 'Department', only('department'));
  const ofCourse = await create(teacher, at(course), 'Course', only('course'));
  const ofAssignment = await create(teacher, at(course), 'Assignment', only('assignment'));
  const standardOf = (account: { id: number }, grading_standard_id: unknown) =>
    as(admin).put(`/accounts/${account.id}`, { account: { grading_standard_id } });
  const { grade, shown, there } = await gradeIn(it, '9');
  expect(shown).toBe('A-');
  expect(ok(within(await standardOf(faculty, ofFaculty.id), 3)).grading_standard_id).toBe(ofFaculty.id);
  expect((await grade('9')).grade).toBe('faculty');
  ok(await standardOf(department, ofDepartment.id));
  expect((await grade('9')).grade).toBe('department');
  // The standard of a sub-account is none of its parent.
  expect(ok(await standardOf(faculty, ofDepartment.id)).grading_standard_id).toBe(ofFaculty.id);
  const enabled = ok(await as(teacher).put(`/courses/${course.id}/settings`, { grading_standard_enabled: true }));
  expect(enabled.grading_standard_id).toBe(ofDepartment.id);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { grading_standard_id: 0 } }));
  expect((await grade('9')).grade).toBe('A-');
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { grading_standard_id: ofCourse.id } }));
  expect((await grade('9')).grade).toBe('course');
  ok(await as(teacher).put(there, { assignment: { grading_standard_id: ofAssignment.id } }));
  expect((await grade('9')).grade).toBe('assignment');
  const bulk = { grade_data: { [student.id]: { posted_grade: 'ASSIGNMENT' } } };
  ok(await as(teacher).post(`${there}/submissions/update_grades`, bulk));
  expect(ok(await as(student).get(`${there}/submissions/${student.id}`))).toMatchObject({ score: 10, grade: 'assignment' });
});

test('totals of a course show grades of its scheme in every list', async () => {
  const it = await aCourse(ground);
  const { course, teacher, student } = it;
  const scheme = await create(teacher, at(course), 'Honours');
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { grading_standard_id: scheme.id } }));
  await gradeIn(it, '8', { grading_type: 'points' });
  const grades = { current_grade: 'High', final_grade: 'High' };
  const enrolled = `/courses/${course.id}/enrollments`;
  expect(ok(within(await as(teacher).get(enrolled, { user_id: student.id }), 2))[0].grades).toMatchObject(grades);
  expect(ok(within(await as(student).get('/users/self/enrollments'), 2))[0].grades).toMatchObject(grades);
  const [user] = ok(
    within(await as(teacher).get(`/courses/${course.id}/users`, { enrollment_type: ['student'], include: ['enrollments'] }), 2),
  );
  expect(user.enrollments[0].grades).toMatchObject(grades);
  const pairs = [
    ['High', 0.8],
    ['Pass', 0.5],
    ['Fail', 0],
  ];
  const included = { include: ['grading_scheme'] };
  expect(ok(within(await as(student).get('/courses', included), 2))[0].grading_scheme).toEqual(pairs);
  const admin = await ground.admin();
  const plain = await ground.course();
  expect(ok(await as(admin).get(`/courses/${plain.id}`, included)).grading_scheme).toBeNull();
  const totals = { computed_current_grade: 'High', computed_final_grade: 'High' };
  expect(ok(within(await as(student).get('/courses', { include: ['total_scores'] }), 2))[0].enrollments[0]).toMatchObject(totals);
  expect(ok(within(await as(student).get(`/courses/${course.id}`, { include: ['total_scores'] }), 2)).enrollments[0]).toMatchObject(totals);
});

test('points, GPA names and scaled schemes convert as Canvas does', async () => {
  const it = await aCourse(ground);
  const { course, teacher } = it;
  const of = async (scheme: object, more: object = {}) => ({
    grading_standard_id: (await create(teacher, at(course), 'x', scheme, more)).id,
  });
  const gpa = { ...(await of({ '4.0': 93, '3.0': 83, '2.0': 0 })), grading_type: 'gpa_scale' };
  // A number that names a grade is that grade, unless points are preferred.
  const numbered = await gradeIn(it, '3', gpa);
  expect(numbered).toMatchObject({ shown: '3.0', score: 9.2 });
  const preferring = { submission: { posted_grade: '3' }, prefer_points_over_scheme: true };
  expect(ok(await as(teacher).put(`${numbered.there}/submissions/${it.student.id}`, preferring))).toMatchObject({ score: 3, grade: '2.0' });
  expect(await numbered.grade('8.3')).toMatchObject({ score: 8.3, grade: '3.0' });
  const close = await of({ A: 94, 'A−': 93, B: 92.5, F: 0 });
  expect(await gradeIn(it, 'a-', close)).toMatchObject({ shown: 'A−', score: 9.3 });
  expect(await gradeIn(it, 'B', close)).toMatchObject({ shown: 'B', score: 9.29 });
  const points = await of({ Top: 90, Mid: 50, Low: 0 }, { points_based: true, scaling_factor: 10 });
  expect(await gradeIn(it, 'Mid', points)).toMatchObject({ shown: 'Mid', score: 8.9 });
  const unbounded = await of({ Good: 50, Poor: 20 });
  expect(await gradeIn(it, '1', unbounded)).toMatchObject({ shown: 'Poor', score: 1 });
  expect(await gradeIn(it, 'unknown', unbounded)).toMatchObject({ shown: null, score: null });
});

test('a course copy has the standards of the course, and its assignments and totals use the copies of standards and documents', async () => {
  const admin = await ground.admin();
  const { course, teacher } = await aCourse(ground);
  const mine = await create(teacher, at(course), 'Own');
  const shared = await create(admin, inAccount({ id: 1 }), 'Root');
  const give = async (name: string, grading_standard_id: number) =>
    ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name, grading_standard_id } }), 201);
  await give('With own', mine.id);
  await give('With shared', shared.id);
  const { id: annotatable_attachment_id } = await upload(teacher, `/courses/${course.id}/files`, { name: 'poem.txt' }, 'a poem');
  const annotation = { name: 'Z annotate', submission_types: ['student_annotation'], annotatable_attachment_id };
  ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: annotation }), 201);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { grading_standard_id: mine.id } }));
  const target = await ground.course();
  await ground.enroll(target, teacher, 'teacher');
  const job = ok(await as(teacher).post(`/courses/${target.id}/course_copy`, { source_course: String(course.id) }));
  await expect
    .poll(async () => ok(await as(teacher).get(`/courses/${target.id}/course_copy/${job.id}`)).workflow_state, { timeout: 8000 })
    .toBe('completed');
  const [copy] = ok(await as(teacher).get(at(target)));
  expect(copy).toMatchObject({ title: 'Own', context_id: target.id, grading_scheme: mine.grading_scheme });
  expect(ok(await as(teacher).get(`/courses/${target.id}`)).grading_standard_id).toBe(copy.id);
  const there = ok(await as(teacher).get(`/courses/${target.id}/assignments`, { order_by: 'name' }));
  expect(there.map((one: { grading_standard_id: number }) => one.grading_standard_id)).toEqual([copy.id, shared.id, null]);
  const [document] = ok(await as(teacher).get(`/courses/${target.id}/files`));
  expect(document.id).not.toBe(annotatable_attachment_id);
  expect(there[2].annotatable_attachment_id).toBe(document.id);
});

test('a list of 10,000 grading standards costs as much as a list of ten', async () => {
  const { course, student } = await aCourse(ground);
  const fill = (count: number) =>
    many(count, grading_standards, { context_type: 'Course', context_id: course.id, title: 'x', entries: sql`'[]'` as never });
  await fill(10);
  const small = within(await as(student).get(at(course), { per_page: 100 }), 2);
  await fill(10_000);
  const large = within(await as(student).get(at(course), { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(small.cost.rows_read + 3 * 100);
  const next = within(await as(student).get(large.links.next as string), 2);
  expect(ok(next)).toHaveLength(100);
  expect(next.cost.rows_read).toBeLessThan(small.cost.rows_read + 3 * 100);
});
