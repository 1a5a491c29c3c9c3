// Content migrations: copies of courses with selection and shifted dates, and archives that are unpacked into a folder.

import { env } from 'cloudflare:test';
import { createHash } from 'node:crypto';
import { newMeter, open } from '@carrel/worker/database/open';
import { expireMigrations } from '@carrel/worker/domains/content_migrations/expire';
import { migrateContent, unfinishedMigrations } from '@carrel/worker/domains/content_migrations/job';
import { content_migrations } from '@carrel/worker/domains/content_migrations/table';
import { unzipStep } from '@carrel/worker/domains/content_migrations/zip/unzip';
import type { Platform } from '@carrel/worker/platform';
import { resume } from '@carrel/worker/steps';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { deliverStepsTwice } from '../support/delivered_twice';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import { zipped } from '../support/sis';
import { sendContent } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

const platform = env as unknown as Platform;
const deliver = (id: number) => migrateContent({ job: 'content_migration', ids: [id] }, platform);
const md5 = (text: string) => `i${createHash('md5').update(text).digest('hex')}`;

let source: Awaited<ReturnType<typeof aCourse>>;
let teacher: Person;
let made: Record<'essay' | 'lab' | 'quiz' | 'page' | 'topic' | 'news' | 'event' | 'module', Told>;

beforeAll(async () => {
  source = await aCourse(ground, { name: 'Original', sis_course_id: 'MIGRATED' });
  teacher = source.teacher;
  const at = `/courses/${source.course.id}`;
  const post = async (path: string, body: object) => {
    const answer = await as(teacher).post(path, body);
    return ok(answer, answer.status === 201 ? 201 : 200);
  };
  const assign = (name: string, more: object = {}) =>
    post(`${at}/assignments`, {
      assignment: { name, published: true, points_possible: 5, submission_types: ['online_text_entry'], ...more },
    });
  const essay = await assign('Essay', { due_at: '2026-01-08T06:59:00Z', lock_at: '2026-05-26T05:59:00Z' });
  const lab = await assign('Lab');
  const quiz = await post(`${at}/quizzes`, { quiz: { title: 'Test', due_at: '2026-01-15T06:59:00Z', published: true } });
  const page = await post(`${at}/pages`, { wiki_page: { title: 'Week 1', body: '<p>Read</p>', student_todo_at: '2026-01-06T18:00:00Z' } });
  const topic = await post(`${at}/discussion_topics`, { title: 'Debate', published: true, todo_date: '2026-01-07T18:00:00Z' });
  const news = await post(`${at}/discussion_topics`, { title: 'News', is_announcement: true });
  const event = await post('/calendar_events', {
    calendar_event: {
      context_code: `course_${source.course.id}`,
      title: 'Trip',
      start_at: '2026-01-05T16:00:00Z',
      end_at: '2026-01-05T17:00:00Z',
    },
  });
  const module = await post(`${at}/modules`, { module: { name: 'One', unlock_at: '2026-01-05T07:00:00Z' } });
  await post(`${at}/modules/${module.id}/items`, { module_item: { type: 'Page', page_url: page.url } });
  made = { essay, lab, quiz, page, topic, news, event, module };
}, 60_000);

async function aTarget(given: object = {}): Promise<BuiltCourse> {
  const course = await ground.course({ name: 'Target', ...given });
  await ground.enroll(course, teacher, 'teacher');
  return course;
}

const get = async (address: string, person = teacher): Promise<Told> => ok(within(await as(person).get(address), 2));

/** Delivers the job of a migration until it has ended, as the queue does. */
async function ended(address: string, person = teacher): Promise<Told> {
  for (;;) {
    const it = await get(address, person);
    if (!['running', 'queued', 'pre_processing'].includes(it.workflow_state)) return it;
    await deliver(it.id);
  }
}

const copying = { migration_type: 'course_copy_importer' };

async function copied(target: BuiltCourse, given: object = {}): Promise<Told> {
  const at = `/courses/${target.id}/content_migrations`;
  const it = ok(within(await as(teacher).post(at, { ...copying, settings: { source_course_id: source.course.id }, ...given }), 3));
  return ended(`${at}/${it.id}`);
}

