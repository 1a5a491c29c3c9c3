// Merging users, and splitting them again.

import { env } from 'cloudflare:test';
import { planner_notes } from '@carrel/worker/domains/planner/table';
import { submissions } from '@carrel/worker/domains/submissions/table';
import { tick } from '@carrel/worker/schedule';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

const ids = (rows: { id: number }[]) => rows.map((one) => one.id);
const merge = (by: Person, source: { id: number }, destination: { id: number }) =>
  as(by).put(`/users/${source.id}/merge_into/${destination.id}`);
const text = { submission_type: 'online_text_entry' };

/** A student with two accounts: `twin` is merged into the other. */
async function aTwin() {
  const scene = await aCourse(ground);
  const admin = await ground.admin();
  const twin = await ground.person({ name: 'Sam Twin', sis_user_id: `twin-${scene.course.id}` });
  const other = await ground.course();
  await ground.enroll(other, twin, 'student');
  await ground.enroll(other, scene.teacher, 'teacher');
  return { ...scene, admin, twin, other };
}

test('the merged user is deleted; logins, addresses and tokens belong to the other', async () => {
  const { admin, twin, student, other, teacher } = await aTwin();
  ok(await merge(teacher, twin, student), 401);
  ok(await merge(admin, twin, twin), 400);
  ok(await merge(admin, twin, { id: 999_999 }), 404);
  ok(await as(admin).put(`/users/nonsense/merge_into/${student.id}`), 404);
  const merged = ok(within(await merge(admin, twin, student), 3));
  expect(merged).toMatchObject({ id: student.id, name: 'Sam Student' });
  const names = ok(await as(admin).get(`/users/${student.id}`, { include: ['uuid'] }));
  expect(names.past_uuid).toMatch(/^\w{40}$/);
  expect(names.past_uuid).not.toBe(names.uuid);
  ok(await as(admin).get(`/users/${twin.id}`), 404);
  expect(ok(await as(admin).get(`/users/${student.id}/logins`)).map((one: { unique_id: string }) => one.unique_id)).toEqual([
    student.login,
    twin.login,
  ]);
  expect(ok(await as(twin).get('/users/self')).id, 'the old token').toBe(student.id);
  expect(ids(ok(await as(student).get('/courses')))).toContain(other.id);
  expect(ok(await as(admin).get(`/users/sis_user_id:twin-${other.id - 1}`)).id).toBe(student.id);
  expect(ok(await as(admin).get('/users/self', { as_user_id: twin.id }), 401)).toEqual({
    errors: 'Invalid as_user_id',
    merged_into_user_id: student.id,
  });
  expect(ok(await merge(admin, twin, student)).id, 'asked again').toBe(student.id);
  ok(await merge(admin, twin, teacher), 404);
  ok(await merge(admin, student, twin), 404);
});

test('an account in the path may be named: by id, keyword or domain', async () => {
  const { admin, twin, student } = await aTwin();
  const at = (account: string) => `/users/${twin.id}/merge_into/accounts/${account}/users/${student.id}`;
  ok(await as(admin).put(at('2')), 404);
  ok(await as(student).put(at('1')), 401);
  ok(await as(admin).put(at('carrel.test')));
  ok(await as(admin).put(at('1')));
  ok(await as(admin).put(at('self')));
});

test('no one merges a user with more permissions, or into one', async () => {
  const { admin, student } = await aTwin();
  const role = ok(
    await as(admin).post('/accounts/1/roles', {
      label: `Registrar ${student.id}`,
      permissions: { manage_user_logins: { explicit: true, enabled: true } },
    }),
  );
  const registrar = await ground.admin({ role_id: role.id });
  const second = await ground.person();
  ok(await merge(registrar, admin, student), 401);
  ok(await merge(registrar, student, admin), 401);
  ok(await merge(registrar, second, student));
  ok(await as(registrar).post(`/users/${student.id}/split`));
});

test('of two enrollments in the same section the one in the better state is kept', async () => {
  const { admin, twin, student, course } = await aTwin();
  await ground.enroll(course, twin, 'student', { enrollment_state: 'invited' });
  const second = await ground.course();
  await ground.enroll(second, twin, 'student');
  await ground.enroll(second, student, 'student', { enrollment_state: 'completed' });
  ok(await merge(admin, twin, student));
  const mine = ok(await as(student).get('/users/self/enrollments', { state: ['active', 'invited', 'completed'] }));
  expect(mine.map((one: { course_id: number; enrollment_state: string }) => [one.course_id, one.enrollment_state]).sort()).toEqual(
    [
      [course.id, 'active'],
      [course.id + 1, 'active'],
      [second.id, 'active'],
    ].sort(),
  );
});

