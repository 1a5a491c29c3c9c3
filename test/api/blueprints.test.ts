// Blueprint courses and their associated courses.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { syncBlueprint, unfinishedSyncs } from '@carrel/worker/domains/blueprint_templates/job';
import { blueprint_migrations } from '@carrel/worker/domains/blueprint_templates/table';
import { copyCourse } from '@carrel/worker/domains/course_copy/job';
import { lti_resource_links } from '@carrel/worker/domains/lti_resource_links/table';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { resume } from '@carrel/worker/steps';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { BuiltCourse, Person } from '../support/ground';
import { upload } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

const platform = env as unknown as Platform;
let admin: Person;
let teacher: Person;
let student: Person;
let master: BuiltCourse;
let one: BuiltCourse;
let two: BuiltCourse;
let at: string;
let things: Record<'essay' | 'debate' | 'page' | 'file' | 'module', Told>;

const created = async (path: string, body: object, person: Person = admin) => {
  const answer = await as(person).post(path, body);
  return ok(answer, answer.status === 201 ? 201 : 200);
};

beforeAll(async () => {
  [admin, teacher, student] = await Promise.all([
    ground.admin(),
    ground.person({ name: 'Tara Teacher' }),
    ground.person({ name: 'Sam Student' }),
  ]);
  [master, one, two] = [
    await ground.course({ name: 'Blueprint' }),
    await ground.course({ name: 'One' }),
    await ground.course({ name: 'Two' }),
  ];
  for (const course of [one, two]) await ground.enroll(course, teacher, 'teacher');
  await ground.enroll(one, student, 'student');
  at = `/courses/${master.id}/blueprint_templates/default`;
  const content = `/courses/${master.id}`;
  const file = await upload(admin, `${content}/files`, { name: 'plan.txt' }, 'a plan');
  const link = `<a href="/courses/${master.id}/files/${file.id}">plan</a>`;
  const essay = await created(`${content}/assignments`, {
    assignment: { name: 'Essay', description: link, points_possible: 5, published: true },
  });
  const debate = await created(`${content}/discussion_topics`, {
    title: 'Debate',
    message: 'Argue',
    assignment: { points_possible: 3 },
    published: true,
  });
  const page = await created(`${content}/pages`, { wiki_page: { title: 'Start', body: link, published: true } });
  const module = await created(`${content}/modules`, { module: { name: 'Week 1' } });
  await created(`${content}/modules/${module.id}/items`, { module_item: { type: 'Page', page_url: 'start' } });
  things = { essay, debate, page, file, module };
});

/** Starts a sync and waits until every course has it; the queue's own deliveries help. */
async function synced(given: object = {}): Promise<Told> {
  const begun = ok(within(await as(admin).post(`${at}/migrations`, given), 3));
  for (let left = 50; left > 0; left -= 1) {
    await syncBlueprint({ job: 'blueprint_sync', ids: [begun.id] }, platform);
    const copies = await env.DB.prepare('select copy_id from blueprint_imports where migration_id = ?')
      .bind(begun.id)
      .all<{ copy_id: number }>();
    for (const { copy_id } of copies.results) await copyCourse({ job: 'course_copy', ids: [copy_id] }, platform);
    const now = ok(await as(admin).get(`${at}/migrations/${begun.id}`));
    if (now.workflow_state === 'completed') return now;
  }
  throw new Error('the sync does not end');
}

/** File links without the verifier of their reader. */
const assignmentsOf = async (course: BuiltCourse) =>
  JSON.parse(JSON.stringify(ok(await as(teacher).get(`/courses/${course.id}/assignments`))).replace(/\?verifier=\w+/g, '')) as Told[];
const details = async (migration: Told) => ok(within(await as(admin).get(`${at}/migrations/${migration.id}/details`), 2)) as Told[];
const exceptionsOf = (records: Told[]) =>
  records.flatMap(({ asset_name, exceptions }) =>
    exceptions.map(({ course_id, conflicting_changes }: Told) => [asset_name, course_id, conflicting_changes]),
  );

