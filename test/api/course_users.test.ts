// The users of a course: who is listed, and which fields the caller sees.

import { users } from '@carrel/worker/domains/users/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, manyStudents, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = 'users') => `/courses/${course.id}/${rest}`;
const sorted = (people: { sortable_name: string }[]) => people.map((one) => one.sortable_name);

test('the users of a course are listed once each, by sortable name', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  await ground.enroll(course, teacher, 'ta');
  await ground.enroll(course, stranger, 'student', { enrollment_state: 'inactive' });
  const everybody = ['Assistant, Tim', 'Designer, Dee', 'Observer, Olive', 'Student, Sam', 'Student, Sue', 'Teacher, Tara'];
  const first = within(await as(teacher).get(at(course), { per_page: 4 }), 2);
  expect(sorted(ok(first))).toEqual(everybody.slice(0, 4));
  expect(first.links).not.toHaveProperty('last');
  expect(sorted(await as(student).pages(at(course, 'search_users'), { per_page: 2 }))).toEqual(everybody);
  expect(sorted(ok(await as(teacher).get(at(course), { order: 'desc' })))).toEqual([...everybody].reverse());
  expect(sorted(ok(await as(teacher).get(at(course), { include_inactive: true, sort: 'email' })))).toHaveLength(7);
  expect(sorted(ok(await as(teacher).get(at(course), { enrollment_state: ['inactive'] })))).toEqual(['Stranger, Stan']);
});

test('names are in the order of Unicode in every list of students, also after users are renamed', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const names = ['Ångström', 'Dvořák', 'Émile', 'Łukasz', 'Ólafur', 'Özil', 'Zoe', 'Zoë', '李'];
  const plain = ['Aalto', 'Azoulay', 'Dante', 'Eaton', 'Ezra', 'Lopez', 'Lynn', 'Oakley', 'Ozu', 'Zorn'];
  const people = await Promise.all([...names, ...plain].toReversed().map((name) => ground.person({ name })));
  for (const person of people) await ground.enroll(course, person, 'student');
  const expected = [...names, ...plain, 'Student, Sam', 'Student, Sue'].sort(new Intl.Collator('und').compare);
  const by = as(teacher);
  const students = { enrollment_type: ['student'], per_page: 100 };
  expect(sorted(ok(within(await by.get(at(course), students), 2)))).toEqual(expected);
  expect(sorted(await by.pages(at(course), { ...students, per_page: 4 }))).toEqual(expected);
  expect(sorted(ok(await by.get(at(course), { ...students, order: 'desc' })))).toEqual(expected.toReversed());
  const enrolled = await by.pages(at(course, 'enrollments'), { type: ['StudentEnrollment'], per_page: 7 });
  expect(enrolled.map((one: { user: { sortable_name: string } }) => one.user.sortable_name)).toEqual(expected);

  const { id } = ok(await by.post(at(course, 'assignments'), { assignment: { name: 'Essay', published: true } }), 201);
  const nameOf = new Map([...people, student, student2].map((one) => [one.id, one.name.split(' ').toReversed().join(', ')]));
  const named = (list: { id: number }[]) => list.map((one) => nameOf.get(one.id));
  expect(named(ok(within(await by.get(at(course, `assignments/${id}/gradeable_students`), { per_page: 100 }), 2)))).toEqual(expected);
  expect(named(ok(await by.get(at(course, 'analytics/student_summaries'), { per_page: 100 })))).toEqual(expected);

  const admin = as(await ground.admin());
  const everybody = (await admin.pages('/accounts/1/users', { search_term: 'ström', per_page: 3 })).map(({ name }) => name);
  expect(everybody).toEqual(['Ångström']);
  const first = ok(within(await admin.get('/accounts/1/users', { search_term: 'Émi', per_page: 3 }), 2));
  expect(first.map(({ name }: { name: string }) => name)).toEqual(['Émile']);
  // Renamed: from a name in ASCII, and to one.
  const rename = async (from: string, name: string) => {
    const person = people.find((one) => one.name === from);
    ok(await admin.put(`/users/${person?.id}`, { user: { name, sortable_name: name } }));
    expected[expected.indexOf(from)] = name;
  };
  await rename('Zorn', 'Ärlig');
  await rename('Ångström', 'Tove');
  await rename('Łukasz', 'Żeromski');
  expected.sort(new Intl.Collator('und').compare);
  expect(sorted(ok(await by.get(at(course), students)))).toEqual(expected);
  expect(sorted(await by.pages(at(course), { ...students, per_page: 5 }))).toEqual(expected);
});