test('of two submissions the graded one is kept, then the one with content; comments are merged', async () => {
  const { admin, twin, student, course, teacher } = await aTwin();
  await ground.enroll(course, twin, 'student');
  const assign = async (name: string) =>
    ok(
      await as(teacher).post(`/courses/${course.id}/assignments`, {
        assignment: { name, points_possible: 10, published: true, submission_types: ['online_text_entry'] },
      }),
      201,
    ).id as number;
  const at = (assignment: number) => `/courses/${course.id}/assignments/${assignment}/submissions`;
  const handIn = async (by: Person, assignment: number, body: string) =>
    ok(await as(by).post(at(assignment), { submission: { ...text, body } }), 201);
  const grade = async (whose: Person, assignment: number, posted_grade: number) =>
    ok(
      await as(teacher).put(`${at(assignment)}/${whose.id}`, {
        submission: { posted_grade },
        comment: { text_comment: `graded ${whose.name}` },
      }),
    );
  const [alone, better, worse, work] = [await assign('alone'), await assign('better'), await assign('worse'), await assign('work')];
  await handIn(twin, alone, 'by the twin');
  await handIn(twin, alone, 'by the twin again');
  await grade(twin, alone, 4);
  await handIn(student, better, 'by the student');
  await handIn(twin, better, 'by the twin');
  await grade(twin, better, 9);
  await handIn(student, worse, 'by the student');
  await grade(student, worse, 3);
  await handIn(twin, worse, 'by the twin');
  await handIn(twin, work, 'by the twin');
  const see = async (whose: Person, assignment: number) =>
    ok(await as(teacher).get(`${at(assignment)}/${whose.id}`, { include: ['submission_comments', 'submission_history'] }));
  const before = await Promise.all([alone, better, worse, work].flatMap((one) => [see(student, one), see(twin, one)]));

  ok(within(await merge(admin, twin, student), 3));
  expect(await see(student, alone)).toMatchObject({
    user_id: student.id,
    body: 'by the twin again',
    score: 4,
    submission_comments: [{ comment: 'graded Sam Twin', author_id: teacher.id }],
  });
  expect((await see(student, alone)).submission_history).toHaveLength(2);
  expect(await see(student, better)).toMatchObject({
    body: 'by the twin',
    score: 9,
    submission_comments: [{ comment: 'graded Sam Twin' }],
  });
  expect(await see(student, worse)).toMatchObject({
    body: 'by the student',
    score: 3,
    submission_comments: [{ comment: 'graded Sam Student' }],
  });
  expect(await see(student, work)).toMatchObject({ body: 'by the twin', workflow_state: 'submitted' });

  expect(ids(ok(within(await as(admin).post(`/users/${student.id}/split`), 3)))).toEqual([student.id, twin.id]);
  const after = await Promise.all([alone, better, worse, work].flatMap((one) => [see(student, one), see(twin, one)]));
  expect(after).toEqual(before);
});