test('a course without students becomes a blueprint with locks, and eligible courses are associated', async () => {
  ok(await as(admin).get(at), 404);
  ok(await as(admin).put(`/courses/${one.id}`, { course: { blueprint: true } }), 400);
  const made = ok(await as(admin).put(`/courses/${master.id}`, { course: { blueprint: true } }));
  expect(made).toMatchObject({
    blueprint: true,
    blueprint_restrictions: { content: true, points: false, due_dates: false, availability_dates: false },
  });
  const result = ok(
    await as(admin).put(`/courses/${master.id}`, {
      course: {
        use_blueprint_restrictions_by_object_type: true,
        blueprint_restrictions_by_object_type: { wiki_page: { content: true }, assignment: { points: true } },
      },
    }),
  );
  expect(result.blueprint_restrictions_by_object_type.assignment).toMatchObject({ content: false, points: true });
  ok(
    await as(admin).put(`/courses/${master.id}`, {
      course: { use_blueprint_restrictions_by_object_type: false, blueprint_restrictions: { content: true } },
    }),
  );
  const template = ok(within(await as(admin).get(at), 2));
  expect(template).toEqual({
    id: template.id,
    course_id: master.id,
    last_export_completed_at: null,
    associated_course_count: 0,
    latest_migration: null,
  });
  ok(await as(admin).post(`${at}/migrations`), 400);
  const elsewhere = await ground.course({ account_id: (await ground.account()).id });
  const other = await ground.course({ is_blueprint: true });
  const change = (body: object) => as(admin).put(`${at}/update_associations`, body);
  ok(await change({ course_ids_to_add: [one.id], course_ids_to_remove: [one.id] }), 400);
  ok(await change({ course_ids_to_add: [other.id] }), 400);
  ok(await change({ course_ids_to_add: [999_999] }), 404);
  ok(await change({ course_ids_to_add: [elsewhere.id] }));
  ok(
    await as(admin).put(`/courses/${other.id}/blueprint_templates/default/update_associations`, { course_ids_to_add: [elsewhere.id] }),
    400,
  );
  expect(ok(within(await change({ course_ids_to_add: [one.id, two.id], course_ids_to_remove: [elsewhere.id] }), 3))).toEqual({
    success: true,
  });
  ok(await as(admin).put(`/courses/${two.id}`, { course: { blueprint: true } }), 400);
  const following = ok(within(await as(admin).get(`${at}/associated_courses`), 2));
  expect(following.map(({ id, name, concluded, teachers }: Told) => [id, name, concluded, teachers.length])).toEqual([
    [one.id, 'One', false, 1],
    [two.id, 'Two', false, 1],
  ]);
  expect(ok(await as(admin).get('/accounts/1/courses', { blueprint_associated: true })).map(({ id }: Told) => id)).toEqual([
    one.id,
    two.id,
  ]);
  const [subscription] = ok(within(await as(teacher).get(`/courses/${one.id}/blueprint_subscriptions`), 2));
  expect(subscription).toEqual({
    id: subscription.id,
    template_id: template.id,
    blueprint_course: { id: master.id, name: 'Blueprint', course_code: 'Blueprint', term_name: 'Default Term' },
  });
  expect(ok(await as(admin).get(`${at}/unsynced_changes`))).toEqual([{ asset_name: 'Blueprint', change_type: 'initial_sync' }]);
});

test('other users can neither read nor change blueprints', async () => {
  for (const path of ['', '/associated_courses', '/migrations', '/unsynced_changes', '/migrations/1', '/migrations/1/details']) {
    ok(await as(teacher).get(`${at}${path}`), 401);
    ok(await as(admin).get(`/courses/${one.id}/blueprint_templates/default${path}`), 404);
  }
  ok(await as(teacher).post(`${at}/migrations`), 401);
  ok(await as(teacher).put(`${at}/update_associations`, { course_ids_to_add: [one.id] }), 401);
  ok(await as(teacher).put(`${at}/restrict_item`, { content_type: 'wiki_page', content_id: 1, restricted: true }), 401);
  const theirs = `/courses/${one.id}/blueprint_subscriptions`;
  for (const path of ['', '/default/migrations', '/default/migrations/1', '/default/migrations/1/details']) {
    ok(await as(student).get(`${theirs}${path}`), 401);
    if (path.includes('/1')) ok(await as(teacher).get(`${theirs}${path}`), 404);
  }
  ok(await as(admin).get(`/courses/${master.id}/blueprint_subscriptions/default/migrations`), 404);
});

test('the first sync copies everything, with settings; both sides list it', async () => {
  const options = { headers: { 'Idempotency-Key': 'first sync' } };
  const begun = ok(await as(admin).post(`${at}/migrations`, { comment: 'Autumn' }, options));
  expect(ok(await as(admin).post(`${at}/migrations`, { comment: 'Autumn' }, options)).id).toBe(begun.id);
  const again = await as(admin).post(`${at}/migrations`);
  expect([200, 400]).toContain(again.status);
  for (let state = ''; state !== 'completed'; state = ok(await as(admin).get(`${at}/migrations/${begun.id}`)).workflow_state) {
    // Delivered twice at once, and by the queue.
    await Promise.all([0, 1].map(() => syncBlueprint({ job: 'blueprint_sync', ids: [begun.id] }, platform)));
    const copies = await env.DB.prepare('select copy_id from blueprint_imports where migration_id = ?')
      .bind(begun.id)
      .all<{ copy_id: number }>();
    for (const { copy_id } of copies.results)
      await Promise.all([0, 1].map(() => copyCourse({ job: 'course_copy', ids: [copy_id] }, platform)));
  }
  const [listed] = ok(within(await as(admin).get(`${at}/migrations`), 2)).filter(({ id }: Told) => id === begun.id);
  expect(listed).toMatchObject({ comment: 'Autumn', user_id: admin.id, user: { id: admin.id }, workflow_state: 'completed' });
  expect(listed.imports_completed_at).toMatch(/Z$/);
  for (const course of [one, two]) {
    const [essay, debate] = await assignmentsOf(course);
    const [file] = ok(await as(teacher).get(`/courses/${course.id}/files`));
    expect(essay).toMatchObject({
      name: 'Essay',
      points_possible: 5,
      description: `<a href="https://carrel.test/courses/${course.id}/files/${file.id}">plan</a>`,
    });
    expect(debate).toMatchObject({ name: 'Debate' });
    const [module] = ok(await as(teacher).get(`/courses/${course.id}/modules`, { include: ['items'] }));
    expect(module.items.map(({ title }: Told) => title)).toEqual(['Start']);
  }
  expect(ok(await as(admin).get(at))).toMatchObject({ associated_course_count: 2, latest_migration: { user: { id: admin.id } } });
  expect(ok(within(await as(admin).get(`${at}/unsynced_changes`), 2))).toEqual([]);
  const [theirs] = ok(within(await as(teacher).get(`/courses/${one.id}/blueprint_subscriptions/default/migrations`), 2)).slice(-1);
  expect(theirs).toMatchObject({ comment: 'Autumn', user: { id: admin.id }, workflow_state: 'completed' });
  expect(theirs).toHaveProperty('subscription_id');
  expect(ok(within(await as(teacher).get(`/courses/${one.id}/blueprint_subscriptions/default/migrations/${theirs.id}`), 2))).toEqual(
    theirs,
  );
});