test('users are filtered by type, role, search term and ids', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const of = async (query: object) => sorted(ok(within(await as(teacher).get(at(course), query), 2)));
  expect(await of({ enrollment_type: ['student'] })).toEqual(['Student, Sam', 'Student, Sue']);
  expect(await of({ enrollment_type: 'teacher' })).toEqual(['Teacher, Tara']);
  expect(await of({ enrollment_type: ['student', 'ta'] })).toEqual(['Assistant, Tim', 'Student, Sam', 'Student, Sue']);
  expect(await of({ enrollment_role_id: 6 })).toEqual(['Designer, Dee']);
  expect(await of({ enrollment_role: 'TaEnrollment' })).toEqual(['Assistant, Tim']);
  expect(await of({ search_term: 'sam' })).toEqual(['Student, Sam']);
  expect(await of({ search_term: student.login })).toEqual(['Student, Sam']);
  expect(await of({ search_term: String(student.id) })).toContain('Student, Sam');
  expect(await of({ user_ids: [student.id] })).toEqual(['Student, Sam']);
  expect(await of({ user_ids: [`sis_login_id:${student.login}`, 'sis_user_id:nobody'] })).toEqual(['Student, Sam']);
  // The page with a certain user, in any order.
  expect(await of({ user_id: student.id })).toEqual(['Student, Sam', 'Student, Sue', 'Teacher, Tara']);
  expect(await of({ user_id: `sis_login_id:${student.login}`, order: 'desc' })).toEqual([
    'Student, Sam',
    'Observer, Olive',
    'Designer, Dee',
    'Assistant, Tim',
  ]);
  expect((await of({ user_id: student.id, sort: 'email' }))[0]).toBe('Student, Sam');
  expect(await of({ user_id: stranger.id })).toHaveLength(6);
  const { links } = await as(teacher).get(at(course), { user_id: student.id, sort: 'username', per_page: 2 });
  expect(links.next).toContain('sort=username');
  expect(links.next).not.toContain('user_id');
  expect(sorted(ok(await as(teacher).get(links.next as string)))).toEqual(['Teacher, Tara']);
  ok(await as(teacher).get(at(course), { search_term: 'x' }), 400);
  expect(ok(await as(teacher).get(at(course), { sort: 'odd' }))).toEqual(ok(await as(teacher).get(at(course))));
});

test('personal fields are for callers with the permission, and only for users who have accepted', async () => {
  const { course, teacher, student, student2, stranger } = await aCourse(ground);
  await ground.enroll(course, stranger, 'student', { enrollment_state: 'invited' });
  const include = [
    'enrollments',
    'sections',
    'avatar_url',
    'email',
    'group_ids',
    'locked',
    'can_be_removed',
    'first_name',
    'last_name',
    'uuid',
  ];
  const result = ok(within(await as(teacher).get(at(course), { include, enrollment_type: ['student'] }), 2));
  expect(result[1]).toMatchObject({
    id: student.id,
    first_name: 'Sam',
    last_name: 'Student',
    login_id: student.login,
    group_ids: [],
    locked: false,
    can_be_removed: true,
    sections: [{ id: course.section_id }],
    enrollments: [{ type: 'StudentEnrollment', enrollment_state: 'active', grades: { current_score: null } }],
  });
  expect(result[1].enrollments[0]).not.toHaveProperty('user');
  expect(result[0]).toMatchObject({ id: stranger.id });
  for (const field of ['login_id', 'email', 'avatar_url']) expect(result[0]).not.toHaveProperty(field);
  const peers = ok(await as(student2).get(at(course), { include: ['email'] }));
  expect(peers.find((one: { id: number }) => one.id === student.id)).not.toHaveProperty('login_id');
});

test('an observer sees themselves and their student, an outsider no one', async () => {
  const { course, observer, stranger } = await aCourse(ground);
  const seen = ok(await as(observer).get(at(course), { include: ['email'] }));
  expect(sorted(seen)).toEqual(['Observer, Olive', 'Student, Sam']);
  expect(seen[0].email).toBe(observer.login);
  expect(seen[1]).not.toHaveProperty('email');
  ok(await as(stranger).get(at(course)), 401);
  ok(await as().get(at(course)), 401);
});

