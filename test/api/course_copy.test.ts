// Course copies.

import { env } from 'cloudflare:test';
import { createHash } from 'node:crypto';
import { newMeter, open } from '@carrel/worker/database/open';
import { copyCourse, unfinishedCopies } from '@carrel/worker/domains/course_copy/job';
import { course_copies } from '@carrel/worker/domains/course_copy/table';
import { CopyWork } from '@carrel/worker/domains/course_copy/work';
import { question_banks } from '@carrel/worker/domains/question_banks/table';
import { quiz_groups } from '@carrel/worker/domains/quiz_groups/table';
import { quiz_questions } from '@carrel/worker/domains/quiz_questions/table';
import type { Platform } from '@carrel/worker/platform';
import { resume } from '@carrel/worker/steps';
import { and, eq, inArray } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import { newQuizItemsOfEveryType, questionsOfEveryType } from '../support/quiz_secrets';
import { upload } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

const platform = env as unknown as Platform;
const deliver = (id: number) => copyCourse({ job: 'course_copy', ids: [id] }, platform);

let source: Awaited<ReturnType<typeof aCourse>>;
let made: Record<'file' | 'assignment' | 'graded' | 'topic' | 'news' | 'page' | 'event' | 'first' | 'second', Told>;
let teacher: Person;

beforeAll(async () => {
  source = await aCourse(ground, { name: 'Original', sis_course_id: 'ORIGINAL' });
  teacher = source.teacher;
  const at = `/courses/${source.course.id}`;
  const post = async (path: string, body: object) => {
    const answer = await as(teacher).post(path.startsWith('/calendar') ? path : `${at}${path}`, body);
    return ok(answer, answer.status === 201 ? 201 : 200);
  };
  const file = await upload(teacher, `${at}/files`, { name: 'plan.txt', parent_folder_path: 'Week 1/Notes' } as never, 'a plan');
  const link = `<p><a href="/courses/${source.course.id}/files/${file.id}/download">plan</a></p>`;
  const assignment = await post('/assignments', {
    assignment: {
      name: 'Essay',
      description: link,
      points_possible: 7,
      published: true,
      due_at: '2027-01-05T10:00:00Z',
      submission_types: ['online_text_entry'],
    },
  });
  await post('/rubrics', {
    rubric: { title: 'Essay rubric', criteria: [{ description: 'Method', ratings: [{ points: 7, description: 'Good' }] }] },
    rubric_association: { association_id: assignment.id, association_type: 'Assignment', use_for_grading: true },
  });
  const graded = await post('/discussion_topics', {
    title: 'Debate',
    message: '<p>Argue</p>',
    assignment: { points_possible: 3 },
    published: true,
  });
  const topic = await post('/discussion_topics', { title: 'Introductions', message: link, published: false });
  const news = await post('/discussion_topics', { title: 'Welcome', message: '<p>Hi</p>', is_announcement: true });
  const page = await post('/pages', {
    wiki_page: {
      title: 'Week 1',
      body: `${link}<a href="/courses/${source.course.id}/assignments/${assignment.id}">essay</a>`,
      published: true,
    },
  });
  const event = await post('/calendar_events', {
    calendar_event: { context_code: `course_${source.course.id}`, title: 'Excursion', description: link, start_at: '2027-02-01T10:00:00Z' },
  });
  const first = await post('/modules', { module: { name: 'One' } });
  const second = await post('/modules', { module: { name: 'Two', prerequisite_module_ids: [first.id] } });
  for (const item of [
    { type: 'Page', page_url: page.url },
    { type: 'Assignment', content_id: assignment.id, completion_requirement: { type: 'min_score', min_score: 5 } },
    { type: 'File', content_id: file.id, indent: 1 },
    { type: 'SubHeader', title: 'Read on' },
    { type: 'ExternalUrl', title: 'Elsewhere', external_url: 'https://example.org/' },
  ])
    await post(`/modules/${second.id}/items`, { module_item: item });
  ok(await as(teacher).put(`${at}/modules/${second.id}`, { module: { published: true } }));
  ok(
    await as(teacher).put(`${at}/assignment_groups/${source.course.assignment_group_id}`, {
      rules: { never_drop: [assignment.id], drop_lowest: 1 },
    }),
  );
  ok(await as(teacher).put(`${at}`, { course: { syllabus_body: link, default_view: 'wiki', course_color: '#123456' } }));
  ok(await as(teacher).put(`${at}/tabs/people`, { hidden: true }));
  made = { file, assignment, graded, topic, news, page, event, first, second };
});