test('a later sync copies only changes; local edits stay and are listed as exceptions', async () => {
  const [essay] = await assignmentsOf(one);
  ok(
    await as(teacher).put(`/courses/${one.id}/assignments/${essay.id}`, {
      assignment: { points_possible: 8, due_at: '2027-01-01T10:00:00Z' },
    }),
  );
  ok(await as(teacher).put(`/courses/${two.id}/pages/start`, { wiki_page: { body: 'mine' } }));
  ok(
    await as(teacher).del(
      `/courses/${two.id}/discussion_topics/${ok(await as(teacher).get(`/courses/${two.id}/discussion_topics`))[0].id}`,
    ),
  );
  const content = `/courses/${master.id}`;
  ok(await as(admin).put(`${content}/assignments/${things.essay.id}`, { assignment: { name: 'Long essay' } }));
  ok(
    await as(admin).put(`${content}/pages/start`, {
      wiki_page: { body: `new <a href="${content}/assignments/${things.essay.id}">essay</a>` },
    }),
  );
  ok(await as(admin).put(`${content}/discussion_topics/${things.debate.id}`, { message: 'Argue well' }));
  await created(`${content}/pages`, { wiki_page: { title: 'Later', body: 'more', published: true } });
  const unsynced = ok(await as(admin).get(`${at}/unsynced_changes`)) as Told[];
  expect(unsynced.map(({ asset_type, asset_name, change_type }) => [asset_type, asset_name, change_type]).sort()).toEqual([
    ['assignment', 'Debate', 'updated'],
    ['assignment', 'Long essay', 'updated'],
    ['discussion_topic', 'Debate', 'updated'],
    ['wiki_page', 'Later', 'created'],
    ['wiki_page', 'Start', 'updated'],
  ]);
  expect(unsynced.find(({ asset_name }) => asset_name === 'Start').html_url).toBe(`https://carrel.test${content}/pages/start`);
  const migration = await synced({ send_notification: true });
  expect(exceptionsOf(await details(migration)).sort()).toEqual([
    ['Debate', two.id, ['deleted']],
    ['Debate', two.id, ['deleted']],
    ['Long essay', one.id, ['points', 'due_dates']],
    ['Start', two.id, ['content']],
  ]);
  const [theirs] = ok(await as(teacher).get(`/courses/${two.id}/blueprint_subscriptions/default/migrations`));
  const records = ok(
    within(await as(teacher).get(`/courses/${two.id}/blueprint_subscriptions/default/migrations/${theirs.id}/details`), 2),
  );
  expect(exceptionsOf(records).length).toBe(3);
  expect((await assignmentsOf(one))[0]).toMatchObject({ name: 'Essay', points_possible: 8 });
  expect((await assignmentsOf(two))[0]).toMatchObject({ name: 'Long essay', points_possible: 5 });
  expect(ok(await as(teacher).get(`/courses/${two.id}/pages/start`)).body).toBe('mine');
  expect(ok(await as(teacher).get(`/courses/${one.id}/pages/start`)).body).toContain(`/courses/${one.id}/assignments/${essay.id}`);
  for (const course of [one, two]) ok(await as(teacher).get(`/courses/${course.id}/pages/later`));
  expect(ok(await as(teacher).get(`/courses/${two.id}/discussion_topics`))).toEqual([]);
  expect(ok(await as(admin).get(`${at}/unsynced_changes`))).toEqual([]);
});

test('the user who started a sync is notified of its end, and teachers of its arrival, if requested', async () => {
  await tick(platform, Date.now() + 60_000);
  const subjects = async (person: Person) =>
    (ok(await as(admin).get('/comm_messages', { user_id: person.id, per_page: 100 })) as Told[])
      .map(({ subject }) => subject)
      .filter((one) => /blueprint|step/i.test(one));
  expect(await subjects(admin)).toEqual(['Sync of Blueprint completed']);
  expect((await subjects(teacher)).sort()).toEqual(['Updates from the blueprint: One', 'Updates from the blueprint: Two']);
  expect(await subjects(student)).toEqual([]);
  const [item] = (ok(await as(teacher).get('/users/self/activity_stream', { asset_type: 'Message' })) as Told[]).filter(({ title }) =>
    /blueprint/.test(title),
  );
  expect(item).toMatchObject({ type: 'Message', notification_category: 'Blueprint' });
});

