// Values that users could once infer: from the order of a list, its Link header, other sections, files and streams.

import { env } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { askAs, legibly } from '../support/access';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { bytes, sendContent, upload } from '../support/upload';

const soon = '2099-01-01T00:00:00Z';

async function aSplitCourse() {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const section_id = await ground.section(course, { name: 'Evening' });
  const names = ['Zoe Evening', 'Yan Evening', 'Ivy Invited'];
  const [evening, eveningTa, invited] = (await Promise.all(names.map((name) => ground.person({ name })))) as [Person, Person, Person];
  await ground.enroll(course, evening, 'student', { section_id });
  await ground.enroll(course, eveningTa, 'ta', { section_id, limited: true });
  await ground.enroll(course, invited, 'student', { enrollment_state: 'invited' });
  // The order of these values differs from that of the names: Sam, Sue, Zoe.
  const values = [
    [scene.student.id, 'c'],
    [scene.student2.id, 'b'],
    [evening.id, 'a'],
  ] as const;
  await env.DB.batch(
    values.flatMap(([id, message]) => [
      env.DB.prepare('update logins set sis_user_id = ?, integration_id = ? where user_id = ?').bind(
        `${message}-sis`,
        `${message}-other`,
        id,
      ),
      env.DB.prepare('update communication_channels set address = ? where user_id = ?').bind(`${message}-mail@example.edu`, id),
      env.DB.prepare('update users set last_login = ? where id = ?').bind(`2026-01-0${message.charCodeAt(0) - 96}T00:00:00Z`, id),
    ]),
  );
  const at = `/courses/${course.id}`;
  const create = async (path: string, body: object, person = teacher) => {
    const answer = await as(person).post(path, body);
    return ok(answer, answer.status === 201 ? 201 : 200);
  };
  return { ...scene, evening, eveningTa, invited, section_id, at, create };
}
let scene: Awaited<ReturnType<typeof aSplitCourse>>;
beforeAll(async () => {
  scene = await aSplitCourse();
});

const ids = (people: readonly { id: number }[]) => people.map(({ id }) => id);

test('classmates cannot be sorted by email address, SIS id or last login, and no Link header contains one', async () => {
  const { student, teacher, eveningTa, at } = scene;
  const sorts = ['email', 'sis_id', 'last_login'];
  for (const list of [`${at}/users`, `${at}/search_users`])
    for (const sort of sorts) {
      const named = ids(await as(student).pages(list, { per_page: 2 }));
      expect(ids(await as(student).pages(list, { per_page: 2, sort })), `${list} ${sort}`).toEqual(named);
      const theirs = ids(await as(teacher).pages(list, { per_page: 2, sort, enrollment_type: ['student'] }));
      const { legible } = await askAs('GET', `/api/v1${list}?per_page=1&enrollment_type[]=student&sort=${sort}`, student);
      expect(legible).toContain('page=bookmark:');
      for (const person of [teacher, eveningTa]) {
        const result = await as(person).get(list, { per_page: 1, sort, order: 'desc' });
        expect(legibly(result.headers.get('link') ?? '')).not.toMatch(/-(mail|sis)|2026-01|Student|student/);
      }
      const backwards = [scene.evening.id, scene.student2.id, student.id];
      expect(
        theirs.filter((id) => backwards.includes(id)),
        sort,
      ).toEqual(backwards);
    }
});

test('an account does not sort its users by values that the caller may not see', async () => {
  const root = await ground.admin();
  const branch = await ground.account();
  const inside = await aCourse(ground, { account_id: branch.id });
  await env.DB.prepare("update communication_channels set address = 'a' || address where user_id = ?").bind(inside.student2.id).run();
  const permissions = { read_roster: { explicit: true, enabled: true } };
  const role = ok(
    await as(root).post(`/accounts/${branch.id}/roles`, { label: 'Lists', base_role_type: 'AccountMembership', permissions }),
  );
  const lister = await ground.admin({ account_id: branch.id, role_id: role.id });
  const list = `/accounts/${branch.id}/users`;
  const named = ids(await as(lister).pages(list, { per_page: 100 }));
  for (const sort of ['email', 'sis_id', 'integration_id'])
    expect(ids(await as(lister).pages(list, { per_page: 100, sort }))).toEqual(named);
  const link = legibly((await as(lister).get(list, { per_page: 1, sort: 'email' })).headers.get('link') ?? '');
  expect(link).toContain('page=bookmark:');
  expect(link).not.toContain('@example.edu');
  expect(ids(await as(root).pages(list, { per_page: 100, sort: 'email' }))[0]).toBe(inside.student2.id);
});