async function aTarget(): Promise<BuiltCourse> {
  const course = await ground.course({ name: 'Target' });
  await ground.enroll(course, teacher, 'teacher');
  return course;
}

/** The queue delivers within a second; tests do not wait for it. */
async function copied(target: BuiltCourse, given: object = {}): Promise<Told> {
  const at = `/courses/${target.id}/course_copy`;
  const begun = ok(within(await as(teacher).post(at, { source_course: source.course.id, ...given }), 3));
  for (;;) {
    await deliver(begun.id);
    const { progress, workflow_state } = ok(within(await as(teacher).get(`${at}/${begun.id}`), 2));
    if (workflow_state === 'completed') {
      expect(progress).toBe(100);
      return begun;
    }
    // The queue's own delivery is running.
    expect(workflow_state).toBe('started');
  }
}

const list = async (target: BuiltCourse, path: string, query: object = {}) =>
  ok(await as(teacher).get(`/courses/${target.id}${path}`, { per_page: 100, ...query })) as Told[];

/** File links without the verifier of their reader. */
const bare = <T>(result: T): T => JSON.parse(JSON.stringify(result).replace(/\?verifier=\w+/g, '')) as T;

/** The content of a copied course. */
async function looks(target: BuiltCourse) {
  const [folders, files, groups, topics, news, pages, modules] = await Promise.all([
    list(target, '/folders'),
    list(target, '/files'),
    list(target, '/assignment_groups', { include: ['assignments'] }),
    list(target, '/discussion_topics'),
    list(target, '/discussion_topics', { only_announcements: true }),
    list(target, '/pages', { include: ['body'] }),
    list(target, '/modules', { include: ['items'] }),
  ]);
  const events = ok(await as(teacher).get('/calendar_events', { context_codes: [`course_${target.id}`], all_events: true })) as Told[];
  return bare({ folders, files, groups, topics, news, pages, modules, events });
}

test('two courses with the same folders are copied into one, which has each folder once', async () => {
  const target = await aTarget();
  await copied(target);
  const other = await ground.course({ name: 'Second' });
  await ground.enroll(other, teacher, 'teacher');
  for (const [name, folder] of [
    ['second.txt', 'Week 1/Notes'],
    ['third.txt', 'Week 1/More'],
  ] as const)
    await upload(teacher, `/courses/${other.id}/files`, { name, parent_folder_path: folder } as never, name);
  await copied(target, { source_course: other.id });
  // Copied again, both still find their folders.
  await copied(target);
  await copied(target, { source_course: other.id });
  const folders = await list(target, '/folders');
  const paths = new Map(folders.map(({ id, full_name }) => [id, full_name.replace('course files', '')]));
  expect([...paths.values()].sort()).toEqual(['', '/Week 1', '/Week 1/More', '/Week 1/Notes']);
  expect((await list(target, '/files')).map((one) => `${paths.get(one.folder_id)}/${one.display_name}`).sort()).toEqual([
    '/Week 1/More/third.txt',
    '/Week 1/Notes/plan.txt',
    '/Week 1/Notes/second.txt',
  ]);
});

test('external tools are copied with their keys, and items of tools of the account stay as they are', async () => {
  const [from, to] = [await aTarget(), await aTarget()];
  const at = `/courses/${from.id}`;
  const given = { url: 'https://tool.example.edu/l', consumer_key: 'key', shared_secret: 'secret' };
  const own = ok(await as(teacher).post(`${at}/external_tools`, { name: 'Own', ...given }));
  const shared = ok(
    await as(await ground.admin()).post('/accounts/1/external_tools', { name: 'Shared', ...given, url: 'https://all.example.edu/l' }),
  );
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Tools' } }));
  for (const { id, url, name } of [own, shared])
    ok(
      await as(teacher).post(`${at}/modules/${module.id}/items`, {
        module_item: { type: 'ExternalTool', title: name, content_id: id, external_url: url },
      }),
    );
  await copied(to, { source_course: from.id });
  await copied(to, { source_course: from.id });
  const [copy, ...more] = await list(to, '/external_tools');
  expect([copy, more]).toMatchObject([{ name: 'Own', url: given.url, consumer_key: 'key' }, []]);
  expect(copy.id).not.toBe(own.id);
  const [tools] = await list(to, '/modules', { include: ['items'] });
  expect(tools.items.map(({ type, title, external_url }: Told) => [type, title, external_url])).toEqual([
    ['ExternalTool', 'Own', given.url],
    ['ExternalTool', 'Shared', shared.url],
  ]);
});