test('locked content cannot be edited or deleted in associated courses, overwrites local edits, and is editable once unlocked', async () => {
  const restrict = (content_type: string, content_id: number | undefined, more: object = {}) =>
    as(admin).put(`${at}/restrict_item`, { content_type, content_id, restricted: true, ...more });
  ok(await restrict('nonsense', 1), 400);
  ok(await restrict('wiki_page', 999_999), 404);
  ok(await restrict('quiz', 1), 404);
  ok(await restrict('wiki_page', things.page.page_id, { restricted: '' }), 400);
  expect(ok(within(await restrict('wiki_page', things.page.page_id), 3))).toEqual({ success: true });
  ok(await restrict('assignment', things.essay.id, { restrictions: { points: true, due_dates: true } }));
  ok(await restrict('attachment', things.file.id));
  expect(exceptionsOf(await details(await synced()))).toEqual([]);
  expect((await assignmentsOf(one))[0]).toMatchObject({ name: 'Long essay', points_possible: 5, due_at: null });
  expect(ok(await as(teacher).get(`/courses/${two.id}/pages/start`)).body).toContain('new ');
  const [essay] = await assignmentsOf(one);
  const edit = (assignment: object) => as(teacher).put(`/courses/${one.id}/assignments/${essay.id}`, { assignment });
  const refused = ok(await edit({ points_possible: 9 }), 400);
  expect(refused.errors.base[0].message).toContain('points');
  ok(await edit({ due_at: '2027-01-01T10:00:00Z' }), 400);
  ok(await edit({ name: 'Mine' }));
  ok(await as(teacher).del(`/courses/${one.id}/assignments/${essay.id}`), 401);
  const page = `/courses/${one.id}/pages/start`;
  ok(await as(teacher).put(page, { wiki_page: { body: 'mine' } }), 400);
  ok(await as(teacher).put(page, { wiki_page: { published: false } }));
  ok(await as(teacher).del(page), 401);
  const [file] = ok(await as(teacher).get(`/courses/${one.id}/files`));
  ok(await as(teacher).put(`/files/${file.id}`, { name: 'mine.txt' }), 400);
  const status = { include: ['blueprint_course_status'] };
  expect(ok(within(await as(teacher).get(`/courses/${one.id}/files`, status), 2))[0]).toMatchObject({
    is_master_course_child_content: true,
    restricted_by_master_course: true,
    restrictions: { content: true, points: false },
  });
  expect(ok(await as(admin).get(`/courses/${master.id}/files`, status))[0]).toMatchObject({
    is_master_course_master_content: true,
    restricted_by_master_course: true,
  });
  expect(ok(await as(student).get(`/courses/${one.id}/files`, status))[0]).not.toHaveProperty('restricted_by_master_course');
  const held = (ok(await as(teacher).get(`/courses/${one.id}/folders`)) as Told[]).filter((folder) => folder.restricted_by_master_course);
  expect(held.map(({ id }) => id)).toEqual([file.folder_id]);
  ok(await as(teacher).del(`/files/${file.id}`), 401);
  ok(await as(teacher).del(`/folders/${file.folder_id}`, { force: true }), 400);
  const beside = await upload(
    teacher,
    `/courses/${one.id}/files`,
    { name: 'plan.txt', parent_folder_id: file.folder_id, on_duplicate: 'overwrite' } as never,
    'mine',
  );
  expect(beside.display_name).toBe('plan-1.txt');
  // Items with the default restrictions follow changes of the course.
  ok(await as(admin).put(`/courses/${master.id}`, { course: { blueprint_restrictions: { points: true } } }));
  ok(await as(teacher).put(page, { wiki_page: { body: 'mine' } }));
  ok(await as(admin).put(`${at}/restrict_item`, { content_type: 'assignment', content_id: things.essay.id, restricted: false }));
  ok(await edit({ points_possible: 9 }));
});

test('every way to edit obeys a lock: dates in bulk, calendar, modules, groups, files, and the other half of a graded discussion', async () => {
  const restrict = (content_type: string, content_id: number, restrictions: object) =>
    as(admin).put(`${at}/restrict_item`, { content_type, content_id, restricted: true, restrictions });
  ok(await restrict('assignment', things.essay.id, { due_dates: true, availability_dates: true }));
  ok(await restrict('wiki_page', things.page.page_id, { content: true, state: true }));
  ok(await restrict('discussion_topic', things.debate.id, { content: true }));
  ok(await restrict('attachment', things.file.id, { state: true }));
  const here = `/courses/${one.id}`;
  const [essay, debate] = await assignmentsOf(one);
  const due_at = '2027-02-01T10:00:00Z';
  ok(await as(teacher).put(`${here}/assignments/bulk_update`, [{ id: essay.id, all_dates: [{ base: true, due_at }] }]), 400);
  ok(await as(teacher).put(`${here}/assignments/${essay.id}/date_details`, { unlock_at: '2027-01-01T10:00:00Z' }), 400);
  ok(await as(teacher).put(`/calendar_events/assignment_${essay.id}`, { calendar_event: { start_at: due_at } }), 400);
  ok(await as(teacher).del(`${here}/assignment_groups/${essay.assignment_group_id}`), 401);
  const [module] = ok(await as(teacher).get(`${here}/modules`, { include: ['items'] }));
  const item = `${here}/modules/${module.id}/items/${module.items[0].id}`;
  ok(await as(teacher).put(item, { module_item: { title: 'Mine' } }), 400);
  ok(await as(teacher).put(item, { module_item: { published: true } }), 400);
  ok(await as(teacher).put(`${here}/modules/${module.id}`, { module: { published: true } }), 400);
  const edit = (assignment: object) => as(teacher).put(`${here}/assignments/${debate.id}`, { assignment });
  const refused = ok(await edit({ name: 'Quarrel' }), 400);
  expect(refused.errors.base[0].message).toBe('cannot change content: locked by the blueprint of this course');
  ok(await edit({ published: !debate.published }));
  expect(ok(await as(teacher).get(`${here}/discussion_topics/${debate.discussion_topic.id}`))).toMatchObject({
    title: 'Debate',
    published: !debate.published,
  });
  const files = ok(await as(teacher).get(`${here}/files`)) as Told[];
  const locked = files.find(({ display_name }) => display_name === 'plan.txt');
  ok(await as(teacher).put(`/files/${locked.id}`, { hidden: true }), 400);
  for (const [kind, id] of Object.entries({
    assignment: things.essay.id,
    wiki_page: things.page.page_id,
    discussion_topic: things.debate.id,
  }))
    ok(await as(admin).put(`${at}/restrict_item`, { content_type: kind, content_id: id, restricted: false }));
});