test('a section-restricted assistant reads submissions, files and profiles of their section only', async () => {
  const { course, student, student2, teacher, evening, eveningTa, at, create } = scene;
  const assignment = await create(`${at}/assignments`, {
    assignment: { name: 'Essay', submission_types: ['online_upload', 'online_text_entry'], points_possible: 10, published: true },
  });
  const handIn = async (person: Person) => {
    const place = `${at}/assignments/${assignment.id}/submissions`;
    const ticket = ok(await as(person).post(`${place}/self/files`, { name: 'essay.txt', size: 5 }));
    const file = (await sendContent(ticket, 'essay')).body;
    await create(place, { submission: { submission_type: 'online_upload', file_ids: [file.id] } }, person);
    return file.id as number;
  };
  const [mine, theirs] = [await handIn(evening), await handIn(student)];
  const assistant = as(eveningTa);
  const work = (person: Person) => `/users/${person.id}/courses/${course.id}/assignments`;
  const told = ok(within(await assistant.get(work(evening), { include: ['submission'] }), 2));
  expect(told[0].submission.attachments).toMatchObject([{ id: mine }]);
  ok(within(await assistant.get(work(student), { include: ['submission'] }), 2), 401);
  ok(await assistant.get(work(eveningTa)));
  ok(await as(teacher).get(work(student)));
  ok(await as(scene.observer).get(work(student)));
  ok(await assistant.get(`/files/${mine}`));
  ok(await assistant.get(`/files/${theirs}`), 404);
  ok(await as(teacher).get(`/files/${theirs}`));
  ok(await assistant.get(`/users/${evening.id}`));
  ok(await assistant.get(`/users/${student.id}`), 404);
  ok(await as(teacher).get(`/users/${student.id}`));

  const category = await create(`${at}/group_categories`, { name: 'Teams' });
  const group = await create(`/group_categories/${category.id}/groups`, { name: 'Team' });
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id, student2.id, evening.id] }));
  for (const list of ['users', 'potential_collaborators']) {
    expect(ids(ok(await assistant.get(`/groups/${group.id}/${list}`))), list).toEqual([evening.id]);
    expect(ids(ok(await as(student).get(`/groups/${group.id}/${list}`))), list).toHaveLength(3);
  }

  const csv = async (person: Person) => (await askAs('GET', `/api/v1/group_categories/${category.id}/export`, person)).text;
  expect(await csv(teacher)).toContain(`Sam Student,${student.id},c-sis,${student.login},`);
  expect(await csv(scene.ta)).toContain(`Sam Student,${student.id},,${student.login},`);
  expect(await csv(scene.designer)).toContain(`Sam Student,${student.id},,,`);
  expect(await csv(eveningTa)).not.toContain('Sam Student');
});

test("slots of an unpublished appointment group are in no student's calendar", async () => {
  const { course, student, teacher, create } = scene;
  const offer = (title: string, publish: boolean) =>
    create('/appointment_groups', {
      appointment_group: { context_codes: [`course_${course.id}`], title, publish, new_appointments: [[soon, soon]] },
    });
  await offer('Open hours', true);
  await offer('Secret hours', false);
  const titles = async (person: Person, query: object) =>
    ok(within(await as(person).get('/calendar_events', { context_codes: [`course_${course.id}`], ...query }), 2)).map(
      ({ title }: { title: string }) => title,
    );
  for (const query of [{ all_events: true }, { start_date: '2098-12-01', end_date: '2099-02-01' }]) {
    expect(await titles(student, query)).toEqual(['Open hours']);
    expect((await titles(teacher, query)).sort()).toEqual(['Open hours', 'Secret hours']);
  }
});

test('invited users read no topic, assignment or file in a locked module', async () => {
  const { student, invited, observer, teacher, at, create } = scene;
  const first = await create(`${at}/modules`, { module: { name: 'First' } });
  ok(await as(teacher).put(`${at}/modules/${first.id}`, { module: { published: true } }));
  const page = await create(`${at}/pages`, { wiki_page: { title: 'Read me', body: 'x', published: true } });
  const completion_requirement = { type: 'must_mark_done' };
  await create(`${at}/modules/${first.id}/items`, { module_item: { type: 'Page', page_url: page.url, completion_requirement } });
  const then = await create(`${at}/modules`, { module: { name: 'Then', prerequisite_module_ids: [first.id] } });
  ok(await as(teacher).put(`${at}/modules/${then.id}`, { module: { published: true } }));
  const topic = await create(`${at}/discussion_topics`, { title: 'Later', message: 'Not yet', published: true });
  const work = await create(`${at}/assignments`, {
    assignment: { name: 'Later', description: 'Not yet', published: true, due_at: '2098-01-01T00:00:00Z', submission_types: ['on_paper'] },
  });
  const file = await upload(teacher, `${at}/files`, { name: 'later.txt' }, 'Not yet');
  const locked = await upload(teacher, `${at}/files`, { name: 'locked.txt' }, 'Not yet');
  ok(await as(teacher).put(`/files/${locked.id}`, { locked: true }));
  const items = [
    { type: 'Discussion', content_id: topic.id },
    { type: 'Assignment', content_id: work.id },
    { type: 'File', content_id: file.id },
  ];
  for (const module_item of items) await create(`${at}/modules/${then.id}/items`, { module_item });
  const lists = [
    '/users/self/activity_stream',
    `${at}/activity_stream`,
    `${at}/discussion_topics`,
    '/planner/items?start_date=2026-01-01&per_page=100',
    `/calendar_events?type=assignment&all_events=true&context_codes[]=course_${scene.course.id}`,
    '/users/self/upcoming_events',
    '/users/self/todo',
  ];
  for (const list of lists)
    for (const person of [invited, student]) {
      const { status, text } = await askAs('GET', `/api/v1${list.startsWith('/') ? list : `/${list}`}`, person);
      // Discussions are closed to users who have not accepted.
      expect([200, person === invited ? 401 : 200], list).toContain(status);
      expect(text, list).not.toContain('Not yet');
    }
  // Modules do not lock content for observers.
  expect((await askAs('GET', '/api/v1/users/self/activity_stream', observer)).text).toContain('Not yet');
  // A lock also applies to users who know the uuid.
  for (const { id, uuid } of [file, locked])
    for (const person of [undefined, invited, student])
      expect((await bytes(`/files/${id}/download?verifier=${uuid}`, {}, person)).status, `${id} ${person?.name}`).toBe(401);
});