test('a copy that fails half-way says in its progress what was copied', async () => {
  const target = await aTarget();
  await env.DB.exec(`create trigger boom before insert on pages when new.context_id = ${target.id} begin select raise(abort, 'boom'); end`);
  const begun = ok(await as(teacher).post(`/courses/${target.id}/course_copy`, { source_course: source.course.id }));
  const state = async () => ok(await as(teacher).get(`/courses/${target.id}/course_copy/${begun.id}`)).workflow_state;
  while ((await state()) !== 'failed') await deliver(begun.id).catch(() => {});
  await env.DB.exec('drop trigger boom');
  const [copy] = await ground.db.select().from(course_copies).where(eq(course_copies.id, begun.id));
  const { message } = ok(await as(teacher).get(`/progress/${copy?.progress_id}`));
  expect(message).toMatch(
    /^The content could not be copied\. Copied before: .*1 file, 1 assignment group,.* Another copy completes them\.$/,
  );
  await copied(target);
  expect(await list(target, '/pages')).toHaveLength(1);
});

test('a folder whose name another one had before is copied into the folder of that name', async () => {
  const target = await aTarget();
  const other = await ground.course({ name: 'Renaming' });
  await ground.enroll(other, teacher, 'teacher');
  const at = `/courses/${other.id}`;
  await upload(teacher, `${at}/files`, { name: 'one.txt', parent_folder_path: 'Notes' } as never, 'one');
  await copied(target, { source_course: other.id });
  const notes = (await list(other, '/folders')).find(({ name }) => name === 'Notes');
  ok(await as(teacher).put(`/folders/${notes.id}`, { name: 'Old notes' }));
  await upload(teacher, `${at}/files`, { name: 'two.txt', parent_folder_path: 'Notes' } as never, 'two');
  await copied(target, { source_course: other.id });
  expect((await list(target, '/folders')).map(({ name }) => name).sort()).toEqual(['Notes', 'course files']);
  expect((await list(target, '/files')).map(({ display_name }) => display_name).sort()).toEqual(['one.txt', 'two.txt']);
});

test('a teacher of both courses copies everything, and every link points to the copy', async () => {
  const target = await aTarget();
  const begun = await copied(target);
  expect(begun).toEqual({
    id: begun.id,
    progress: null,
    created_at: begun.created_at,
    workflow_state: 'created',
    status_url: `https://carrel.test/api/v1/courses/${target.id}/course_copy/${begun.id}`,
  });
  const { folders, files, groups, topics, news, pages, modules, events } = await looks(target);
  expect(folders.map(({ full_name }) => full_name).sort()).toEqual(['course files', 'course files/Week 1', 'course files/Week 1/Notes']);
  const [file] = files;
  expect(files).toHaveLength(1);
  expect(file).toMatchObject({ display_name: 'plan.txt', size: 6 });
  expect(file.id).not.toBe(made.file.id);
  const link = `<p><a href="https://carrel.test/courses/${target.id}/files/${file.id}/download">plan</a></p>`;
  expect(groups).toHaveLength(1);
  const [essay, debate] = groups[0].assignments;
  expect(groups[0]).toMatchObject({
    id: target.assignment_group_id,
    name: 'Assignments',
    rules: { drop_lowest: 1, never_drop: [essay.id] },
  });
  expect(essay).toMatchObject({ name: 'Essay', points_possible: 7, published: true, due_at: '2027-01-05T10:00:00Z', description: link });
  const [original, ...rubrics] = [...(await list(source.course, '/rubrics')), ...(await list(target, '/rubrics'))];
  expect(rubrics).toMatchObject([{ title: 'Essay rubric', points_possible: 7, data: original.data }]);
  expect(rubrics[0].id).not.toBe(original.id);
  expect(essay).toMatchObject({ use_rubric_for_grading: true, rubric_settings: { id: rubrics[0].id } });
  expect(debate).toMatchObject({ name: 'Debate', points_possible: 3 });
  expect(debate).not.toHaveProperty('rubric');
  expect(topics.map(({ title, published, message, assignment_id }) => ({ title, published, message, assignment_id }))).toEqual(
    expect.arrayContaining([
      { title: 'Introductions', published: false, message: link, assignment_id: null },
      { title: 'Debate', published: true, message: '<p>Argue</p>', assignment_id: debate.id },
    ]),
  );
  expect(news.map(({ title }) => title)).toEqual(['Welcome']);
  expect(pages).toHaveLength(1);
  expect(pages[0]).toMatchObject({
    title: 'Week 1',
    url: 'week-1',
    published: true,
    body: `${link}<a href="https://carrel.test/courses/${target.id}/assignments/${essay.id}">essay</a>`,
  });
  expect(events.map(({ title, description }) => [title, description])).toEqual([['Excursion', link]]);
  const [one, two] = modules;
  expect([one, two].map(({ name, published, prerequisite_module_ids }) => [name, published, prerequisite_module_ids])).toEqual([
    ['One', false, []],
    ['Two', true, [one.id]],
  ]);
  expect(two.items.map(({ type, title, content_id, indent }: Told) => [type, title, content_id, indent])).toEqual([
    ['Page', 'Week 1', undefined, 0],
    ['Assignment', 'Essay', essay.id, 0],
    ['File', 'plan.txt', file.id, 1],
    ['SubHeader', 'Read on', undefined, 0],
    ['ExternalUrl', 'Elsewhere', undefined, 0],
  ]);
  expect(two.items[1].completion_requirement).toEqual({ type: 'min_score', min_score: 5 });
  const course = bare(ok(await as(teacher).get(`/courses/${target.id}`, { include: ['syllabus_body'] })));
  expect(course).toMatchObject({ name: 'Target', default_view: 'wiki', course_color: '#123456', syllabus_body: link });
  expect((await list(target, '/tabs')).find(({ id }) => id === 'people')).toMatchObject({ hidden: true });
  expect(ok(await as(teacher).get(`/courses/${target.id}/pages/week-1/revisions`))).toHaveLength(1);
  const known = createHash('md5').update(`attachment_${made.file.id}`).digest('hex');
  expect(ok(within(await as(teacher).get(`/courses/${target.id}/files/file_ref/i${known}`), 2)).id).toBe(file.id);
  ok(await as(teacher).get(`/courses/${target.id}/files/file_ref/i0`), 404);
  ok(await as(teacher).put(`/courses/${target.id}`, { course: { image_id: file.id } }));
  const pictured = ok(await as(teacher).get(`/courses/${target.id}`, { include: ['course_image'] })).image_download_url;
  expect((await as(teacher).get(pictured)).body).toBe('a plan');
  expect(ok(await as(teacher).get(`/courses/${target.id}/settings`)).image).toBe(pictured);
  ok(await as(teacher).put(`/courses/${target.id}/settings`, { image_id: made.file.id }), 400);
  // The bytes are shared, and no one is notified.
  expect((await as(teacher).get(file.url)).body).toBe('a plan');
  const told = await env.DB.prepare(
    "select count(*) as n from notification_queue where notification = 'assignment_created' and item_id = ?",
  )
    .bind(essay.id)
    .first();
  expect(told).toEqual({ n: 0 });
});

