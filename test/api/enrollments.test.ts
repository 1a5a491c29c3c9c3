// Enrollments: invited, accepted, ended, and in batches.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { observerEnrollments, observerEnrollmentsEnded } from '@carrel/worker/domains/users/observers/linked';
import { observers } from '@carrel/worker/domains/users/table';
import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, base, ground, manyStudents, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/enrollments${rest}`;
const of = (person: { id: number }, rest: object = {}) => ({ enrollment: { user_id: person.id, ...rest } });

test('a teacher enrolls a user, who is invited and accepts', async () => {
  const { course, teacher, stranger } = await aCourse(ground);
  const made = within(await as(teacher).post(at(course), of(stranger)), 3);
  expect(made.cost.object_calls).toBe(1);
  expect(ok(made)).toMatchObject({
    user_id: stranger.id,
    course_id: course.id,
    course_section_id: course.section_id,
    type: 'StudentEnrollment',
    role: 'StudentEnrollment',
    role_id: 3,
    enrollment_state: 'invited',
    associated_user_id: null,
    limit_privileges_to_course_section: false,
    grades: { current_score: null },
  });
  expect(made.body).not.toHaveProperty('user');
  const it = at(course, `/${made.body.id}`);
  ok(await as(teacher).post(`${it}/accept`), 401);
  expect(ok(within(await as(stranger).post(`${it}/accept`), 3))).toEqual({ success: true });
  expect(ok(await as(stranger).post(`${it}/accept`))).toEqual({ success: true });
  expect(ok(await as(stranger).post(`${it}/reject`), 400)).toEqual({ error: 'no current invitation' });
  expect(ok(await as(teacher).get(at(course), { user_id: stranger.id }))).toMatchObject([{ id: made.body.id, enrollment_state: 'active' }]);
});

test('an enrollment without a user, or with an invalid type, role or section, is refused with a message', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  expect(ok(await as(teacher).post(at(course)), 400)).toEqual({ message: 'No parameters given' });
  ok(await as(teacher).post(at(course), { enrollment: { type: 'StudentEnrollment' } }), 400);
  expect(ok(await as(teacher).post(at(course), of(stranger, { type: 'Guest' })), 400)).toEqual({ message: 'Invalid type' });
  expect(ok(await as(teacher).post(at(course), of(stranger, { role_id: 999 })), 400)).toEqual({ message: 'Invalid role' });
  expect(ok(await as(teacher).post(at(course), of(stranger, { role_id: 4, type: 'StudentEnrollment' })), 400).message).toMatch(/base type/);
  ok(await as(teacher).post(at(course), of(stranger, { course_section_id: 999 })), 404);
  ok(await as(teacher).post(at(course), { enrollment: { user_id: 999999 } }), 404);
  ok(await as(student).post(at(course), of(stranger)), 401);
  ok(await as(stranger).post(at(course), of(stranger)), 401);
  const [row] = ok(await as(teacher).post(at(course), of(stranger, { type: 'TaEnrollment', enrollment_state: 'active' }))) ? [1] : [];
  expect(row).toBe(1);
});

test('enrolling a user again in the same way returns the enrollment, and reactivates an ended one', async () => {
  const { course, teacher, stranger } = await aCourse(ground);
  const first = ok(await as(teacher).post(at(course), of(stranger, { enrollment_state: 'active' })));
  expect(ok(await as(teacher).post(at(course), of(stranger)))).toMatchObject({ id: first.id, enrollment_state: 'active' });
  ok(await as(teacher).del(at(course, `/${first.id}`), { task: 'delete' }));
  expect(ok(await as(teacher).get(at(course), { user_id: stranger.id }))).toEqual([]);
  expect(ok(await as(teacher).post(at(course), of(stranger)))).toMatchObject({ id: first.id, enrollment_state: 'invited' });
});

test('every task takes an enrollment to its state, and reactivating restores an inactive one', async () => {
  const { course, teacher, student, enrollment_ids } = await aCourse(ground);
  const it = at(course, `/${enrollment_ids.student}`);
  expect(ok(await as(teacher).put(`${it}/reactivate`), 400)).toEqual({ error: 'enrollment not inactive' });
  expect(ok(within(await as(teacher).del(it, { task: 'deactivate' }), 3)).enrollment_state).toBe('inactive');
  expect(ok(await as(teacher).del(it, { task: 'inactivate' })).enrollment_state).toBe('inactive');
  ok(await as(student).get(`/courses/${course.id}`), 401);
  expect(ok(await as(teacher).put(`${it}/reactivate`)).enrollment_state).toBe('active');
  expect(ok(await as(teacher).del(it)).enrollment_state).toBe('completed');
  ok(await as(teacher).del(it, { task: 'explode' }), 400);
  expect(ok(await as(teacher).del(it, { task: 'delete' })).enrollment_state).toBe('deleted');
  ok(await as(teacher).del(it, { task: 'delete' }), 404);
  ok(await as(student).del(at(course, `/${enrollment_ids.student2}`)), 401);
  ok(await as(teacher).del(at(course, `/${enrollment_ids.teacher}`)), 401);
});

test("an observer's enrollment follows the student's", async () => {
  const { course, teacher, observer, enrollment_ids } = await aCourse(ground);
  const state = async () =>
    ok(await as(teacher).get(at(course), { user_id: observer.id, state: ['active', 'inactive', 'completed'] }))[0].enrollment_state;
  ok(await as(teacher).del(at(course, `/${enrollment_ids.student}`), { task: 'deactivate' }));
  expect(await state()).toBe('inactive');
  ok(await as(teacher).put(at(course, `/${enrollment_ids.student}/reactivate`)));
  expect(await state()).toBe('active');
  ok(await as(teacher).del(at(course, `/${enrollment_ids.student}`)));
  expect(await state()).toBe('completed');
});

test('an observer is enrolled in the new courses of their student', async () => {
  const { student, observer } = await aCourse(ground);
  const admin = await ground.admin();
  const other = await ground.course();
  ok(await as(admin).post(at(other), of(student)));
  expect(ok(await as(admin).get(at(other), { type: ['ObserverEnrollment'], include: ['observed_users'] }))).toMatchObject([
    {
      user_id: observer.id,
      associated_user_id: student.id,
      enrollment_state: 'active',
      observed_user: { id: student.id, enrollments: [{ type: 'StudentEnrollment' }] },
    },
  ]);
});

test("linking an observer to a student enrolls them in the student's courses, unlinking removes them", async () => {
  const { course, teacher, student, student2, stranger } = await aCourse(ground);
  const other = await ground.course();
  await ground.enroll(other, student, 'student', { enrollment_state: 'invited' });
  await ground.enroll(await ground.course(), student, 'student', { enrollment_state: 'completed' });
  const db = open(env.DB as never, newMeter(), 'first-primary');
  const link = { observer_id: stranger.id, student_id: student.id };
  const now = '2026-09-02T08:00:00Z';
  const seen = async () => ok(await as(stranger).get('/users/self/enrollments')).map((one: { course_id: number }) => one.course_id);

  await db.perform(observerEnrollments(db, link, now));
  expect(await seen(), 'no link was made').toEqual([]);
  await db.perform([db.build.insert(observers).values({ ...link, created_at: now }), ...observerEnrollments(db, link, now)]);
  await db.perform(observerEnrollments(db, link, now));
  expect(await seen()).toEqual([course.id, other.id]);
  expect(ok(await as(teacher).get(at(course), { user_id: stranger.id }))).toMatchObject([
    { type: 'ObserverEnrollment', role_id: 7, associated_user_id: student.id, enrollment_state: 'active', updated_at: now },
  ]);
  expect(ok(await as(teacher).get(at(course), { user_id: student2.id }))).toHaveLength(1);

  const unlinked = db.build.delete(observers).where(and(eq(observers.observer_id, stranger.id), eq(observers.student_id, student.id)));
  await db.perform([unlinked, ...observerEnrollmentsEnded(db, link, now)]);
  expect(await seen()).toEqual([]);
  await db.perform([db.build.insert(observers).values({ ...link, created_at: now }), ...observerEnrollments(db, link, now)]);
  expect(await seen(), 'linked again').toEqual([course.id, other.id]);
});

test('an unpublished course holds its invitations back, and a concluded one enrolls no one', async () => {
  const admin = await ground.admin();
  const person = await ground.person();
  const draft = await ground.course({ workflow_state: 'created' });
  expect(ok(await as(admin).post(at(draft), of(person))).enrollment_state).toBe('creation_pending');
  expect(ok(await as(admin).post(at(draft), of(person, { type: 'TeacherEnrollment' }))).enrollment_state).toBe('invited');
  const over = await ground.course({ workflow_state: 'completed' });
  expect(ok(await as(admin).post(at(over), of(person)), 400).message).toMatch(/concluded/);
});

test("with the course's code users enroll themselves, active at once", async () => {
  const { course, stranger, student2 } = await aCourse(ground, { self_enrollment: true, self_enrollment_code: 'ABC123' });
  const code = { self_enrollment_code: 'abc123' };
  ok(await as(stranger).post(at(course), { enrollment: { user_id: 'self', self_enrollment_code: 'WRONG1' } }), 400);
  ok(await as(stranger).post(at(course), of(student2, code)), 400);
  const dated = { start_at: '2020-01-01T00:00:00Z', end_at: '2040-01-01T00:00:00Z' };
  const more = { enrollment_state: 'inactive', type: 'TeacherEnrollment', limit_privileges_to_course_section: true, ...dated };
  expect(ok(await as(stranger).post(at(course), { enrollment: { user_id: 'self', ...code, ...more } }))).toMatchObject({
    user_id: stranger.id,
    type: 'StudentEnrollment',
    enrollment_state: 'active',
    limit_privileges_to_course_section: false,
    start_at: null,
    end_at: null,
  });
  // An existing member keeps the values that others have set.
  const limited = await ground.person();
  const [{ id }] = [
    ok(
      await as(await ground.admin()).post(
        at(course),
        of(limited, { limit_privileges_to_course_section: true, enrollment_state: 'active', ...dated }),
      ),
    ),
  ];
  expect(
    ok(
      await as(limited).post(at(course), {
        enrollment: { user_id: 'self', ...code, limit_privileges_to_course_section: false, end_at: '' },
      }),
    ),
  ).toMatchObject({
    id,
    limit_privileges_to_course_section: true,
    ...dated,
  });
});

test('a self-enrolled user can leave the course, and no one else can', async () => {
  const { course, stranger, student, teacher } = await aCourse(ground, { self_enrollment: true, self_enrollment_code: 'ABC124' });
  const { id } = ok(await as(stranger).post(at(course), { enrollment: { user_id: 'self', self_enrollment_code: 'ABC124' } }));
  const own = { user_id: 'self', 'include[]': 'uuid' };
  const [{ uuid }] = ok(await as(stranger).get(at(course), own));
  expect(uuid).toMatch(/^[0-9a-f]{40}$/);
  for (const who of [student, teacher]) expect(ok(await as(who).get(at(course), own))[0]).not.toHaveProperty('uuid');
  const leave = (who: typeof student) => as(who).post(`${base}/courses/${course.id}/self_unenrollment/${uuid}`);
  ok(await leave(student), 400);
  ok(await as(stranger).post(`${base}/courses/${course.id}/self_unenrollment/guessed`), 400);
  expect(ok(within(await leave(stranger), 3))).toBe('');
  expect(ok(await as(teacher).get(at(course), { user_id: stranger.id, state: ['completed'] }))).toMatchObject([
    { id, enrollment_state: 'completed' },
  ]);
  expect(ok(await leave(stranger))).toBe('');
});

test('a roster is listed by type and sortable name, page by page, with its users', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const listed = await as(student).pages(at(course), { per_page: 2 });
  expect(listed.map((one) => [one.type, one.user.sortable_name])).toEqual([
    ['DesignerEnrollment', 'Designer, Dee'],
    ['ObserverEnrollment', 'Observer, Olive'],
    ['StudentEnrollment', 'Student, Sam'],
    ['StudentEnrollment', 'Student, Sue'],
    ['TaEnrollment', 'Assistant, Tim'],
    ['TeacherEnrollment', 'Teacher, Tara'],
  ]);
  const first = within(await as(teacher).get(at(course), { per_page: 2 }), 2);
  expect(first.links).not.toHaveProperty('last');
  expect(first.links.next).toContain('page=bookmark:');
  expect(ok(await as(teacher).get(at(course), { type: ['TeacherEnrollment'] }))).toHaveLength(1);
  expect(ok(await as(teacher).get(at(course), { role: ['TaEnrollment'] }))).toHaveLength(1);
  ok(await as(teacher).get(at(course), { role: ['Wizard'] }), 400);
  ok(await as(teacher).get(at(course), { grading_period_id: 7 }), 400);
  ok(await as(student).get(at(course), { sis_user_id: ['x'] }), 400);
});

test("an observer sees only their own and their student's enrollments", async () => {
  const { course, observer, student, stranger } = await aCourse(ground);
  const listed = ok(await as(observer).get(at(course)));
  expect(listed.map((one: { user_id: number }) => one.user_id).sort()).toEqual([observer.id, student.id].sort());
  ok(await as(stranger).get(at(course)), 401);
  expect(ok(await as(stranger).get(at(course), { user_id: 'self' }))).toEqual([]);
});

test('a user lists their enrollments by effective state', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const past = await ground.course({ enrollment_term_id: (await ground.term({ end_at: '2026-01-31T00:00:00Z' })).id });
  const future = await ground.course({ enrollment_term_id: (await ground.term({ start_at: '2036-01-31T00:00:00Z' })).id });
  await ground.enroll(past, student, 'student');
  await ground.enroll(future, student, 'student');
  const courses = async (query: object) =>
    ok(within(await as(student).get('/users/self/enrollments', query), 2))
      .map((one: { course_id: number }) => one.course_id)
      .sort();
  expect(await courses({})).toEqual([course.id, future.id].sort());
  expect(await courses({ state: ['active'] })).toEqual([course.id]);
  expect(await courses({ state: ['pending_active'] })).toEqual([future.id]);
  expect(await courses({ state: ['completed'] })).toEqual([past.id]);
  expect(await courses({ state: ['current_and_future'] })).toEqual([course.id, future.id].sort());
  ok(await as(student).get('/users/self/enrollments', { state: ['odd'] }), 400);
  ok(await as(teacher).get(`/users/${student.id}/enrollments`), 401);
});

test('an enrollment is visible in its account to its owner and to administrators', async () => {
  const { student, student2, enrollment_ids } = await aCourse(ground);
  const admin = await ground.admin();
  const it = `/accounts/1/enrollments/${enrollment_ids.student}`;
  expect(ok(within(await as(admin).get(it), 2))).toMatchObject({ id: enrollment_ids.student, sis_user_id: null });
  expect(ok(await as(student).get(it))).not.toHaveProperty('user');
  ok(await as(student2).get(it), 401);
  ok(await as(admin).get('/accounts/1/enrollments/999999'), 404);
});

test('a classmate sees only names of the user of an enrollment', async () => {
  const { course, student, student2 } = await aCourse(ground);
  const [{ user }] = ok(await as(student2).get(at(course), { user_id: student.id }));
  expect(Object.keys(user)).toEqual(['id', 'name', 'sortable_name', 'short_name', 'created_at']);
});

test('a change sent twice with one Idempotency-Key happens once and returns the same', async () => {
  const { course, teacher, stranger } = await aCourse(ground);
  const headers = { 'Idempotency-Key': 'enroll-1' };
  const answers = await Promise.all([1, 2, 3].map(() => as(teacher).post(at(course), of(stranger), { headers })));
  expect(new Set(answers.map((one) => ok(one).id)).size).toBe(1);
  const id = answers[0]?.body.id;
  const accept = () => as(stranger).post(at(course, `/${id}/accept`), undefined, { headers: { 'Idempotency-Key': 'accept-1' } });
  expect(ok(await accept())).toEqual({ success: true });
  ok(await as(teacher).del(at(course, `/${id}`)));
  expect(ok(await accept())).toEqual({ success: true });
  expect(ok(await as(teacher).get(at(course), { user_id: stranger.id, state: ['completed'] }))).toHaveLength(1);
});

test('course scores are returned with enrollments, courses and grouped submissions, to users who may see them', async () => {
  const { course, teacher, student, student2, observer, ta } = await aCourse(ground);
  const there = `/courses/${course.id}`;
  const task = async (more: object) =>
    ok(await as(teacher).post(`${there}/assignments`, { assignment: { name: 'Task', published: true, points_possible: 10, ...more } }), 201)
      .id;
  const [essay, poem] = [await task({}), await task({})];
  await task({ omit_from_final_grade: true });
  await task({ published: false });
  const others = await task({ only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student2.id] }] });
  const grade = async (id: number, person: { id: number }, posted_grade: number) =>
    ok(await as(teacher).put(`${there}/assignments/${id}/submissions/${person.id}`, { submission: { posted_grade } }));
  await grade(essay, student, 9);
  await grade(others, student2, 5);

  const [own] = ok(within(await as(student).get('/users/self/enrollments'), 2));
  expect(own.grades).toMatchObject({ current_score: 90, final_score: 45, current_grade: null });
  expect(own.grades).not.toHaveProperty('unposted_current_score');
  const listed = ok(within(await as(teacher).get(at(course), { type: ['StudentEnrollment'], include: ['current_points'] }), 2));
  expect(listed.map((one: { grades: object }) => one.grades)).toMatchObject([
    { current_score: 90, final_score: 45, unposted_current_score: 90, current_points: 9 },
    { current_score: 50, final_score: 16.67, unposted_final_score: 16.67, current_points: 5 },
  ]);
  const people = ok(within(await as(teacher).get(`${there}/users`, { include: ['enrollments'], enrollment_type: ['student'] }), 2));
  expect(people.flatMap((one: { enrollments: { grades: object }[] }) => one.enrollments.map(({ grades }) => grades))).toMatchObject([
    { current_score: 90, final_score: 45, unposted_current_score: 90 },
    { current_score: 50, final_score: 16.67 },
  ]);
  const kept = { enrollment: { user_id: student.id, type: 'StudentEnrollment' } };
  expect(ok(within(await as(teacher).post(at(course), kept), 3)).grades).toMatchObject({ current_score: 90, final_score: 45 });
  const ended = ok(await as(teacher).del(at(course, `/${listed[0].id}`), { task: 'inactivate' }));
  expect(ended.grades).toMatchObject({ current_score: 90, unposted_current_score: 90 });
  expect(ok(await as(teacher).put(at(course, `/${ended.id}/reactivate`))).grades).toMatchObject({ current_score: 90 });
  const seen = ok(await as(student).get(at(course), { user_id: student2.id }));
  expect(seen[0].grades).not.toHaveProperty('current_score');
  expect(ok(await as(ta).get(at(course), { user_id: student.id }))[0].grades.current_score).toBe(90);
  const watched = ok(within(await as(observer).get(at(course), { include: ['observed_users'] }), 2));
  const theirs = watched.find((one: { type: string }) => one.type === 'ObserverEnrollment').observed_user.enrollments;
  expect(theirs).toMatchObject([{ grades: { current_score: 90, final_score: 45 } }]);

  const [mine] = ok(within(await as(student).get('/courses', { include: ['total_scores'] }), 2));
  expect(mine.enrollments).toMatchObject([{ computed_current_score: 90, computed_final_score: 45 }]);
  const [of] = ok(within(await as(observer).get('/courses', { include: ['total_scores', 'observed_users'] }), 2));
  expect(of.enrollments).toContainEqual(expect.objectContaining({ user_id: student.id, computed_final_score: 45 }));
  const grouped = ok(
    within(await as(teacher).get(`${there}/students/submissions`, { student_ids: ['all'], grouped: true, include: ['total_scores'] }), 2),
  );
  expect(grouped).toMatchObject([
    { computed_current_score: 90, computed_final_score: 45, unposted_final_score: 45 },
    { computed_current_score: 50, computed_final_score: 16.67 },
  ]);

  ok(await as(teacher).put(`${there}/assignment_groups/${course.assignment_group_id}`, { rules: { drop_lowest: 1 } }));
  await grade(poem, student, 5);
  ok(await as(teacher).put(there, { course: { apply_assignment_group_weights: true, grading_standard_id: 0 } }));
  expect(ok(await as(student).get('/users/self/enrollments'))[0].grades).toMatchObject({ current_score: null });
  ok(await as(teacher).put(`${there}/assignment_groups/${course.assignment_group_id}`, { group_weight: 50 }));
  expect(ok(await as(student).get('/users/self/enrollments'))[0].grades).toMatchObject({ current_score: 90, current_grade: 'A-' });
  ok(await as(teacher).put(`${there}/settings`, { hide_final_grades: true }));
  expect(ok(await as(student).get('/users/self/enrollments'))[0].grades).not.toHaveProperty('current_score');
  expect(ok(await as(student).get('/courses', { include: ['total_scores'] }))[0].enrollments[0]).not.toHaveProperty('computed_final_score');
});

test('300 simultaneous enrollments, acceptances and conclusions leave only valid states', async () => {
  const { course, teacher } = await aCourse(ground);
  const people = await Promise.all(Array.from({ length: 20 }, () => ground.person()));
  const invited = people.slice(0, 10);
  const ids = await Promise.all(invited.map((person) => ground.enroll(course, person, 'student', { enrollment_state: 'invited' })));
  const calls = Array.from({ length: 100 }, (_, n) => {
    const who = n % 10;
    const person = invited[who] as (typeof people)[number];
    return [
      () => as(teacher).post(at(course), of(people[n % 20] as (typeof people)[number], { enrollment_state: 'active' })),
      () => as(person).post(at(course, `/${ids[who]}/accept`)),
      () => as(teacher).del(at(course, `/${ids[who]}`)),
    ];
  }).flat();
  const answers = await Promise.all(calls.map((call) => call()));
  expect(answers.map((one) => one.status).filter((status) => ![200, 400, 401].includes(status))).toEqual([]);
  const left = await as(teacher).pages(at(course), {
    type: ['StudentEnrollment'],
    state: ['active', 'invited', 'completed', 'rejected'],
    per_page: 100,
  });
  const theirs = left.filter((one) => people.some((person) => person.id === one.user_id));
  expect(theirs).toHaveLength(20);
  expect(new Set(theirs.map((one) => one.user_id)).size).toBe(20);
  for (const one of theirs) expect(['active', 'completed']).toContain(one.enrollment_state);
  for (const person of people.slice(10)) expect(theirs.find((one) => one.user_id === person.id)?.enrollment_state).toBe('active');
});

test('a roster of 10,000 costs as much as one of ten', async () => {
  const { course, teacher } = await aCourse(ground);
  const small = within(await as(teacher).get(at(course)), 2);
  await manyStudents(10_000, course, 1_000_000, nth('Many '));
  const large = within(await as(teacher).get(at(course), { per_page: 100, type: ['StudentEnrollment'] }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read);
  let later = large;
  for (let page = 2; page <= 5; page++) later = await as(teacher).get(later.links.next as string);
  expect(ok(later)[0].user.name).toBe('Many 1358');
  expect(later.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read);
  const all = within(await as(teacher).get(at(course), { per_page: 100 }), 2);
  expect((await as(teacher).get(all.links.next as string)).cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read);
});

test('many users are enrolled in many courses, in the background', async () => {
  const admin = await ground.admin();
  const { teacher } = await aCourse(ground);
  const courses = [await ground.course(), await ground.course({ sis_course_id: 'MANY' })] as const;
  const people = [await ground.person(), await ground.person()] as const;
  const ids = { user_ids: [people[0].id, `sis_login_id:${people[1].login}`], course_ids: [courses[0].id, 'sis_course_id:MANY'] };
  const queued = ok(within(await as(admin).post('/accounts/1/bulk_enrollment', { ...ids, enrollment_type: 'StudentEnrollment' }), 3));
  expect(queued.tag).toBe('bulk_enrollment');
  for (let tries = 0; tries < 400 && ok(await as(admin).get(`/progress/${queued.id}`)).workflow_state !== 'completed'; tries++)
    await new Promise((resume) => setTimeout(resume, 50));
  for (const course of courses) expect(ok(await as(admin).get(at(course)))).toHaveLength(2);
  ok(await as(admin).post('/accounts/1/bulk_enrollment', { ...ids, enrollment_type: 'Guest' }), 400);
  ok(await as(admin).post('/accounts/1/bulk_enrollment', {}), 400);
  ok(await as(teacher).post('/accounts/1/bulk_enrollment', ids), 401);
  expect(ok(await as(admin).get(`/users/${people[0]?.id}/temporary_enrollment_status`))).toMatchObject({ is_provider: false });
});