test('a locked quiz can be edited neither itself nor through its assignment, its module or its questions', async () => {
  const [there, here] = [`/courses/${master.id}`, `/courses/${one.id}`];
  const make = async (quiz: object) => ok(await as(admin).post(`${there}/quizzes`, { quiz: { published: true, ...quiz } }));
  const question = { question_type: 'essay_question', question_text: 'Why?', points_possible: 3 };
  const graded = await make({ title: 'Exam' });
  const practice = await make({ title: 'Practice', quiz_type: 'practice_quiz' });
  for (const { id } of [graded, practice]) ok(await as(admin).post(`${there}/quizzes/${id}/questions`, { question }));
  const module = ok(await as(admin).post(`${there}/modules`, { module: { name: 'Exams' } }));
  const items = `${there}/modules/${module.id}/items`;
  ok(await as(admin).post(items, { module_item: { type: 'Quiz', content_id: practice.id } }));
  const restrict = async (id: number, restrictions: object, restricted = true) =>
    ok(await as(admin).put(`${at}/restrict_item`, { content_type: 'quiz', content_id: id, restricted, restrictions }));
  await restrict(graded.id, { content: true, due_dates: true });
  await restrict(practice.id, { points: true, state: true });
  await synced();
  const copies = ok(await as(teacher).get(`${here}/quizzes`)) as Told[];
  const copyOf = (title: string) => copies.find((quiz) => quiz.title === title) as Told;
  const [exam, exercise] = [copyOf('Exam'), copyOf('Practice')];
  const at_exam = `${here}/quizzes/${exam.id}`;
  const put = (path: string, quiz: object) => as(teacher).put(path, { quiz });

  const refused = ok(await put(at_exam, { title: 'Mine' }), 400);
  expect(refused.errors.base[0].message).toBe('cannot change content: locked by the blueprint of this course');
  ok(await put(at_exam, { due_at: '2098-01-01T00:00:00Z' }), 400);
  ok(await put(at_exam, { lock_at: '2098-01-01T00:00:00Z', allowed_attempts: 3 }));
  ok(await as(teacher).put(`${here}/assignments/${exam.assignment_id}`, { assignment: { name: 'Mine' } }), 400);
  ok(await as(teacher).del(`${here}/assignments/${exam.assignment_id}`), 401);
  ok(await as(teacher).del(at_exam), 401);
  const questions = `${at_exam}/questions`;
  const [first] = ok(await as(teacher).get(questions));
  ok(await as(teacher).post(questions, { question }), 400);
  ok(await as(teacher).put(`${questions}/${first.id}`, { question: { question_text: 'Mine' } }), 400);
  ok(await as(teacher).del(`${questions}/${first.id}`), 400);
  ok(await as(teacher).post(`${at_exam}/groups`, { quiz_groups: [{ name: 'Mine' }] }), 400);
  ok(await as(teacher).post(`${at_exam}/reorder`, { order: [{ id: first.id, type: 'question' }] }), 400);
  expect(ok(await as(teacher).get(questions))).toMatchObject([{ question_text: 'Why?' }]);

  const at_exercise = `${here}/quizzes/${exercise.id}`;
  ok(await as(teacher).post(`${at_exercise}/questions`, { question }), 400);
  ok(await as(teacher).post(`${at_exercise}/questions`, { question: { ...question, points_possible: 0 } }));
  ok(await put(at_exercise, { published: false }), 400);
  const modules = ok(await as(teacher).get(`${here}/modules`, { include: ['items'], per_page: 50 })) as Told[];
  const copied = modules.find(({ name }) => name === 'Exams') as Told;
  ok(await as(teacher).put(`${here}/modules/${copied.id}/items/${copied.items[0].id}`, { module_item: { published: false } }), 400);
  ok(await put(at_exercise, { title: 'My practice' }));

  ok(await as(admin).put(`${there}/quizzes/${practice.id}`, { quiz: { title: 'Exercise' } }));
  const records = await details(await synced());
  expect(exceptionsOf(records)).toContainEqual(['Exercise', one.id, ['content']]);
  expect(ok(await as(teacher).get(at_exercise)).title).toBe('My practice');
  await restrict(graded.id, {}, false);
  ok(await put(at_exam, { title: 'Mine' }));
  expect(ok(await as(teacher).get(`${here}/assignments/${exam.assignment_id}`)).name).toBe('Mine');
});

/** A quiz of either kind, in the blueprint and in a course. */
interface Sides {
  readonly there: string;
  readonly here: string;
}

/** The restrictions of an item of the blueprint. */
const restrictItem = async (content_type: string, content_id: number, restrictions: object, restricted = true) =>
  ok(await as(admin).put(`${at}/restrict_item`, { content_type, content_id, restricted, restrictions }));