test('a second copy updates existing copies instead of doubling them; deleted ones are created again; taken names are avoided', async () => {
  const target = await aTarget();
  ok(await as(teacher).post(`/courses/${target.id}/pages`, { wiki_page: { title: 'Week 1', body: 'mine' } }));
  await upload(teacher, `/courses/${target.id}/files`, { name: 'plan.txt', parent_folder_path: 'Week 1/Notes' } as never, 'another');
  await copied(target);
  const before = await looks(target);
  expect(before.pages.map(({ title, url }) => [title, url]).sort()).toEqual([
    ['Week 1', 'week-1'],
    ['Week 1-2', 'week-1-2'],
  ]);
  expect(before.files.map(({ display_name }) => display_name).sort()).toEqual(['plan-1.txt', 'plan.txt']);
  const essay = before.groups[0].assignments[0];
  ok(await as(teacher).put(`/courses/${target.id}/assignments/${essay.id}`, { assignment: { name: 'Changed', points_possible: 1 } }));
  ok(await as(teacher).del(`/courses/${target.id}/modules/${before.modules[1].id}`));
  // The assignment gets a rubric of its own, which a copy leaves.
  const [copiedRubric] = await list(target, '/rubrics', { include: ['associations'] });
  const [use] = ok(await as(teacher).get(`/courses/${target.id}/rubrics/${copiedRubric.id}`, { include: ['associations'] })).associations;
  ok(await as(teacher).del(`/courses/${target.id}/rubric_associations/${use.id}`));
  const rubric_association = { association_id: essay.id, association_type: 'Assignment' };
  const own = ok(await as(teacher).post(`/courses/${target.id}/rubrics`, { rubric: { title: 'Own' }, rubric_association })).rubric;
  await copied(target);
  const after = await looks(target);
  expect(after.groups[0].assignments.map(({ id, name, points_possible }: Told) => [id, name, points_possible])).toEqual([
    [essay.id, 'Essay', 7],
    [before.groups[0].assignments[1].id, 'Debate', 3],
  ]);
  expect(after.groups[0].assignments[0].rubric_settings).toMatchObject({ id: own.id, title: 'Own' });
  expect(after.modules.map(({ name, items }) => [name, items.length])).toEqual([
    ['One', 0],
    ['Two', 5],
  ]);
  for (const kind of ['files', 'topics', 'pages', 'events', 'folders'] as const)
    expect(after[kind].map(({ id, page_id }) => id ?? page_id).sort(), kind).toEqual(
      before[kind].map(({ id, page_id }) => id ?? page_id).sort(),
    );
});