const list = (target: BuiltCourse, path: string, query = '') => get(`/courses/${target.id}${path}?per_page=100${query}`);

describe('a course copy', () => {
  test('brings everything, reports its progress, and maps the ids', async () => {
    const target = await aTarget();
    const at = `/courses/${target.id}/content_migrations`;
    const answer = within(await as(teacher).post(at, { ...copying, settings: { source_course_id: 'sis_course_id:MIGRATED' } }), 3);
    const begun = ok(answer);
    expect(begun).toMatchObject({
      user_id: teacher.id,
      migration_type: 'course_copy_importer',
      migration_type_title: 'Course Copy',
      workflow_state: 'running',
      finished_at: null,
      migration_issues_url: `https://carrel.test/api/v1${at}/${begun.id}/migration_issues`,
      migration_issues_count: 0,
      settings: {
        source_course_id: source.course.id,
        source_course_name: 'Original',
        source_course_html_url: `https://carrel.test/courses/${source.course.id}`,
      },
    });
    expect(begun).not.toHaveProperty('attachment');
    ok(await as(teacher).get(`${at}/${begun.id}/asset_id_mapping`), 400);
    const it = await ended(`${at}/${begun.id}`);
    expect(it).toMatchObject({ workflow_state: 'completed', migration_issues_count: 0 });
    expect(it.finished_at >= it.started_at).toBe(true);
    const progress = await get(it.progress_url.replace('https://carrel.test/api/v1', ''));
    expect(progress).toMatchObject({
      context_type: 'ContentMigration',
      context_id: it.id,
      tag: 'content_migration',
      completion: 100,
      workflow_state: 'completed',
    });
    const assignments = await list(target, '/assignments');
    const essay = assignments.find(({ name }: Told) => name === 'Essay');
    expect(essay.due_at).toBe('2026-01-08T06:59:00Z');
    const mapping = await get(`${at}/${it.id}/asset_id_mapping`);
    expect(Object.keys(mapping).sort()).toEqual([
      'announcements',
      'assignments',
      'discussion_topics',
      'module_items',
      'modules',
      'pages',
      'quizzes',
    ]);
    expect(mapping.assignments[made.essay.id]).toBe(String(essay.id));
    expect(Object.keys(mapping.announcements)).toEqual([String(made.news.id)]);
    expect((await get(at)).map(({ id }: Told) => id)).toEqual([it.id]);
    // Again: nothing is doubled.
    await copied(target);
    expect(await list(target, '/assignments')).toHaveLength(assignments.length);
    expect((await get(at)).map(({ id }: Told) => id).at(-1)).toBe(it.id);
  });

  test('shifts all dates by the clock of its zone', async () => {
    const target = await aTarget();
    const it = await copied(target, {
      date_shift_options: {
        shift_dates: true,
        old_start_date: '2026-01-05',
        old_end_date: '2026-05-25',
        new_start_date: '2026-08-31',
        new_end_date: '2027-01-18',
        day_substitutions: { 1: 2 },
        time_zone: 'America/Denver',
      },
    });
    expect(it).toMatchObject({ workflow_state: 'completed', migration_issues_count: 0 });
    const [essay, , test1] = await list(target, '/assignments', '&order_by=name').then((all) =>
      ['Essay', 'Lab', 'Test'].map((name) => all.find((one: Told) => one.name === name)),
    );
    // A Wednesday at 23:59, now in summer time; the last Monday, now the Tuesday before and in winter time.
    expect([essay.due_at, essay.lock_at]).toEqual(['2026-09-03T05:59:00Z', '2027-01-13T06:59:00Z']);
    expect(test1.due_at).toBe('2026-09-10T05:59:00Z');
    const [quiz] = await list(target, '/quizzes');
    expect(quiz.due_at).toBe('2026-09-10T05:59:00Z');
    expect((await list(target, '/pages'))[0].todo_date).toBe('2026-09-01T17:00:00Z');
    expect((await list(target, '/discussion_topics'))[0].todo_date).toBe('2026-09-02T17:00:00Z');
    expect((await list(target, '/modules'))[0].unlock_at).toBe('2026-09-01T06:00:00Z');
    const [event] = await get(`/calendar_events?context_codes[]=course_${target.id}&all_events=true`);
    expect([event.start_at, event.end_at]).toEqual(['2026-09-01T15:00:00Z', '2026-09-01T16:00:00Z']);
    expect(await get(`/courses/${target.id}`)).toMatchObject({ start_at: '2026-08-31T06:00:00Z', end_at: '2027-01-18T07:00:00Z' });
  });

  test('removes all dates, which wins over a shift; a shift without a known start leaves them', async () => {
    const target = await aTarget();
    const unknown = await copied(target, { date_shift_options: { shift_dates: true } });
    const [issue] = await get(`/courses/${target.id}/content_migrations/${unknown.id}/migration_issues`);
    expect(issue).toMatchObject({ issue_type: 'warning', workflow_state: 'active' });
    expect((await list(target, '/quizzes'))[0].due_at).toBe('2026-01-15T06:59:00Z');
    const { workflow_state } = await copied(target, {
      date_shift_options: { shift_dates: true, remove_dates: true, new_start_date: '2026-09-01' },
    });
    expect(workflow_state).toBe('completed');
    expect((await list(target, '/assignments')).flatMap((one: Told) => [one.due_at, one.lock_at, one.unlock_at])).toEqual(
      Array(9).fill(null),
    );
    expect((await list(target, '/modules'))[0].unlock_at).toBeNull();
    expect((await list(target, '/pages'))[0].todo_date).toBeNull();
  });

  test('waits for a selection, lists the content, and copies what is selected', async () => {
    const target = await aTarget();
    const at = `/courses/${target.id}/content_migrations`;
    const begun = ok(await as(teacher).post(at, { ...copying, settings: { source_course_id: source.course.id }, selective_import: true }));
    expect(begun.workflow_state).toBe('waiting_for_select');
    expect(begun).not.toHaveProperty('progress_url');
    const single = `${at}/${begun.id}`;
    const top = await get(`${single}/selective_data`);
    expect(top.map(({ type, count }: Told) => [type, count])).toEqual([
      ['course_settings', undefined],
      ['syllabus_body', undefined],
      ['context_modules', 1],
      ['assignments', 3],
      ['quizzes', 1],
      ['discussion_topics', 1],
      ['wiki_pages', 1],
      ['announcements', 1],
      ['calendar_events', 1],
    ]);
    expect(top[3]).toMatchObject({
      property: 'copy[all_assignments]',
      sub_items_url: `https://carrel.test/api/v1${single}/selective_data?type=assignments`,
    });
    const [group, ...loose] = await get(`${single}/selective_data?type=assignments`);
    expect(loose).toEqual([]);
    expect(group).toMatchObject({ type: 'assignment_groups', migration_id: md5(`assignment_group_${source.course.assignment_group_id}`) });
    const nodes = Object.fromEntries(group.sub_items.map((node: Told) => [node.title, node]));
    expect(nodes.Lab).toEqual({
      type: 'assignments',
      title: 'Lab',
      property: `copy[assignments][id_${md5(`assignment_${made.lab.id}`)}]`,
      migration_id: md5(`assignment_${made.lab.id}`),
    });
    expect(nodes.Test.linked_resource).toMatchObject({ type: 'quizzes', migration_id: md5(`quiz_${made.quiz.id}`) });
    ok(await as(teacher).get(`${single}/selective_data?type=nonsense`), 400);
    // Another teacher of the target may not read the source.
    const colleague = await ground.person();
    await ground.enroll(target, colleague, 'teacher');
    ok(await as(colleague).get(`${single}/selective_data`), 404);
    ok(await as(colleague).put(single, { copy: { everything: 1 } }), 404);
    expect((await get(single, colleague)).settings).toMatchObject({ source_course_name: null });
    // Nothing is selected yet, so it keeps waiting.
    expect(ok(await as(teacher).put(single, {})).workflow_state).toBe('waiting_for_select');
    const started = ok(
      within(await as(teacher).put(single, { copy: { assignments: { [`id_${nodes.Lab.migration_id}`]: '1' }, all_announcements: 1 } }), 3),
    );
    expect(started.progress_url).toBeTruthy();
    expect((await ended(single)).workflow_state).toBe('completed');
    expect((await list(target, '/assignments')).map(({ name }: Told) => name)).toEqual(['Lab']);
    expect(await list(target, '/discussion_topics', '&only_announcements=true')).toHaveLength(1);
    expect(await list(target, '/pages')).toEqual([]);
    ok(await as(teacher).put(single, { copy: { everything: 1 } }), 400);
    expect(ok(await as(teacher).put(single, { settings: { overwrite_quizzes: false } })).workflow_state).toBe('completed');
  });

  test('of items by id puts them into a module and a group', async () => {
    const target = await aTarget();
    const module = ok(await as(teacher).post(`/courses/${target.id}/modules`, { module: { name: 'Inbox' } }));
    for (const title of ['First', 'Second'])
      ok(await as(teacher).post(`/courses/${target.id}/modules/${module.id}/items`, { module_item: { type: 'SubHeader', title } }));
    const group = ok(await as(teacher).post(`/courses/${target.id}/assignment_groups`, { name: 'Imported' }));
    const it = await copied(target, {
      select: { assignments: [made.lab.id], quizzes: [`quiz_${made.quiz.id}`], pages: [made.page.page_id], announcements: [made.news.id] },
      settings: {
        source_course_id: source.course.id,
        insert_into_module_id: module.id,
        insert_into_module_position: 2,
        move_to_assignment_group_id: group.id,
      },
    });
    expect(it).toMatchObject({ workflow_state: 'completed', migration_issues_count: 0 });
    const items = await get(`/courses/${target.id}/modules/${module.id}/items`);
    expect(items.map(({ type, title, position }: Told) => [type, title, position])).toEqual([
      ['SubHeader', 'First', 1],
      ['Assignment', 'Lab', 2],
      ['Page', 'Week 1', 3],
      ['Quiz', 'Test', 4],
      ['SubHeader', 'Second', 5],
    ]);
    expect((await list(target, '/assignments')).map((one: Told) => one.assignment_group_id)).toEqual([group.id, group.id]);
    // What the module contains already is not inserted again, and other types are left out.
    await copied(target, {
      settings: { source_course_id: source.course.id, insert_into_module_id: module.id, insert_into_module_type: 'assignment' },
    });
    const more = await get(`/courses/${target.id}/modules/${module.id}/items?per_page=50`);
    expect(more.map(({ title }: Told) => title)).toEqual([...items.map(({ title }: Told) => title), 'Essay']);
  });

  test('skips settings, or what opens the course to others', async () => {
    ok(await as(teacher).put(`/courses/${source.course.id}`, { course: { default_view: 'syllabus', is_public: true } }));
    const [one, two] = [await aTarget(), await aTarget()];
    await copied(one, { settings: { source_course_id: source.course.id, importer_skips: ['all_course_settings'] } });
    expect(await get(`/courses/${one.id}`)).toMatchObject({ default_view: 'modules', is_public: false });
    await copied(two, { settings: { source_course_id: source.course.id, importer_skips: ['visibility_settings'] } });
    expect(await get(`/courses/${two.id}`)).toMatchObject({ default_view: 'syllabus', is_public: false });
  });

  test('is refused without a source that the caller may read', async () => {
    const target = await aTarget();
    const at = `/courses/${target.id}/content_migrations`;
    const post = (given: object, person = teacher) => as(person).post(at, given);
    ok(await post({}), 400);
    ok(await post({ migration_type: 'zip' }), 400);
    ok(await post({ migration_type: 'common_cartridge_importer' }), 400);
    ok(await post(copying), 400);
    ok(await post({ ...copying, settings: { source_course_id: target.id } }), 400);
    ok(await post({ ...copying, settings: { source_course_id: 999_999 } }), 404);
    const other = await aCourse(ground);
    ok(await post({ ...copying, settings: { source_course_id: other.course.id } }), 404);
    await ground.enroll(other.course, teacher, 'student');
    ok(await post({ ...copying, settings: { source_course_id: other.course.id } }), 401);
    ok(await as(source.student).post(`/courses/${source.course.id}/content_migrations`, copying), 401);
    ok(await as(source.student).get(`/courses/${source.course.id}/content_migrations`), 401);
    const settings = { source_course_id: source.course.id };
    for (const wrong of [
      { settings: { ...settings, insert_into_module_id: made.module.id } },
      { settings: { ...settings, move_to_assignment_group_id: source.course.assignment_group_id } },
      { settings: { ...settings, insert_into_module_type: 'nonsense' } },
      { settings, date_shift_options: { time_zone: 'Nowhere' } },
      { settings: 'all' },
    ])
      ok(await post({ ...copying, ...wrong }), 400);
    const started = ok(await post({ ...copying, settings, do_not_run: true }));
    expect(started.workflow_state).toBe('pre_processing');
    ok(await as(teacher).get(`/courses/${source.course.id}/content_migrations/${started.id}`), 404);
    ok(await as(teacher).get(`${at}/${started.id}/migration_issues/1`), 404);
    expect((await ended(`${at}/${ok(await as(teacher).put(`${at}/${started.id}`, {})).id}`)).workflow_state).toBe('completed');
  });
});