test('a section-restricted user sees only users of their section, in every list of users', async () => {
  const { course, stranger, student, student2, teacher } = await aCourse(ground);
  const lab = await ground.section(course, { name: 'Lab' });
  await ground.enroll(course, stranger, 'ta', { section_id: lab, limited: true });
  await ground.enroll(course, student2, 'student', { section_id: lab });
  const seen = ok(within(await as(stranger).get(at(course), { include: ['enrollments', 'sections'] }), 2));
  expect(sorted(seen)).toEqual(['Stranger, Stan', 'Student, Sue']);
  expect(seen[1].enrollments.map((one: { course_section_id: number }) => one.course_section_id)).toEqual([lab]);
  expect(seen[1].sections).toMatchObject([{ id: lab }]);
  const their = as(stranger);
  ok(await their.get(`/sections/${course.section_id}`, { include: ['students'] }), 404);
  ok(await their.get(at(course, `sections/${course.section_id}`)), 404);
  const attended = (who: { id: number }) => their.put(at(course, `users/${who.id}/last_attended`), { date: '2026-10-01' });
  ok(await attended(student), 404);
  ok(within(await attended(student2), 3));
  const enrolled = async (who: { id: number }) => ok(await as(teacher).get(at(course, 'enrollments'), { user_id: who.id }));
  ok(await their.del(at(course, `enrollments/${(await enrolled(student))[0].id}`), { task: 'inactivate' }), 404);
  const page = ok(await as(teacher).post(at(course, 'pages'), { wiki_page: { title: 'Read', published: true } }));
  const module = ok(await as(teacher).post(at(course, 'modules'), { module: { name: 'Week' } }));
  ok(await as(teacher).put(at(course, `modules/${module.id}`), { module: { published: true } }));
  const item = { type: 'Page', page_url: page.url, completion_requirement: { type: 'must_view' } };
  ok(await as(teacher).post(at(course, `modules/${module.id}/items`), { module_item: item }));
  const ids = (people: { id: number }[]) => people.map(({ id }) => id);
  expect(ids(ok(await their.get(at(course, 'bulk_user_progress'))))).toEqual([student2.id]);
  ok(await their.get(at(course, `users/${student.id}/progress`)), 400);
  ok(await their.get(at(course, `users/${student2.id}/progress`)));
  const set = ok(await as(teacher).post(at(course, 'group_categories'), { name: 'Teams', create_group_count: 1 }));
  const [group] = ok(await as(teacher).get(`/group_categories/${set.id}/groups`));
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id, `sis_login_id:${student2.login}`] }));
  for (const list of [`/groups/${group.id}/users`, `/group_categories/${set.id}/users`])
    expect(ids(ok(within(await their.get(list), 2)))).toEqual([student2.id]);
  expect(ids(ok(await their.get(at(course, 'groups'), { include: ['users'], section_restricted: true }))[0].users)).toEqual([student2.id]);
  expect(ids(ok(await as(student).get(`/groups/${group.id}/users`)))).toEqual([student.id, student2.id]);
  const work = { name: 'Essay', submission_types: ['online_text_entry'], published: true, points_possible: 5 };
  const essay = ok(await as(teacher).post(at(course, 'assignments'), { assignment: work }), 201);
  const handed = { submission: { submission_type: 'online_text_entry', body: 'Here' } };
  ok(await as(student).post(at(course, `assignments/${essay.id}/submissions`), handed), 201);
  const toGrade = async (who: typeof teacher) => {
    const [listed] = ok(within(await as(who).get('/courses', { include: ['needs_grading_count'] }), 2));
    const query = { include: ['assignment_visibility'], needs_grading_count_by_section: true };
    const [told] = ok(within(await as(who).get(at(course, 'assignments'), query), 2));
    const todo = ok(within(await as(who).get('/users/self/todo_item_count'), 2));
    return [
      listed.needs_grading_count,
      told.needs_grading_count_by_section.length,
      told.assignment_visibility.length,
      todo.needs_grading_count,
    ];
  };
  expect([await toGrade(teacher), await toGrade(stranger)]).toEqual([
    [1, 1, 2, 1],
    [0, 0, 1, 0],
  ]);
  ok(await as(teacher).put(at(course, `assignments/${essay.id}/submissions/${student.id}`), { submission: { posted_grade: '4' } }));
  expect((await toGrade(teacher))[0]).toBe(0);
  // She is also in the lab section, so she is visible there.
  const recipients = async (context: string) => ids(ok(within(await their.get('/search/recipients', { context }), 2)));
  expect(await recipients(`course_${course.id}`)).toEqual([stranger.id, student2.id]);
  expect(await recipients(`course_${course.id}_students`)).toEqual([student2.id]);
  // One enrollment without the restriction opens all sections.
  await ground.enroll(course, stranger, 'ta', { section_id: await ground.section(course, { name: 'Evening' }) });
  expect(ids(ok(await their.get(at(course))))).toContain(student.id);
});