test('a copy interrupted after every step, with every message delivered twice, ends exactly as an uninterrupted one', async () => {
  const target = await aTarget();
  const begun = ok(await as(teacher).post(`/courses/${target.id}/course_copy`, { source_course: source.course.id }));
  const db = open(platform.DB, newMeter(), 'first-primary');
  const percents: number[] = [];
  for (let ended = false; !ended && percents.length < 60; ) {
    const [it] = await ground.db.select().from(course_copies).where(eq(course_copies.id, begun.id));
    const once = () => {
      let left = 1;
      return new CopyWork(db, it as never).goOn(() => left-- > 0);
    };
    const both = await Promise.allSettled([once(), once()]);
    // The queue's own delivery may run as well: only one of all deliveries takes a step.
    const [now] = await ground.db.select().from(course_copies).where(eq(course_copies.id, begun.id));
    ended = now?.workflow_state === 'completed';
    percents.push(ok(await as(teacher).get(`/courses/${target.id}/course_copy/${begun.id}`)).progress);
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  }
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect(percents.at(-1)).toBe(100);
  await deliver(begun.id);
  const { folders, files, groups, topics, news, pages, modules, events } = await looks(target);
  expect(
    [folders, files, groups, groups[0].assignments, topics, news, pages, modules, modules[1].items, events].map(({ length }) => length),
  ).toEqual([3, 1, 1, 2, 2, 1, 1, 2, 5, 1]);
});

test('selected content is copied with its dependencies; both options at once are refused', async () => {
  const target = await aTarget();
  await copied(target, { only: ['wiki_pages', 'nonsense'] });
  const some = await looks(target);
  expect([some.pages, some.files, some.modules, some.topics, some.groups[0].assignments].map(({ length }) => length)).toEqual([
    1, 1, 0, 0, 0,
  ]);
  expect(ok(await as(teacher).get(`/courses/${target.id}`))).toMatchObject({ default_view: 'modules' });
  await copied(target, { except: ['modules', 'course_settings'] });
  const more = await looks(target);
  expect([more.pages, more.files, more.modules, more.topics].map(({ length }) => length)).toEqual([1, 1, 0, 2]);
  const at = `/courses/${target.id}/course_copy`;
  ok(await as(teacher).post(at, { source_course: source.course.id, only: ['files'], except: ['modules'] }), 400);
  ok(await as(teacher).post(at), 400);
  ok(await as(teacher).post(at, { source_course: target.id }), 400);
  ok(await as(teacher).post(at, { source_course: 999_999 }), 404);
  ok(await as(teacher).get(`${at}/999999`), 404);
  const { begun } = { begun: ok(await as(teacher).post(at, { source_course: 'sis_course_id:ORIGINAL', only: ['files'] })) };
  ok(await as(teacher).get(`/courses/${source.course.id}/course_copy/${begun.id}`), 404);
  ok(await as(source.student).get(`${at}/${begun.id}`), 401);
  const other = await aCourse(ground);
  ok(await as(other.teacher).post(`/courses/${other.course.id}/course_copy`, { source_course: source.course.id }), 401);
  ok(await as(source.student).post(`/courses/${source.course.id}/course_copy`, { source_course: target.id }), 401);
});

test('a copy requested twice with one key is one, and a stalled one is continued', async () => {
  const target = await aTarget();
  const options = { headers: { 'Idempotency-Key': 'copy once' } };
  const [one, two] = [0, 1].map(() => as(teacher).post(`/courses/${target.id}/course_copy`, { source_course: source.course.id }, options));
  const { id } = ok(await (one as Promise<Told>));
  expect(ok(await (two as Promise<Told>)).id).toBe(id);
  await ground.db.update(course_copies).set({ workflow_state: 'started' }).where(eq(course_copies.id, id));
  const sent: unknown[] = [];
  const WORK = { send: (job: unknown) => Promise.resolve(void sent.push(job)) } as unknown as Platform['WORK'];
  await resume([unfinishedCopies], { WORK }, open(platform.DB, newMeter(), 'first-primary'), '2999-01-01T00:00:00Z');
  expect(sent).toContainEqual({ job: 'course_copy', ids: [id] });
});