test('conversations, favorites, notes and observers are moved; no one becomes their own observer', async () => {
  const { admin, twin, student, teacher, observer, course, other, stranger } = await aTwin();
  await ground.enroll(course, twin, 'student');
  const say = async (from: Person, to: Person[], body: string, more = {}) =>
    ok(
      await as(from).post('/conversations', { recipients: to.map((one) => one.id), body, context_code: `course_${course.id}`, ...more }),
      201,
    )[0];
  const both = await say(teacher, [student, twin], 'to both', { group_conversation: true });
  ok(await as(twin).post(`/conversations/${both.id}/add_message`, { body: 'from the twin' }));
  const own = await say(twin, [teacher], 'from the twin alone');
  const already = await say(student, [teacher], 'from the student');
  ok(await as(twin).post(`/users/self/favorites/courses/${other.id}`));
  ok(await as(twin).post('/planner_notes', { title: 'Remember', todo_date: '2026-12-01T00:00:00Z' }), 201);
  ok(await as(admin).put(`/users/${stranger.id}/observees/${twin.id}`));
  ok(await as(admin).put(`/users/${observer.id}/observees/${twin.id}`));
  ok(await as(admin).put(`/users/${student.id}/observees/${twin.id}`));
  const seen = async (person: Person) => ({
    inbox: ok(await as(person).get('/conversations', { per_page: 50 })),
    sent: ok(await as(person).get('/conversations', { per_page: 50, scope: 'sent' })),
    thread: ok(await as(person).get(`/conversations/${both.id}`, { auto_mark_as_read: false })),
    favorites: ids(ok(await as(person).get('/users/self/favorites/courses'))),
    notes: ok(await as(person).get('/planner_notes')),
    observees: ids(ok(await as(person).get('/users/self/observees'))),
    observers: ids(ok(await as(person).get('/users/self/observers'))),
    enrollments: ids(ok(await as(person).get('/users/self/enrollments', { state: ['active', 'invited', 'completed', 'inactive'] }))),
  });
  const everybody = [student, twin, teacher, observer, stranger];
  const look = () => Promise.all([student, twin].map(seen));
  const links = () => Promise.all(everybody.map(async (one) => ids(ok(await as(one).get('/users/self/enrollments', { per_page: 50 })))));
  const before = [await look(), await links()];

  ok(await merge(admin, twin, student));
  const merged = await seen(student);
  expect(ids(merged.sent)).toEqual(expect.arrayContaining([both.id, own.id, already.id]));
  expect(merged.thread.messages.map((one: { author_id: number }) => one.author_id).sort()).toEqual([teacher.id, student.id].sort());
  expect(merged.notes).toMatchObject([{ title: 'Remember', user_id: student.id }]);
  expect(merged.favorites).toContain(other.id);
  expect(merged.observees).toEqual([]);
  expect(merged.observers.sort()).toEqual([observer.id, stranger.id].sort());
  expect(
    ok(await as(observer).get('/users/self/enrollments', { state: ['active'] })).map(
      (one: { associated_user_id: number }) => one.associated_user_id,
    ),
  ).toEqual([student.id, student.id]);
  ok(await as(admin).post(`/users/${student.id}/split`));
  const after = [await look(), await links()];
  const timeless = (given: unknown) => JSON.parse(JSON.stringify(given, (key, value) => (/^updated_at$/.test(key) ? undefined : value)));
  expect(timeless(after)).toEqual(timeless(before));

  ok(await merge(admin, twin, student));
  // A private conversation continues with its participants.
  expect(
    ids(ok(await as(teacher).post('/conversations', { recipients: [student.id], body: 'more', context_code: `course_${course.id}` }), 201)),
  ).toEqual([already.id]);
});

test('group memberships are moved, counted once and named after the kept user; of two groups in one category their own stays', async () => {
  const { admin, twin, student, teacher, other } = await aTwin();
  await ground.enroll(other, student, 'student');
  const aSet = async (name: string) => ok(await as(teacher).post(`/courses/${other.id}/group_categories`, { name }));
  const aGroup = async (set: { id: number }, name: string) => ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name }));
  const [labs, teams] = [await aSet('Labs'), await aSet('Teams')];
  const [bench, reds, blues] = [await aGroup(labs, 'Bench'), await aGroup(teams, 'Reds'), await aGroup(teams, 'Blues')];
  const join = async (who: Person, group: { id: number }) =>
    ok(await as(teacher).post(`/groups/${group.id}/memberships`, { user_id: who.id }));
  await join(twin, bench);
  await join(twin, reds);
  await join(student, blues);
  ok(await merge(admin, twin, student));
  const groupsOf = async (who: Person) =>
    ok(await as(who).get('/users/self/groups'))
      .map((one: { name: string }) => one.name)
      .sort();
  expect(await groupsOf(student)).toEqual(['Bench', 'Blues']);
  const counts = async () =>
    ok(await as(teacher).get(`/courses/${other.id}/groups`)).map((one: { members_count: number }) => one.members_count);
  expect(await counts()).toEqual([1, 1, 0]);
  ok(await as(admin).post(`/users/${student.id}/split`));
  expect(await groupsOf(student)).toEqual(['Blues']);
  expect(await groupsOf(twin)).toContain('Bench');
});

test('files are moved to a folder of their own, and moved back with files added meanwhile', async () => {
  const { admin, twin, student } = await aTwin();
  const put = (person: Person, name: string, path: string) =>
    upload(person, '/users/self/files', { name, parent_folder_path: path } as never);
  const [notes, deep] = [await put(twin, 'notes.txt', 'work'), await put(twin, 'deep.txt', 'work/deeper')];
  const own = await put(student, 'own.txt', 'work');
  const paths = async (person: Person) =>
    ok(await as(person).get('/users/self/folders', { per_page: 100 }))
      .map((one: { full_name: string }) => one.full_name)
      .sort();
  const before = [await paths(twin), await paths(student)];
  const there = `my files/Files of ${twin.name} (${twin.id})`;
  ok(within(await merge(admin, twin, student), 3));
  expect(await paths(student)).toEqual([...(before[1] ?? []), there, `${there}/work`, `${there}/work/deeper`].sort());
  expect(
    ok(await as(student).get('/users/self/files'))
      .map((one: { id: number }) => one.id)
      .sort(),
  ).toEqual([notes.id, deep.id, own.id].sort());
  expect(ok(await as(student).get(`/files/${deep.id}`)).display_name).toBe('deep.txt');
  const later = await put(student, 'later.txt', `${there}/work/deeper/since`);
  ok(await as(admin).post(`/users/${student.id}/split`));
  expect(await paths(student)).toEqual(before[1]);
  const back = await env.DB.prepare("select full_name from folders where context_type = 'User' and context_id = ? order by 1")
    .bind(twin.id)
    .all();
  expect(back.results.map((one) => one.full_name)).toEqual([...(before[0] ?? []), 'my files/work/deeper/since']);
  const theirs = await env.DB.prepare("select id from files where context_type = 'User' and context_id = ? order by id")
    .bind(twin.id)
    .all();
  expect(theirs.results.map((one) => one.id)).toEqual([notes.id, deep.id, later.id]);
});