test('the types depend on the context, and a course lists what it has', async () => {
  const types = async (place: string, person = teacher) =>
    (await get(`${place}/content_migrations/migrators`, person)).map(({ type }: Told) => type);
  expect(await types(`/courses/${source.course.id}`)).toEqual([
    'course_copy_importer',
    'canvas_cartridge_importer',
    'zip_file_importer',
    'common_cartridge_importer',
    'qti_converter',
  ]);
  expect(await types('/users/self')).toEqual(['zip_file_importer']);
  expect(await types('/accounts/1', await ground.admin())).toEqual([]);
  ok(await as(await ground.admin()).post('/accounts/1/content_migrations', copying), 400);
  ok(await as(teacher).get(`/users/${source.student.id}/content_migrations`), 401);
  const tree = await get(`/courses/${source.course.id}/content_list`);
  expect(tree.find(({ type }: Told) => type === 'wiki_pages')).toMatchObject({ property: 'select[all_wiki_pages]', count: 1 });
  const [page] = await get(`/courses/${source.course.id}/content_list?type=wiki_pages`);
  expect(page).toEqual({
    type: 'wiki_pages',
    title: 'Week 1',
    property: `select[wiki_pages][wiki_page_${made.page.page_id}]`,
    id: `wiki_page_${made.page.page_id}`,
  });
  ok(await as(source.student).get(`/courses/${source.course.id}/content_list`), 401);
});