test('questions that were edited in a course are exceptions of their quiz, until the quiz is locked', async () => {
  const { id } = await created(`/courses/${master.id}/quizzes`, { quiz: { title: 'Open quiz', published: true } });
  const there = `/courses/${master.id}/quizzes/${id}`;
  const add = (path: string, question_text: string, person = admin) =>
    created(`${path}/questions`, { question: { question_type: 'essay_question', question_text, points_possible: 1 } }, person);
  const [first, second] = [await add(there, 'First'), await add(there, 'Second')];
  await synced();
  const copyIn = async (course: BuiltCourse) => {
    const quizzes = ok(await as(teacher).get(`/courses/${course.id}/quizzes`)) as Told[];
    return `/courses/${course.id}/quizzes/${quizzes.find(({ title }) => title === 'Open quiz').id}`;
  };
  const sides: Sides = { there, here: await copyIn(one) };
  const textsOf = async (path: string) =>
    (ok(await as(admin).get(`${path}/questions`)) as Told[]).map(({ question_text }) => question_text);
  const [, copied] = ok(await as(teacher).get(`${sides.here}/questions`));
  ok(await as(teacher).put(`${sides.here}/questions/${copied.id}`, { question: { question_text: 'Mine' } }));
  ok(await as(admin).put(`${there}/questions/${first.id}`, { question: { question_text: 'Changed' } }));
  const records = await details(await synced());
  expect(exceptionsOf(records)).toContainEqual(['Open quiz', one.id, ['content']]);
  expect(await textsOf(sides.here)).toEqual(['First', 'Mine']);
  expect(await textsOf(await copyIn(two))).toEqual(['Changed', 'Second']);

  ok(await as(teacher).del(`${sides.here}/questions/${copied.id}`), 204);
  await restrictItem('quiz', id, { content: true });
  await synced();
  expect(await textsOf(sides.here)).toEqual(['Changed', 'Second']);
  const restored = ok(await as(teacher).get(sides.here));
  expect(restored.points_possible).toBe(2);
  expect(ok(await as(teacher).get(`/courses/${one.id}/assignments/${restored.assignment_id}`)).points_possible).toBe(2);
  ok(await as(admin).del(`${there}/questions/${second.id}`), 204);
  await restrictItem('quiz', id, {}, false);
  await add(sides.here, 'Own', teacher);
  await synced();
  expect(await textsOf(sides.here)).toEqual(['Changed', 'Second', 'Own']);
  expect(await textsOf(await copyIn(two))).toEqual(['Changed']);
  ok(await as(admin).del(there));
  await synced();
});