test('a split restores everything, once, and only within 180 days', async () => {
  const { admin, twin, student, other, course, teacher } = await aTwin();
  ok(await as(admin).post(`/users/${student.id}/split`), 400);
  ok(await merge(admin, twin, student));
  ok(await as(teacher).post(`/users/${student.id}/split`), 401);
  expect(ids(ok(within(await as(admin).post(`/users/${student.id}/split`), 3)))).toEqual([student.id, twin.id]);
  expect(ok(await as(twin).get('/users/self'))).toMatchObject({ id: twin.id, login_id: twin.login });
  expect(ids(ok(await as(twin).get('/courses')))).toEqual([other.id]);
  expect(ids(ok(await as(student).get('/courses')))).toEqual([course.id]);
  expect(ok(await as(admin).get(`/users/${student.id}/logins`))).toHaveLength(1);
  ok(await as(admin).post(`/users/${student.id}/split`), 400);
  ok(await merge(admin, twin, student));
  await env.DB.prepare("update user_merges set created_at = '2026-01-01T00:00:00Z' where source_id = ? and split_at is null")
    .bind(twin.id)
    .run();
  ok(await as(admin).post(`/users/${student.id}/split`), 400);
});

test('successive merges are split successively', async () => {
  const { admin, twin, student, stranger } = await aTwin();
  const third = await ground.person();
  ok(await merge(admin, stranger, twin));
  ok(await merge(admin, twin, student));
  ok(await merge(admin, third, student));
  expect(ids(ok(await as(admin).post(`/users/${student.id}/split`)))).toEqual([student.id, twin.id, third.id].sort((a, b) => a - b));
  expect(ok(await as(stranger).get('/users/self')).id).toBe(twin.id);
  expect(ok(await as(third).get('/users/self')).id).toBe(third.id);
  ok(await as(admin).post(`/users/${twin.id}/split`));
  expect(ok(await as(stranger).get('/users/self')).id).toBe(stranger.id);
});

test('writes during a merge belong to the kept user', async () => {
  const { admin, twin, student, course, other, teacher, stranger } = await aTwin();
  const essay = ok(
    await as(teacher).post(`/courses/${other.id}/assignments`, {
      assignment: { name: 'Essay', published: true, submission_types: ['online_text_entry'] },
    }),
    201,
  );
  const courses = await Promise.all([1, 2, 3].map(() => ground.course()));
  const answers = await Promise.all([
    ...courses.map((one) =>
      as(admin).post(`/courses/${one.id}/enrollments`, { enrollment: { user_id: twin.id, enrollment_state: 'active' } }),
    ),
    as(twin).post(`/courses/${other.id}/assignments/${essay.id}/submissions`, { submission: { ...text, body: 'in time' } }),
    as(teacher).post('/conversations', { recipients: [twin.id], body: 'Hello', context_code: `course_${other.id}` }),
    merge(admin, twin, student),
    merge(admin, twin, student),
    merge(admin, student, twin),
    as(admin).put(`/users/${stranger.id}/observees/${twin.id}`),
    as(twin).post('/planner_notes', { title: 'Remember', todo_date: '2026-12-01T00:00:00Z' }),
    as(twin).put(`/users/self/course_nicknames/${other.id}`, { nickname: 'Other' }),
  ]);
  for (const { status, body } of answers) expect([200, 201, 400, 401, 404, 409], JSON.stringify(body)).toContain(status);
  const gone = (await as(admin).get(`/users/${twin.id}`)).status === 404 ? twin : student;
  const stays = gone === twin ? student : twin;
  await tick(env as never, Date.now() + 5 * 60_000);
  const left = await Promise.all(
    [
      "enrollments where enrollment_state <> 'deleted' and user_id",
      "enrollments where enrollment_state <> 'deleted' and observed_user_id",
      'submissions where user_id',
      'conversation_participants where user_id',
      'planner_notes where user_id',
      'course_nicknames where user_id',
      'tokens where user_id',
      'logins where user_id',
      'observers where student_id',
    ].map(async (rows) => [rows, await env.DB.prepare(`select count(*) from ${rows} = ?`).bind(gone.id).first<number>('count(*)')]),
  );
  expect(left.filter(([, count]) => count !== 0)).toEqual([]);
  expect(
    await env.DB.prepare('select count(*) from user_merges where source_id in (?, ?)').bind(twin.id, student.id).first('count(*)'),
  ).toBe(1);
  const mine = ok(await as(stays).get('/users/self/enrollments', { per_page: 50 })).map((one: { course_id: number }) => one.course_id);
  expect(mine).toEqual(expect.arrayContaining([course.id, other.id]));
  expect(new Set(mine).size).toBe(mine.length);
});

