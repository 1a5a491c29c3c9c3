// To-do lists of students and graders.

import { env } from 'cloudflare:test';
import { assignments } from '@carrel/worker/domains/assignments/table';
import { favorites } from '@carrel/worker/domains/courses/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, base, ground, many, n, nth, ok, within } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';

const when = '2026-09-01T08:00:00Z';
const at = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`;
type Todo = { type: string; assignment: { id: number; name: string } };
const result = (todos: Todo[]) => todos.map((todo) => [todo.type, todo.assignment.name]);

const assignment = (course: BuiltCourse, name: string, due_at: string | null, rest: Parameters<typeof ground.assignment>[1] = {}) =>
  ground.assignment(course, { name, due_at, submission_types: ['online_text_entry'], ...rest });
const handIn = (course: { id: number }, assignment_id: number, user: Person, rest: Parameters<typeof ground.submission>[3] = {}) =>
  ground.submission(course, assignment_id, user, {
    submitted_at: at(-1),
    submission_type: 'online_text_entry',
    attempt: 1,
    workflow_state: 'submitted',
    ...rest,
  });

test("a student's list has upcoming and slightly overdue assignments until submitted", async () => {
  const { course, student, teacher } = await aCourse(ground);
  const soon = await assignment(course, 'Soon', at(3));
  await assignment(course, 'Lately', at(-10));
  await assignment(course, 'Far', at(30));
  await assignment(course, 'Lost', at(-40));
  await assignment(course, 'Draft', at(3), { workflow_state: 'unpublished' });
  await assignment(course, 'Paper', at(3), { submission_types: ['on_paper'] });
  await assignment(course, 'Locked', at(3), { lock_at: at(-1) });
  const listed = within(await as(student).get('/users/self/todo'), 2);
  expect(result(ok(listed))).toEqual([
    ['submitting', 'Lately'],
    ['submitting', 'Soon'],
  ]);
  expect(ok(listed)[1]).toMatchObject({
    context_type: 'Course',
    course_id: course.id,
    context_name: course.name,
    assignment: { id: soon },
  });
  expect(ok(listed)[1].html_url).toMatch(/#submit$/);
  expect(ok(listed)[1].ignore).toMatch(new RegExp(`/api/v1/users/self/todo/assignment_${soon}/submitting\\?permanent=0$`));
  expect(result(ok(within(await as(student).get(`/courses/${course.id}/todo`), 2)))).toHaveLength(2);
  expect(result(await as(student).pages('/users/self/todo', { per_page: 1 }))).toHaveLength(2);
  expect(ok(within(await as(student).get('/users/self/todo_item_count'), 2))).toEqual({
    needs_grading_count: 0,
    assignments_needing_submitting: 2,
  });
  await handIn(course, soon, student);
  expect(result(ok(await as(student).get('/users/self/todo')))).toEqual([['submitting', 'Lately']]);
  expect(result(ok(await as(teacher).get('/users/self/todo')))).toEqual([['grading', 'Soon']]);
  ok(await as().get('/users/self/todo'), 401);
});

test("a teacher's list has submissions to grade", async () => {
  const { course, student, student2, teacher, ta, designer, stranger } = await aCourse(ground);
  const essay = await assignment(course, 'Essay', null);
  await handIn(course, essay, student);
  await handIn(course, essay, student2);
  const [todo] = ok(within(await as(teacher).get('/users/self/todo'), 2));
  expect(todo).toMatchObject({ type: 'grading', needs_grading_count: 2, assignment: { id: essay, needs_grading_count: 2 } });
  expect(todo.html_url).toContain('speed_grader');
  expect(result(ok(await as(ta).get(`/courses/${course.id}/todo`)))).toEqual([['grading', 'Essay']]);
  expect(ok(await as(designer).get('/users/self/todo'))).toEqual([]);
  ok(await as(stranger).get(`/courses/${course.id}/todo`), 401);
  await env.DB.prepare("update submissions set workflow_state = 'graded', score = 1, graded_attempt = 1 where assignment_id = ?")
    .bind(essay)
    .run();
  expect(ok(await as(teacher).get('/users/self/todo'))).toEqual([]);
});

test('an ignored assignment does not come back on the next page of assignments with the same date', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const due = at(2);
  const ids: number[] = [];
  for (const name of ['First', 'Ignored', 'Second']) ids.push(await assignment(course, name, due));
  for (const id of ids) await handIn(course, id, student);
  ok(await as(teacher).del(`/users/self/todo/assignment_${ids[1]}/grading`, { permanent: true }));
  expect(result(await as(teacher).pages('/users/self/todo', { per_page: 1 }))).toEqual([
    ['grading', 'First'],
    ['grading', 'Second'],
  ]);
});

test('a to-do item is hidden until it changes, or permanently', async () => {
  const { course, student } = await aCourse(ground);
  const essay = await assignment(course, 'Essay', at(3));
  const lab = await assignment(course, 'Lab', at(4));
  expect(ok(within(await as(student).del(`/users/self/todo/assignment_${essay}/submitting`, { permanent: 0 }), 3))).toEqual({
    ignored: true,
  });
  ok(await as(student).del(`/users/self/todo/assignment_${lab}/submitting?permanent=1`));
  expect(ok(await as(student).get('/users/self/todo'))).toEqual([]);
  await env.DB.prepare('update assignments set updated_at = ?').bind(at(1)).run();
  expect(result(ok(await as(student).get('/users/self/todo')))).toEqual([['submitting', 'Essay']]);
  ok(await as(student).del('/users/self/todo/nonsense/submitting'), 404);
  ok(await as(student).del(`/users/self/todo/assignment_${essay}/sleeping`), 404);
});

test('upcoming events include assignments due, by date', async () => {
  const { course, student, teacher, stranger } = await aCourse(ground);
  const essay = await assignment(course, 'Essay', at(3));
  await assignment(course, 'Far', at(30));
  await assignment(course, 'Draft', at(3), { workflow_state: 'unpublished' });
  const event = (code: string, title: string, days: number) => ({ calendar_event: { context_code: code, title, start_at: at(days) } });
  ok(await as(teacher).post('/calendar_events', event(`course_${course.id}`, 'Talk', 2)), 201);
  ok(await as(teacher).post('/calendar_events', event(`course_${course.id}`, 'Yesterday', -1)), 201);
  ok(await as(student).post('/calendar_events', event(`user_${student.id}`, 'Dentist', 5)), 201);
  const coming = ok(within(await as(student).get('/users/self/upcoming_events'), 2));
  expect(coming.map((one: { id: unknown; title: string }) => one.title)).toEqual(['Talk', 'Essay', 'Dentist']);
  expect(coming[1]).toMatchObject({ id: `assignment_${essay}`, type: 'assignment', assignment: { id: essay } });
  expect(coming[0]).toMatchObject({ type: 'event', context_name: course.name, child_events_count: 0 });
  expect(ok(await as(teacher).get('/users/self/upcoming_events')).map((one: { title: string }) => one.title)).toEqual(['Talk', 'Essay']);
  expect(ok(await as(stranger).get('/users/self/upcoming_events'))).toEqual([]);
  const club = ok(await as(stranger).post('/groups', { name: 'Club' }));
  ok(await as(stranger).post('/calendar_events', event(`group_${club.id}`, 'Meeting', 1)), 201);
  expect(ok(within(await as(stranger).get('/users/self/upcoming_events'), 2))).toMatchObject([{ title: 'Meeting', context_name: 'Club' }]);
});

test('missing assignments are listed for the student and their observers', async () => {
  const { course, student, student2, observer, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  const older = await assignment(course, 'Older', '2026-02-01T10:00:00Z');
  await assignment(course, 'Oldest', '2026-01-01T10:00:00Z', { lock_at: '2026-01-02T10:00:00Z' });
  await assignment(course, 'Future', at(30));
  await assignment(course, 'Paper', '2026-02-01T10:00:00Z', { submission_types: ['on_paper'] });
  const done = await assignment(course, 'Done', '2026-02-01T10:00:00Z');
  await handIn(course, done, student);
  const called = await assignment(course, 'Called missing', null);
  await handIn(course, called, student, { submitted_at: null, late_policy_status: 'missing', workflow_state: 'graded' });
  const path = `/users/${student.id}/missing_submissions`;
  const names = (answer: { name: string }[]) => answer.map((one) => one.name);
  const mine = ok(within(await as(student).get(path), 2));
  expect(names(mine)).toEqual(['Called missing', 'Oldest', 'Older']);
  expect(names(ok(within(await as(observer).get(path), 2)))).toEqual(names(mine));
  expect(names(ok(await as(admin).get(path)))).toEqual(names(mine));
  ok(await as(student2).get(path), 401);
  ok(await as(teacher).get(path), 401);
  expect(names(ok(await as(student).get(path, { filter: ['submittable'], course_ids: [course.id] })))).toEqual(['Called missing', 'Older']);
  expect(ok(await as(student).get(path, { course_ids: [999_999] }))).toEqual([]);
  ok(await as(student).post('/planner/overrides', { plannable_type: 'assignment', plannable_id: older, dismissed: true }), 201);
  const [, , last] = ok(within(await as(student).get(path, { include: ['planner_overrides', 'course'] }), 2));
  expect(last).toMatchObject({ name: 'Older', planner_override: { plannable_id: older, dismissed: true }, course: { id: course.id } });
  const watched = { observed_user_id: student.id, course_ids: [course.id] };
  expect(names(ok(within(await as(observer).get('/users/self/missing_submissions', watched), 2)))).toEqual(names(mine));
  ok(await as(observer).get('/users/self/missing_submissions', { observed_user_id: student.id }), 400);
  ok(await as(observer).get('/users/self/missing_submissions', { ...watched, observed_user_id: student2.id }), 400);
  expect(await as(student).pages(path, { per_page: 1 })).toHaveLength(3);
});

test('10,000 assignments without a to-do item cost the same as ten', async () => {
  const { course, student } = await aCourse(ground);
  await assignment(course, 'Soon', at(3));
  const small = within(await as(student).get('/users/self/todo'), 2);
  await many(10_000, assignments, {
    course_id: course.id,
    assignment_group_id: course.assignment_group_id,
    name: nth('A'),
    position: n,
    due_at: sql`strftime('%Y-%m-%dT%H:%M:%SZ', 1993456000 + n * 600, 'unixepoch')`,
    workflow_state: 'published',
    lti_context_id: 'x',
  });
  const large = within(await as(student).get('/users/self/todo'), 2);
  expect(ok(large)).toHaveLength(1);
  expect(large.cost.rows_read).toBeLessThan(small.cost.rows_read + 100);
});

test('the dashboard has a card for each course, or for the favorites', async () => {
  const { course, student, teacher, stranger } = await aCourse(ground);
  const second = await ground.course({ name: 'Astronomy' });
  await ground.enroll(second, student, 'student');
  await env.DB.prepare("update courses set settings = json_set(settings, '$.image_url', 'https://pictures.test/a.png') where id = ?")
    .bind(course.id)
    .run();
  const cards = ok(within(await as(student).get('/dashboard/dashboard_cards'), 2));
  expect(cards.map((one: { shortName: string }) => one.shortName)).toEqual(['Astronomy', course.name]);
  expect(cards[0].image).toBeNull();
  expect(cards[1]).toMatchObject({
    id: course.id,
    image: 'https://pictures.test/a.png',
    assetString: `course_${course.id}`,
    enrollmentType: 'StudentEnrollment',
    canManage: false,
    published: true,
    isFavorited: false,
  });
  expect(ok(await as(teacher).get(`${base}/dashboard/dashboard_cards`))[0].canManage).toBe(true);
  expect(ok(await as(stranger).get('/dashboard/dashboard_cards'))).toEqual([]);
  await ground.db.insert(favorites).values({ user_id: student.id, context_type: 'Course', context_id: second.id, created_at: when });
  expect(ok(await as(student).get('/dashboard/dashboard_cards')).map((one: { id: number }) => one.id)).toEqual([second.id]);
});

test('a locked assignment is listed without its text in every list of due dates', async () => {
  const { course, student, teacher, observer } = await aCourse(ground);
  const held = await assignment(course, 'Held', at(3), { description: 'Kept until later' });
  const modules = `/courses/${course.id}/modules`;
  const { id } = ok(await as(teacher).post(modules, { module: { name: 'Later', unlock_at: at(20) } }));
  ok(await as(teacher).post(`${modules}/${id}/items`, { module_item: { type: 'Assignment', content_id: held } }));
  ok(await as(teacher).put(`${modules}/${id}`, { module: { published: true } }));
  const codes = { type: 'assignment', all_events: true, context_codes: [`course_${course.id}`] };
  const { ics } = ok(await as(student).get(`/courses/${course.id}`)).calendar;
  const wherever = (who: Person) => [
    as(who).get('/users/self/todo'),
    as(who).get('/users/self/upcoming_events'),
    as(who).get('/calendar_events', codes),
  ];
  const text = async (answer: ReturnType<ReturnType<typeof as>['get']>) => JSON.stringify((await answer).body);
  for (const answer of wherever(student)) {
    const told = await text(answer);
    expect(told).toContain('"context_module"');
    expect(told).not.toContain('Kept until later');
  }
  expect(await text(as(student).get(ics))).toContain('Held');
  expect(await text(as(student).get(ics))).not.toContain('Kept until later');
  // Modules do not lock content for teachers and observers.
  for (const who of [teacher, observer]) expect(await text(as(who).get('/calendar_events', codes))).toContain('Kept until later');
});