test('items of New Quizzes are synced, edits in a course are exceptions, and locks keep items and settings', async () => {
  const json = { json: true } as const;
  const quizzesOf = (course: BuiltCourse) => `/api/quiz/v1/courses/${course.id}/quizzes`;
  const quiz = await created(quizzesOf(master), { quiz: { title: 'Organs', published: true, points_possible: 8 } });
  const there = `${quizzesOf(master)}/${quiz.id}`;
  const question = (title: string, points_possible = 1) => ({
    entry_type: 'Item',
    points_possible,
    entry: {
      title,
      item_body: `<p>${title}</p>`,
      interaction_type_slug: 'true-false',
      interaction_data: { true_choice: 'True', false_choice: 'False' },
      scoring_data: { value: true },
      scoring_algorithm: 'Equivalence',
    },
  });
  const add = async (path: string, item: object, person = admin): Promise<Told> =>
    ok(within(await as(person).post(`${path}/items`, { item }, json), 3));
  const bank = await ground.questionBank('Course', master);
  const named = await ground.bankQuestion(bank, { question_text: 'Named' });
  const first = await add(there, question('First'));
  const poem = await add(there, { entry_type: 'Stimulus', entry: { title: 'Poem' } });
  const second = await add(there, { ...question('Second'), stimulus_quiz_entry_id: poem.id });
  await add(there, { entry_type: 'BankEntry', entry: { bank_entry_id: named } });
  await synced();
  const copyIn = async (course: BuiltCourse) => {
    const all = ok(await as(teacher).get(quizzesOf(course), { per_page: 50 })) as Told[];
    return `${quizzesOf(course)}/${all.find(({ title }) => title === 'Organs').id}`;
  };
  const sides: Sides = { there, here: await copyIn(one) };
  const itemsOf = async (path: string) => ok(await as(admin).get(`${path}/items`)) as Told[];
  const titlesOf = async (path: string) => (await itemsOf(path)).map(({ entry }) => entry.title ?? 'bank');
  expect(await titlesOf(sides.here)).toEqual(['First', 'Poem', 'Second', 'bank']);
  const copies = await itemsOf(sides.here);
  expect(copies[2].stimulus_quiz_entry_id).toBe(copies[1].id);
  expect(copies[3].entry.bank_entry_id).not.toBe(named);

  // Changed, added, moved and deleted items reach the copies, which stay the same items.
  const patch = (path: string, id: string, item: object, person = admin) => as(person).patch(`${path}/items/${id}`, { item }, json);
  ok(await patch(there, first.id, { position: 3, entry: { title: 'Now last' } }));
  ok(await as(admin).del(`${there}/items/${poem.id}`));
  await add(there, { ...question('New'), position: 1 });
  const unsynced = ok(await as(admin).get(`${at}/unsynced_changes`)) as Told[];
  const own = unsynced.filter(({ asset_name }) => ['Organs', 'Now last', 'New', 'Poem'].includes(asset_name));
  expect(own.map(({ asset_type, asset_name }) => [asset_type, asset_name])).toEqual([['assignment', 'Organs']]);
  await synced();
  expect(await titlesOf(sides.here)).toEqual(['New', 'Second', 'Now last', 'bank']);
  const again = await itemsOf(sides.here);
  expect(again.map(({ id, position }) => [id, position])).toEqual([
    [again[0].id, 1],
    [copies[2].id, 2],
    [copies[0].id, 3],
    [copies[3].id, 4],
  ]);
  expect(again[1].stimulus_quiz_entry_id).toBe(null);

  // An own item makes the quiz an exception.
  const mine = await add(sides.here, question('Mine'), teacher);
  ok(await patch(there, second.id, { entry: { title: 'Second again' } }));
  const records = await details(await synced());
  expect(exceptionsOf(records)).toContainEqual(['Organs', one.id, ['content']]);
  expect(await titlesOf(sides.here)).toEqual(['New', 'Second', 'Now last', 'bank', 'Mine']);
  expect(await titlesOf(await copyIn(two))).toEqual(['New', 'Second again', 'Now last', 'bank']);
  const elsewhere = await copyIn(two);
  const settings = { quiz_settings: { shuffle_answers: true } };
  ok(await as(teacher).patch(elsewhere, { quiz: settings }));
  ok(await as(admin).patch(there, { quiz: { instructions: 'Read' } }));
  expect(exceptionsOf(await details(await synced()))).toContainEqual(['Organs', two.id, ['content']]);
  expect(ok(await as(teacher).get(elsewhere))).toMatchObject(settings);

  await restrictItem('lti-quiz', Number(quiz.id), { content: true });
  await synced();
  expect((await titlesOf(sides.here)).slice(0, 4)).toEqual(['New', 'Second again', 'Now last', 'bank']);
  expect(ok(await as(teacher).get(elsewhere))).toMatchObject({ quiz_settings: { shuffle_answers: false }, instructions: 'Read' });
  const refused = async (answer: ReturnType<ReturnType<typeof as>['get']>, lock = 'content') =>
    expect(ok(await answer, 400).errors.base[0].message).toBe(`cannot change ${lock}: locked by the blueprint of this course`);
  const learn = as(teacher);
  await refused(learn.post(`${sides.here}/items`, { item: question('More') }, json));
  await refused(patch(sides.here, mine.id, { entry: { title: 'More' } }, teacher));
  await refused(learn.del(`${sides.here}/items/${mine.id}`));
  await refused(learn.patch(sides.here, { quiz: settings }));
  await refused(learn.patch(sides.here, { quiz: { title: 'Mine' } }));
  ok(await learn.patch(sides.here, { quiz: { quiz_settings: { shuffle_answers: false }, due_at: '2098-01-01T00:00:00Z' } }));

  await restrictItem('lti-quiz', Number(quiz.id), { points: true, due_dates: true });
  await refused(patch(sides.here, mine.id, { points_possible: 5 }, teacher), 'points');
  await refused(learn.patch(sides.here, { quiz: { points_possible: 5 } }), 'points');
  await refused(learn.patch(sides.here, { quiz: { due_at: '2097-01-01T00:00:00Z' } }), 'due_dates');
  ok(await patch(sides.here, mine.id, { entry: { title: 'Still mine' } }, teacher));
  ok(await learn.patch(sides.here, { quiz: settings }));
  ok(await as(admin).put(`${at}/restrict_item`, { content_type: 'lti-quiz', content_id: things.essay.id, restricted: true }), 404);
  await restrictItem('assignment', Number(quiz.id), {}, false);
});

test('captions of a recording are synced with it, edits in a course are an exception, and the lock of the file keeps them', async () => {
  const json = { json: true } as const;
  const film = await upload(admin, `/courses/${master.id}/files`, { name: 'film.mp4', content_type: 'video/mp4' } as never, 'film');
  const set = (id: number, person: Person, ...given: object[]) => as(person).put(`/media_attachments/${id}/media_tracks`, given, json);
  const text = (locale: string, content: string) => ({ locale, content });
  ok(within(await set(film.id, admin, text('en', 'one'), text('de', 'eins')), 3));
  await synced();
  const copyIn = async (course: BuiltCourse) => ok(await as(teacher).get(`/courses/${course.id}/media_attachments`))[0].attachment_id;
  const [here, there] = [await copyIn(one), await copyIn(two)];
  const shown = async (id: number) =>
    (ok(await as(teacher).get(`/media_attachments/${id}/media_tracks`, { include: ['content'] })) as Told[]).map(({ content }) => content);
  expect([await shown(here), await shown(there)]).toEqual([
    ['one', 'eins'],
    ['one', 'eins'],
  ]);
  // A removed text alone is a change, and so is a title.
  ok(await set(film.id, admin, text('en', 'one')));
  const unsynced = ok(await as(admin).get(`${at}/unsynced_changes`)) as Told[];
  expect(unsynced.map(({ asset_type, asset_name }) => [asset_type, asset_name])).toEqual([['attachment', 'film.mp4']]);
  ok(await set(there, teacher, text('en', 'mine')));
  ok(await as(admin).put(`/media_attachments/${film.id}`, { user_entered_title: 'Lecture' }));
  expect(exceptionsOf(await details(await synced()))).toEqual([['film.mp4', two.id, ['content']]]);
  expect([await shown(here), await shown(there)]).toEqual([['one'], ['mine']]);
  expect(ok(await as(teacher).get(`/courses/${one.id}/media_attachments`))[0].user_entered_title).toBe('Lecture');

  await restrictItem('attachment', film.id, { content: true });
  await synced();
  expect(await shown(there)).toEqual(['one']);
  for (const refused of [await set(there, teacher), await as(teacher).put(`/media_attachments/${there}`, { user_entered_title: 'Mine' })])
    expect(ok(refused, 400).errors.base[0].message).toBe('cannot change content: locked by the blueprint of this course');
  expect(await shown(there)).toEqual(['one']);
  await restrictItem('attachment', film.id, {}, false);
  ok(await as(admin).del(`/files/${film.id}`));
  await synced();
});