describe('an archive', () => {
  const unzipping = { migration_type: 'zip_file_importer' };

  async function folderIn(target: BuiltCourse, name = 'Inbox'): Promise<Told> {
    return ok(await as(teacher).post(`/courses/${target.id}/folders`, { name, parent_folder_path: 'course files' }));
  }

  /** Announces an archive and sends it. */
  async function sent(place: string, folder_id: number, bytes: Uint8Array, person = teacher): Promise<string> {
    const at = `${place}/content_migrations`;
    const begun = ok(
      within(
        await as(person).post(at, { ...unzipping, settings: { folder_id }, pre_attachment: { name: 'package.zip', size: bytes.length } }),
        3,
      ),
    );
    expect(begun).toMatchObject({ workflow_state: 'pre_processing', pre_attachment: { file_param: 'file' } });
    expect(begun).not.toHaveProperty('attachment');
    const result = await sendContent(begun.pre_attachment, bytes as never);
    expect(result.status).toBe(201);
    return `${at}/${begun.id}`;
  }

  const namesIn = async (target: BuiltCourse) => {
    const [folders, files] = await Promise.all([list(target, '/folders'), list(target, '/files')]);
    const nameOf = new Map(folders.map(({ id, full_name }: Told) => [id, full_name]));
    return files.map((file: Told) => `${nameOf.get(file.folder_id)}/${file.display_name}`).sort();
  };

  test('is unpacked into its folder, over files with the same names', async () => {
    const target = await aTarget();
    const folder = await folderIn(target);
    const address = await sent(
      `/courses/${target.id}`,
      folder.id,
      zipped({ 'a.txt': 'first', 'Week 1/b.txt': 'second', 'Week 1/empty.txt': '', '__MACOSX/._a.txt': 'x', '.DS_Store': 'x' }),
    );
    const it = await ended(address);
    expect(it).toMatchObject({
      workflow_state: 'completed',
      migration_type_title: 'File Import',
      attachment: { display_name: 'package.zip' },
    });
    expect(it).not.toHaveProperty('settings');
    expect(await namesIn(target)).toEqual([
      'course files/Inbox/Week 1/b.txt',
      'course files/Inbox/Week 1/empty.txt',
      'course files/Inbox/a.txt',
    ]);
    const [file] = (await list(target, '/files')).filter(({ display_name }: Told) => display_name === 'a.txt');
    expect((await as(teacher).get(file.url)).body).toBe('first');
    await ended(await sent(`/courses/${target.id}`, folder.id, zipped({ 'a.txt': 'again' })));
    const after = (await list(target, '/files')).filter(({ display_name }: Told) => display_name === 'a.txt');
    expect(after).toHaveLength(1);
    expect((await as(teacher).get(after[0].url)).body).toBe('again');
    // Storage counts the files, and the package does not appear among the files of the course.
    expect(await namesIn(target)).toHaveLength(3);
  });

  test('goes into the own files of a user, and into a module', async () => {
    const root = ok(await as(source.student).get('/users/self/folders/root'));
    const address = await sent('/users/self', root.id, zipped({ 'mine.txt': 'mine' }), source.student);
    expect((await ended(address, source.student)).workflow_state).toBe('completed');
    expect((await get('/users/self/files', source.student)).map(({ display_name }: Told) => display_name)).toEqual(['mine.txt']);
    ok(await as(teacher).get(address.replace('self', String(source.student.id))), 401);
    ok(
      await as(source.student).post('/users/self/content_migrations', { ...copying, settings: { source_course_id: source.course.id } }),
      400,
    );
  });

  test.each([
    ['one whose entry leads out of the folder', { '../out.txt': 'x' }, /leads out/],
    ['one with an absolute path', { '/etc/passwd': 'x' }, /absolute/],
  ])('%s is refused with its reason', async (_, content, reason) => {
    const target = await aTarget();
    const folder = await folderIn(target);
    const address = await sent(`/courses/${target.id}`, folder.id, zipped({ 'good.txt': 'x', ...content } as never).slice());
    const it = await ended(address);
    expect(it).toMatchObject({ workflow_state: 'failed', migration_issues_count: 1 });
    const [issue] = await get(`${address}/migration_issues`);
    expect(issue).toMatchObject({ issue_type: 'error', workflow_state: 'active' });
    expect(issue.description).toMatch(reason);
    expect(await namesIn(target)).toEqual([]);
  });

  test('that is broken, encrypted or a bomb leaves nothing behind', async () => {
    const target = await aTarget();
    const folder = await folderIn(target);
    const fails = async (bytes: Uint8Array, reason: RegExp) => {
      const address = await sent(`/courses/${target.id}`, folder.id, bytes);
      expect((await ended(address)).workflow_state).toBe('failed');
      const [issue] = await get(`${address}/migration_issues`);
      expect(issue.description).toMatch(reason);
      expect(await namesIn(target)).toEqual([]);
      const progress = await get((await get(address)).progress_url.replace('https://carrel.test/api/v1', ''));
      expect(progress).toMatchObject({ workflow_state: 'failed' });
      return { address, issue };
    };
    const good = zipped({ 'a.txt': 'some text that is stored first', 'b/c.txt': 'some text that is stored second' });
    // The directory is right, but the second entry's bytes are not.
    const broken = good.slice();
    const name = new TextEncoder().encode('b/c.txt');
    const at = broken.findIndex((_, from) => name.every((byte, n) => broken[from + n] === byte)) + name.length;
    broken[at + 2] = (broken[at + 2] ?? 0) ^ 0xff;
    await fails(broken, /unpacked|does not match/);
    const encrypted = good.slice();
    const view = new DataView(encrypted.buffer);
    for (let from = 0; from + 46 < encrypted.length; from += 1)
      if (view.getUint32(from, true) === 0x02014b50) view.setUint16(from + 8, view.getUint16(from + 8, true) | 1, true);
    await fails(encrypted, /encrypted/);
    await fails(new TextEncoder().encode('no archive'), /not a zip archive/);
    const bomb = await fails(zipped({ 'bomb.txt': 'x'.repeat(3_000_000) }), /too large/);
    const { address, issue } = bomb;
    expect(ok(await as(teacher).put(`${address}/migration_issues/${issue.id}`, { workflow_state: 'resolved' })).workflow_state).toBe(
      'resolved',
    );
    expect(ok(await as(teacher).get(`${address}/migration_issues/${issue.id}`)).workflow_state).toBe('resolved');
    ok(await as(teacher).put(`${address}/migration_issues/${issue.id}`, { workflow_state: 'gone' }), 403);
    // Another upload repairs it.
    const again = ok(await as(teacher).put(address, { pre_attachment: { name: 'good.zip', size: good.length } }));
    expect(again.workflow_state).toBe('pre_processing');
    expect((await sendContent(again.pre_attachment, good as never)).status).toBe(201);
    expect((await ended(address)).workflow_state).toBe('completed');
    expect(await namesIn(target)).toEqual(['course files/Inbox/a.txt', 'course files/Inbox/b/c.txt']);
  });

  test('is refused without a folder or a file, over the quota, and from a private address', async () => {
    const target = await aTarget({ storage_quota_mb: 1 });
    const folder = await folderIn(target);
    const at = `/courses/${target.id}/content_migrations`;
    const post = (given: object) => as(teacher).post(at, { ...unzipping, ...given });
    ok(await post({ settings: { folder_id: folder.id } }), 400);
    ok(await post({ pre_attachment: { name: 'a.zip' } }), 400);
    const elsewhere = await folderIn(source.course, 'Elsewhere');
    ok(await post({ settings: { folder_id: elsewhere.id }, pre_attachment: { name: 'a.zip' } }), 400);
    for (const file_url of ['http://127.0.0.1/a.zip', 'file:///a.zip', 'nonsense'])
      ok(await post({ settings: { folder_id: folder.id, file_url } }), 400);
    const large = ok(await post({ settings: { folder_id: folder.id }, pre_attachment: { name: 'a.zip', size: 2_000_000 } }));
    expect(large).toMatchObject({ workflow_state: 'failed', pre_attachment: { message: 'file size exceeds quota' } });
    const inward = ok(await post({ settings: { folder_id: folder.id, file_url: 'https://localtest.me/a.zip' } }));
    const failed = await ended(`${at}/${inward.id}`);
    expect(failed.workflow_state).toBe('failed');
    expect((await get(`${at}/${inward.id}/migration_issues`))[0].description).toBe('the URL is not public');
    // What is fetched is kept as the package, even when it is no archive.
    const fetched = ok(await post({ settings: { folder_id: folder.id, file_url: 'https://files.carrel.org/moved' } }));
    const notes = await ended(`${at}/${fetched.id}`);
    expect(notes).toMatchObject({ workflow_state: 'failed', attachment: { display_name: 'moved', size: 17 } });
  });

  test('interrupted after every step, with every message delivered twice, is unpacked once', async () => {
    const target = await aTarget();
    const folder = await folderIn(target);
    const names = Array.from({ length: 25 }, (_, n) => `f${n % 3}/${n}.txt`);
    const address = await sent(`/courses/${target.id}`, folder.id, zipped(Object.fromEntries(names.map((name) => [name, name]))));
    const { id } = await get(address);
    await deliverStepsTwice(id, unzipStep);
    expect((await ended(address)).workflow_state).toBe('completed');
    expect(await namesIn(target)).toEqual(names.map((name) => `course files/Inbox/${name}`).sort());
  });

  test('whose upload does not arrive is given up, and old packages are deleted', async () => {
    const target = await aTarget();
    const folder = await folderIn(target);
    const at = `/courses/${target.id}/content_migrations`;
    const begun = ok(await as(teacher).post(at, { ...unzipping, settings: { folder_id: folder.id }, pre_attachment: { name: 'a.zip' } }));
    const old = { updated_at: '2026-01-01T00:00:00Z', created_at: '2026-01-01T00:00:00Z' };
    await ground.db.update(content_migrations).set(old).where(eq(content_migrations.id, begun.id));
    expect((await get(`${at}/${begun.id}`)).workflow_state).toBe('failed');
    const db = open(platform.DB, newMeter(), 'first-primary');
    await expireMigrations(db, new Date().toISOString().replace(/\.\d+/, ''));
    expect(await get(`${at}/${begun.id}`)).toMatchObject({ workflow_state: 'failed', migration_issues_count: 1 });
    const [row] = await ground.db.select().from(content_migrations).where(eq(content_migrations.id, begun.id));
    expect(row).toMatchObject({ workflow_state: 'pre_process_error', attachment_id: null });
  });
});