test('quizzes are copied with their assignments, groups, questions and module items, and again without doubling them', async () => {
  const at = `/courses/${source.course.id}`;
  const put = async (path: string, body: object) => {
    const answer = await as(teacher).post(`${at}${path}`, body);
    return ok(answer, answer.status === 201 ? 201 : 200);
  };
  const quiz = await put('/quizzes', { quiz: { title: 'Copied quiz', published: true, access_code: 'blue', allowed_attempts: 2 } });
  const text = `<p><a href="/courses/${source.course.id}/files/${made.file.id}/download">plan</a></p>`;
  for (const given of questionsOfEveryType()) await put(`/quizzes/${quiz.id}/questions`, { question: given });
  const [group] = (await put(`/quizzes/${quiz.id}/groups`, { quiz_groups: [{ name: 'Drawn', question_points: 5 }] })).quiz_groups;
  const linked = { question_type: 'essay_question', question_text: text, quiz_group_id: group.id };
  const inGroup = await put(`/quizzes/${quiz.id}/questions`, { question: linked });
  const bank = await ground.questionBank('Course', source.course, { title: 'Bank' });
  const inBank = await ground.bankQuestion(bank, { question_name: 'In the bank', question_text: text });
  const draws = { name: 'From the bank', pick_count: 1, assessment_question_bank_id: bank };
  const [fromBank] = (await put(`/quizzes/${quiz.id}/groups`, { quiz_groups: [draws] })).quiz_groups;
  const module = await put('/modules', { module: { name: 'Quizzes' } });
  await put(`/modules/${module.id}/items`, { module_item: { type: 'Quiz', content_id: quiz.id } });

  const target = await aTarget();
  await copied(target);
  const [there, ...more] = await list(target, '/quizzes');
  expect(more).toEqual([]);
  expect(there).toMatchObject({ title: 'Copied quiz', published: true, access_code: 'blue', allowed_attempts: 2 });
  const before = ok(await as(teacher).get(`${at}/quizzes/${quiz.id}`));
  expect(there).toMatchObject({ question_count: before.question_count, points_possible: before.points_possible });
  expect(ok(await as(teacher).get(`/courses/${target.id}/assignments/${there.assignment_id}`))).toMatchObject({
    quiz_id: there.id,
    name: 'Copied quiz',
    points_possible: before.points_possible,
  });
  const plain = ({ id, quiz_id, quiz_group_id, question_text, assessment_question_id, ...rest }: Told) => rest;
  const originals = ok(await as(teacher).get(`${at}/quizzes/${quiz.id}/questions`, { per_page: 100 })) as Told[];
  const copies = await list(target, `/quizzes/${there.id}/questions`);
  expect(copies.map(plain)).toEqual(originals.map(plain));
  const [drawn] = copies.filter(({ quiz_group_id }) => quiz_group_id !== null);
  expect(drawn.question_text).toContain(`/courses/${target.id}/files/`);
  expect(ok(await as(teacher).get(`/courses/${target.id}/quizzes/${there.id}/groups/${drawn.quiz_group_id}`))).toMatchObject({
    name: 'Drawn',
  });
  const groupsOf = async ({ id }: Told) =>
    (
      await ground.db
        .select()
        .from(quiz_groups)
        .where(and(eq(quiz_groups.quiz_id, id), eq(quiz_groups.workflow_state, 'active')))
    ).filter(({ question_bank_id }) => question_bank_id !== null);
  const bankOf = async () => (await groupsOf(there))[0]?.question_bank_id ?? 0;
  expect(await groupsOf(there)).toMatchObject([{ name: 'From the bank', pick_count: 1 }]);
  expect(await bankOf()).not.toBe(bank);
  const fileOf = ({ question_text }: Told) => /files\/(\d+)/.exec(question_text)?.[1];
  const questionsIn = async (id: number) => ground.db.select().from(quiz_questions).where(eq(quiz_questions.question_bank_id, id));
  const banked = await questionsIn(await bankOf());
  expect(banked).toMatchObject([
    {
      question_name: 'In the bank',
      quiz_id: null,
      question_text: `<p><a href="/courses/${target.id}/files/${fileOf(drawn)}/download">plan</a></p>`,
    },
  ]);
  expect(banked[0]?.id).not.toBe(inBank);
  expect(fromBank.assessment_question_bank_id).toBe(bank);
  const tied = await ground.db
    .select()
    .from(quiz_questions)
    .where(
      inArray(
        quiz_questions.id,
        copies.map((one) => one.assessment_question_id),
      ),
    );
  expect(new Set(tied.map((one) => one.id)).size).toBe(copies.length);
  const [unfiled] = await ground.db
    .select()
    .from(question_banks)
    .where(and(eq(question_banks.context_id, target.id), eq(question_banks.title, 'Unfiled Questions')));
  expect(new Set(tied.map((one) => one.question_bank_id))).toEqual(new Set([unfiled?.id]));
  const ownEdit = { question: { question_name: 'Edited in the copy' } };
  ok(await as(teacher).put(`/courses/${target.id}/quizzes/${there.id}/questions/${drawn.id}`, ownEdit));
  const [followed] = await ground.db.select().from(quiz_questions).where(eq(quiz_questions.id, drawn.assessment_question_id));
  expect(followed).toMatchObject({ question_name: 'Edited in the copy', question_bank_id: unfiled?.id });
  expect(ok(await as(teacher).get(`${at}/quizzes/${quiz.id}/questions/${inGroup.id}`)).question_name).not.toBe('Edited in the copy');

  const items = (await list(target, '/modules', { include: ['items'] })).flatMap((one) => one.items);
  expect(items.filter(({ type }) => type === 'Quiz')).toMatchObject([{ content_id: there.id, title: 'Copied quiz' }]);

  ok(await as(teacher).put(`${at}/quizzes/${quiz.id}/questions/${inGroup.id}`, { question: { question_name: 'Changed' } }));
  ok(await as(teacher).put(`${at}/quizzes/${quiz.id}`, { quiz: { title: 'Renamed quiz' } }));
  await copied(target);
  expect(await list(target, '/quizzes')).toMatchObject([{ id: there.id, title: 'Renamed quiz' }]);
  const again = await list(target, `/quizzes/${there.id}/questions`);
  expect(again.map(({ id }) => id)).toEqual(copies.map(({ id }) => id));
  expect(again.at(-1)).toMatchObject({ question_name: 'Changed' });
  expect((await questionsIn(await bankOf())).map(({ id }) => id)).toEqual(banked.map(({ id }) => id));
  expect(again.map((one) => one.assessment_question_id)).toEqual(copies.map((one) => one.assessment_question_id));
  const started = await as(teacher).post(`/courses/${target.id}/quizzes/${there.id}/submissions?preview=1`);
  expect(ok(started).quiz_submissions).toMatchObject([{ workflow_state: 'preview' }]);
  ok(await as(teacher).del(`${at}/quizzes/${quiz.id}`));
});