test('the link of an assignment to a resource of a tool is synced, also when it alone has changed, and kept by its lock', async () => {
  const content = `/courses/${master.id}`;
  const url = 'https://tool.example.edu/unit';
  const tool = await created(`${content}/external_tools`, { name: 'Tool', url, consumer_key: 'key', shared_secret: 'secret' });
  const attributes = { url, content_id: tool.id };
  const work = await created(`${content}/assignments`, {
    assignment: { name: 'In the tool', submission_types: ['external_tool'], external_tool_tag_attributes: attributes, published: true },
  });
  const now = '2026-11-01T08:00:00Z';
  await ground.db.insert(lti_resource_links).values({
    course_id: master.id,
    external_tool_id: tool.id,
    resource_type: 'assignment',
    assignment_id: work.id,
    resource_link_uuid: crypto.randomUUID(),
    lookup_uuid: crypto.randomUUID(),
    url,
    custom: { unit: 'one' },
    created_at: now,
    updated_at: now,
  });
  const linkIn = async (course: BuiltCourse) => ok(await as(admin).get(`/courses/${course.id}/lti_resource_links`))[0] as Told;
  await synced();
  const [there, here, other] = [await linkIn(master), await linkIn(one), await linkIn(two)];
  expect(here).toMatchObject({ resource_type: 'assignment', url, custom: { unit: 'one' }, lookup_uuid: there.lookup_uuid });
  expect(here.context_external_tool_id).not.toBe(tool.id);
  expect(new Set([there, here, other].map(({ resource_link_uuid }) => resource_link_uuid)).size).toBe(3);
  const change = (course: BuiltCourse, link: Told, unit: string, person = admin) =>
    as(person).put(`/courses/${course.id}/lti_resource_links/${link.id}`, { custom: { unit } });
  ok(within(await change(master, there, 'two'), 3));
  ok(await change(two, other, 'mine', teacher));
  const unsynced = ok(await as(admin).get(`${at}/unsynced_changes`)) as Told[];
  expect(unsynced.map(({ asset_type, asset_name }) => [asset_type, asset_name])).toEqual([['assignment', 'In the tool']]);
  expect(exceptionsOf(await details(await synced()))).toEqual([['In the tool', two.id, ['content']]]);
  expect([(await linkIn(one)).custom, (await linkIn(two)).custom]).toEqual([{ unit: 'two' }, { unit: 'mine' }]);
  await restrictItem('assignment', work.id, { content: true });
  await synced();
  expect((await linkIn(two)).custom).toEqual({ unit: 'two' });
  ok(await change(two, other, 'mine', teacher), 400);
  await restrictItem('assignment', work.id, {}, false);
});

test('deletions are synced unless the copy was edited; a replaced file stays the same file; a removed association changes nothing', async () => {
  const content = `/courses/${master.id}`;
  ok(await as(admin).del(`${content}/pages/later`));
  const [before] = ok(await as(teacher).get(`/courses/${two.id}/files`));
  ok(await as(admin).put(`${at}/restrict_item`, { content_type: 'attachment', content_id: things.file.id, restricted: false }));
  await upload(admin, `${content}/files`, { name: 'plan.txt', on_duplicate: 'overwrite' } as never, 'a better plan');
  ok(await as(admin).put(`${at}/update_associations`, { course_ids_to_remove: [one.id] }));
  const migration = await synced({ copy_settings: true });
  expect((await details(migration)).map(({ asset_name, change_type }) => [asset_name, change_type])).toContainEqual(['Later', 'deleted']);
  ok(await as(teacher).get(`/courses/${two.id}/pages/later`), 404);
  ok(await as(teacher).get(`/courses/${one.id}/pages/later`));
  const after = ok(await as(teacher).get(`/courses/${two.id}/files`)) as Told[];
  expect(after.map(({ id, size }) => [id, size])).toEqual([[before.id, 'a better plan'.length]]);
  const [still] = ok(await as(admin).get(`${at}/migrations`));
  await ground.db.update(blueprint_migrations).set({ workflow_state: 'exporting' }).where(eq(blueprint_migrations.id, still.id));
  ok(await as(admin).put(`${at}/update_associations`, { course_ids_to_remove: [two.id] }), 400);
  const sent: unknown[] = [];
  const WORK = { send: (job: unknown) => Promise.resolve(void sent.push(job)) } as unknown as Platform['WORK'];
  await resume([unfinishedSyncs], { WORK }, open(platform.DB, newMeter(), 'first-primary'), '2999-01-01T00:00:00Z');
  expect(sent).toEqual([{ job: 'blueprint_sync', ids: [still.id] }]);
});