test('groups and users list their migrations with their types and issues', async () => {
  const category = ok(await as(teacher).post(`/courses/${source.course.id}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${category.id}/groups`, { name: 'Team' })).id;
  const here: readonly (readonly [string, Person])[] = [
    [`/groups/${group}`, teacher],
    [`/users/${teacher.id}`, teacher],
  ];
  for (const [place, person] of here) {
    const root = ok(await as(person).get(`${place}/folders/root`));
    const all = `${place}/content_migrations`;
    expect((await get(`${all}/migrators`, person)).map(({ type }: Told) => type)).toEqual(['zip_file_importer']);
    const { id } = ok(
      await as(person).post(all, {
        migration_type: 'zip_file_importer',
        do_not_run: true,
        settings: { folder_id: root.id },
        pre_attachment: { name: 'a.zip', size: 100 },
      }),
    );
    expect(await get(all, person)).toMatchObject([{ id, workflow_state: 'pre_processing' }]);
    expect(await get(`${all}/${id}/migration_issues`, person)).toEqual([]);
    ok(await as(source.stranger).get(all), 401);
  }
});

test('one migration runs at a time in a course, and one whose message is lost is continued', async () => {
  const target = await aTarget();
  const at = `/courses/${target.id}/content_migrations`;
  const post = () => as(teacher).post(at, { ...copying, settings: { source_course_id: source.course.id }, do_not_run: true });
  const [first, second] = [ok(await post()), ok(await post())];
  await ground.db.update(content_migrations).set({ workflow_state: 'importing' }).where(eq(content_migrations.id, first.id));
  await ground.db.update(content_migrations).set({ workflow_state: 'exporting' }).where(eq(content_migrations.id, second.id));
  await deliver(second.id);
  expect((await get(`${at}/${second.id}`)).workflow_state).toBe('queued');
  const sent: unknown[] = [];
  const WORK = { send: (job: unknown) => Promise.resolve(void sent.push(job)) } as unknown as Platform['WORK'];
  await resume([unfinishedMigrations], { WORK }, open(platform.DB, newMeter(), 'first-primary'), '2999-01-01T00:00:00Z');
  expect(sent).toContainEqual({ job: 'content_migration', ids: [second.id] });
  expect((await ended(`${at}/${first.id}`)).workflow_state).toBe('completed');
  expect((await ended(`${at}/${second.id}`)).workflow_state).toBe('completed');
});

test('a migration that is cancelled by its progress stops', async () => {
  const target = await aTarget();
  const at = `/courses/${target.id}/content_migrations`;
  const begun = ok(await as(teacher).post(at, { ...copying, settings: { source_course_id: source.course.id }, do_not_run: true }));
  ok(await as(teacher).post(`${begun.progress_url.replace('https://carrel.test/api/v1', '')}/cancel`));
  await ground.db.update(content_migrations).set({ workflow_state: 'exporting' }).where(eq(content_migrations.id, begun.id));
  expect((await ended(`${at}/${begun.id}`)).workflow_state).toBe('failed');
  expect(await list(target, '/pages')).toEqual([]);
});