test('New Quizzes are copied with their settings and items, and again without doubling them', async () => {
  const at = `/api/quiz/v1/courses/${source.course.id}/quizzes`;
  const post = async (path: string, body: object) => ok(await as(teacher).post(`${at}${path}`, body, { json: true }));
  const quiz_settings = { shuffle_answers: true, student_access_code: 'blue' };
  const quiz = await post('', { quiz: { title: 'Copied New Quiz', published: true, quiz_settings } });
  const bank = await ground.questionBank('Course', source.course);
  await post(`/${quiz.id}/items`, { item: { entry_type: 'Bank', entry: { id: bank } } });
  const stimulus = await post(`/${quiz.id}/items`, { item: { entry_type: 'Stimulus', entry: { title: 'Poem' } } });
  for (const item of newQuizItemsOfEveryType()) await post(`/${quiz.id}/items`, { item: { ...item, stimulus_quiz_entry_id: stimulus.id } });

  const target = await aTarget();
  await copied(target);
  const there = `/api/quiz/v1/courses/${target.id}/quizzes`;
  const all = () =>
    as(teacher)
      .get(there)
      .then((answer) => ok(answer) as Told[]);
  const [copy, ...more] = await all();
  expect(more).toEqual([]);
  expect(copy).toMatchObject({ title: 'Copied New Quiz', published: true, quiz_settings });
  expect(copy.id).not.toBe(quiz.id);
  const itemsOf = async (path: string) => ok(await as(teacher).get(path, { per_page: 100 })) as Told[];
  const plain = ({ id, position, stimulus_quiz_entry_id, ...rest }: Told) => rest;
  const [drawing, ...originals] = await itemsOf(`${at}/${quiz.id}/items`);
  const items = await itemsOf(`${there}/${copy.id}/items`);
  const [drawn, ...others] = items;
  expect(others.map(plain)).toEqual(originals.map(plain));
  expect(items.map(({ position }) => position)).toEqual(items.map((_, index) => index + 1));
  // It draws from the copy of the bank.
  const bankOf = (id: number) => ground.db.select().from(question_banks).where(eq(question_banks.id, id));
  expect(drawn.entry.id).not.toBe(drawing.entry.id);
  expect(await bankOf(drawn.entry.id)).toMatchObject([{ context_type: 'Course', context_id: target.id }]);
  const [copiedStimulus, ...below] = others;
  expect(new Set(below.map(({ stimulus_quiz_entry_id }) => stimulus_quiz_entry_id))).toEqual(new Set([copiedStimulus.id]));

  ok(await as(teacher).patch(`${at}/${quiz.id}`, { quiz: { title: 'Renamed', quiz_settings: { student_access_code: 'red' } } }));
  await copied(target);
  expect(await all()).toMatchObject([{ id: copy.id, title: 'Renamed', quiz_settings: { student_access_code: 'red' } }]);
  expect(await itemsOf(`${there}/${copy.id}/items`)).toEqual(items);

  const [, last] = originals.slice(-2);
  ok(await as(teacher).del(`${at}/${quiz.id}/items/${originals[1].id}`));
  ok(await as(teacher).patch(`${at}/${quiz.id}/items/${last.id}`, { item: { position: 1 } }, { json: true }));
  await copied(target);
  const moved = await itemsOf(`${there}/${copy.id}/items`);
  // A copy deletes nothing.
  expect(moved).toHaveLength(items.length);
  expect(moved[0].id).toBe(items.at(-1)?.id);
  expect(moved.map(({ position }) => position)).toEqual(items.map((_, index) => index + 1));
});