test('of two simultaneous splits one happens', async () => {
  const { admin, twin, student } = await aTwin();
  ok(await merge(admin, twin, student));
  const answers = await Promise.all([1, 2, 3].map(() => as(admin).post(`/users/${student.id}/split`)));
  for (const { status } of answers) expect([200, 400]).toContain(status);
  expect(ok(await as(twin).get('/users/self')).id).toBe(twin.id);
  expect(ok(await as(admin).get(`/users/${student.id}/logins`))).toHaveLength(1);
});

test('a user with 10,000 rows is merged and split in as many trips as any other', { timeout: 60_000 }, async () => {
  const { admin, twin, student } = await aTwin();
  await many(10_000, planner_notes, { user_id: twin.id, title: nth('Note '), todo_date: '2026-12-01T00:00:00Z' });
  await many(2_000, submissions, {
    id: sql`(1000000 + n) * 67108864 + ${twin.id}`,
    course_id: 999999,
    assignment_id: sql`1000000 + n`,
    user_id: twin.id,
    submission_type: 'online_text_entry',
    workflow_state: 'submitted',
  });
  const count = (person: Person, table: string) =>
    env.DB.prepare(`select count(*) from ${table} where user_id = ?`).bind(person.id).first('count(*)');
  ok(within(await merge(admin, twin, student), 3));
  expect([await count(student, 'planner_notes'), await count(student, 'submissions'), await count(twin, 'planner_notes')]).toEqual([
    10_000, 2_000, 0,
  ]);
  ok(within(await as(admin).post(`/users/${student.id}/split`), 3));
  expect([await count(twin, 'planner_notes'), await count(twin, 'submissions'), await count(student, 'planner_notes')]).toEqual([
    10_000, 2_000, 0,
  ]);
});

test('assessments by a rubric move with the work that they assess, and with their assessor', async () => {
  const { admin, twin, student, other, teacher } = await aTwin();
  const assignment = { name: 'Essay', published: true, points_possible: 5 };
  const essay = ok(await as(teacher).post(`/courses/${other.id}/assignments`, { assignment }), 201);
  const { rubric, rubric_association: use } = ok(
    await as(teacher).post(`/courses/${other.id}/rubrics`, {
      rubric: { criteria: [{ description: 'Method', ratings: [{ points: 5 }] }] },
      rubric_association: { association_id: essay.id, association_type: 'Assignment', use_for_grading: true },
    }),
  );
  const work = ({ id }: { id: number }) => `/courses/${other.id}/assignments/${essay.id}/submissions/${id}`;
  const include = ['rubric_assessment', 'full_rubric_assessment'];
  ok(await as(teacher).put(work(twin), { rubric_assessment: { [rubric.data[0].id]: { points: 5 } } }));
  ok(await merge(admin, twin, student));
  const moved = ok(await as(teacher).get(work(student), { include }));
  expect(moved).toMatchObject({ score: 5, rubric_assessment: { [rubric.data[0].id]: { points: 5 } } });
  expect(moved.full_rubric_assessment).toMatchObject({ user_id: student.id, artifact_id: moved.id, rubric_association_id: use.id });
  const stand_in = await ground.person();
  ok(await merge(admin, teacher, stand_in));
  expect(ok(await as(stand_in).get(work(student), { include })).full_rubric_assessment).toMatchObject({ assessor_id: stand_in.id });
  ok(await as(admin).post(`/users/${student.id}/split`));
  expect(ok(await as(stand_in).get(work(twin), { include })).full_rubric_assessment).toMatchObject({ user_id: twin.id, score: 5 });
});