test('one user of a course is returned, and no user outside of it', async () => {
  const { course, teacher, student, stranger, observer } = await aCourse(ground);
  expect(ok(within(await as(teacher).get(at(course, `users/${student.id}`), { include: ['enrollments'] }), 2))).toMatchObject({
    id: student.id,
    enrollments: [{ user_id: student.id }],
  });
  ok(await as(teacher).get(at(course, `users/${stranger.id}`)), 404);
  ok(await as(observer).get(at(course, `users/${teacher.id}`)), 404);
  ok(await as(stranger).get(at(course, `users/${student.id}`)), 401);
});

test('students are listed in full, and by last activity', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  expect(sorted(ok(within(await as(student).get(at(course, 'students'), { per_page: 1 }), 2)))).toEqual(['Student, Sam', 'Student, Sue']);
  await many(1, users, {
    id: sql`500000 + n`,
    name: 'Early Bird',
    short_name: 'Early',
    sortable_name: 'Bird, Early',
    uuid: 'u',
    last_login: '2026-11-01T00:00:00Z',
    created_at: '2026-01-01T00:00:00Z',
  });
  await ground.enroll(course, { ...student, id: 500001, name: 'Early Bird' }, 'student');
  const recent = ok(within(await as(teacher).get(at(course, 'recent_students')), 2));
  expect(recent[0]).toMatchObject({ id: 500001, last_login: '2026-11-01T00:00:00Z' });
  expect(recent.slice(1).map((one: { id: number; last_login: null }) => [one.id, one.last_login])).toEqual([
    [student2.id, null],
    [student.id, null],
  ]);
  ok(await as(student).get(at(course, 'recent_students')), 401);
});

test("a teacher sets a student's last attendance", async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const it = at(course, `users/${student.id}/last_attended`);
  expect(ok(within(await as(teacher).put(it, { date: '2026-10-01' }), 3))).toEqual({ date: '2026-10-01T00:00:00Z' });
  expect(ok(await as(student).get(at(course, 'enrollments'), { user_id: 'self' }))[0].last_attended_at).toBe('2026-10-01T00:00:00Z');
  ok(await as(teacher).put(at(course, `users/${stranger.id}/last_attended`), { date: '2026-10-01' }), 404);
  ok(await as(teacher).put(it, { date: 'yesterday' }), 400);
  ok(await as(teacher).put(it), 400);
  ok(await as(student).put(it, { date: '2026-10-01' }), 401);
});

test('ten thousand users cost no more than ten', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const small = within(await as(teacher).get(at(course)), 2);
  await manyStudents(10_000, course, 1_000_000, nth('Many '));
  for (const [person, query] of [
    [student, {}],
    [teacher, { enrollment_type: ['student'] }],
    [teacher, { enrollment_type: ['student', 'ta'] }],
  ] as const) {
    let page = within(await as(person).get(at(course), { per_page: 100, ...query }), 2);
    expect(ok(page)).toHaveLength(100);
    const most = 400 + small.cost.rows_read;
    expect(page.cost.rows_read).toBeLessThan(most);
    for (let n = 0; n < 3; n++) page = await as(person).get(page.links.next as string);
    expect(page.cost.rows_read).toBeLessThan(most);
  }
  const teachers = within(await as(teacher).get(at(course), { enrollment_type: ['teacher'] }), 2);
  expect(teachers.cost.rows_read).toBeLessThan(20 + small.cost.rows_read);
});