test('links in questions, answers and feedback point to the copies, in classic quizzes and New Quizzes', async () => {
  const { id } = source.course;
  const file = await upload(teacher, `/courses/${id}/files`, { name: 'figure.png' } as never, 'a figure');
  const link = (course = id, to = file.id) => `<a href="/courses/${course}/files/${to}/download">figure</a>`;
  const quiz = ok(await as(teacher).post(`/courses/${id}/quizzes`, { quiz: { title: 'Linked', quiz_type: 'practice_quiz' } }));
  const answers = [
    { answer_html: link(), answer_weight: 100, answer_comment_html: link() },
    { answer_text: 'None', answer_weight: 0 },
  ];
  const question = { question_type: 'multiple_choice_question', question_text: link(), correct_comments_html: link(), answers };
  ok(await as(teacher).post(`/courses/${id}/quizzes/${quiz.id}/questions`, { question }, { json: true }));
  const at = `/api/quiz/v1/courses/${id}/quizzes`;
  const newQuiz = ok(await as(teacher).post(at, { quiz: { title: 'Linked too' } }));
  const entry = {
    item_body: link(),
    interaction_type_slug: 'choice',
    interaction_data: {
      choices: [
        { id: 'a', position: 1, item_body: link() },
        { id: 'b', position: 2, item_body: 'None' },
      ],
    },
    scoring_data: { value: 'a' },
    scoring_algorithm: 'Equivalence',
    feedback: { correct: link() },
    answer_feedback: { a: link() },
  };
  ok(await as(teacher).post(`${at}/${newQuiz.id}/items`, { item: { entry_type: 'Item', points_possible: 1, entry } }, { json: true }));

  const target = await aTarget();
  await copied(target);
  const files = ok(await as(teacher).get(`/courses/${target.id}/files`, { search_term: 'figure.png' }));
  const there = new RegExp(`/courses/${target.id}/files/${files[0].id}/download`);
  const named = async (path: string, title: string) =>
    ok(await as(teacher).get(path, { per_page: 100 })).find((one: Told) => one.title === title);
  const copy = await named(`/courses/${target.id}/quizzes`, 'Linked');
  const [asked] = ok(await as(teacher).get(`/courses/${target.id}/quizzes/${copy.id}/questions`));
  for (const text of [asked.question_text, asked.correct_comments_html, asked.answers[0].html, asked.answers[0].comments_html])
    expect(text).toMatch(there);
  const copiedQuizzes = `/api/quiz/v1/courses/${target.id}/quizzes`;
  const newCopy = await named(copiedQuizzes, 'Linked too');
  const [item] = ok(await as(teacher).get(`${copiedQuizzes}/${newCopy.id}/items`));
  const { interaction_data, feedback, answer_feedback, item_body } = item.entry;
  for (const text of [item_body, interaction_data.choices[0].item_body, feedback.correct, answer_feedback.a]) expect(text).toMatch(there);

  // A repeated copy leaves the links as they are.
  await copied(target);
  expect(ok(await as(teacher).get(`${copiedQuizzes}/${newCopy.id}/items`))).toEqual([item]);
  expect(ok(await as(teacher).get(`/courses/${target.id}/quizzes/${copy.id}/questions`))).toEqual([asked]);
});
