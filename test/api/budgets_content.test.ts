// Budgets of course content: pages, modules, files, folders and discussions.

import { beforeAll } from 'vitest';
import { as, ground, ok } from '../support/api';
import { type Budget, fillRows, fillTime, holdBudgets, inBulk, type Scene, type Twins, twins } from '../support/budgets';
import type { BuiltCourse } from '../support/ground';

interface Content extends Scene {
  readonly page_url: string;
  /** In its own course: the other course has empty modules. */
  readonly module: number;
  readonly shelf: BuiltCourse;
  /** Assigned to many individual students, in its own course. */
  readonly closed: { readonly course: number; readonly module: number };
  readonly folder: number;
  readonly own_folder: number;
  readonly topic: number;
  readonly entry: number;
}

let scenes: Twins<Content>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";
const later = (step = 1) => `strftime('%Y-%m-%dT%H:%M:%SZ', 1788000000 + n * ${step}, 'unixepoch')`;

async function withContent(scene: Scene): Promise<Content> {
  const { course, teacher, student } = scene;
  const page = ok(await as(teacher).post(`/courses/${course.id}/pages`, { wiki_page: { title: 'Revised', published: true } }));
  const shelf = await ground.course();
  await ground.enroll(shelf, teacher, 'teacher');
  await ground.enroll(shelf, student, 'student');
  const module = ok(await as(teacher).post(`/courses/${shelf.id}/modules`, { module: { name: 'First' } }));
  ok(await as(teacher).put(`/courses/${shelf.id}/modules/${module.id}`, { module: { published: true } }));
  const vault = await ground.course();
  await ground.enroll(vault, teacher, 'teacher');
  const closed = {
    course: vault.id,
    module: ok(await as(teacher).post(`/courses/${vault.id}/modules`, { module: { name: 'Closed' } })).id,
  };
  const folder = ok(await as(teacher).get(`/courses/${course.id}/folders/root`));
  const own = ok(await as(student).get('/users/self/folders/root'));
  const topic = ok(await as(teacher).post(`/courses/${course.id}/discussion_topics`, { title: 'Talk', published: true }));
  const entry = ok(await as(student).post(`/courses/${course.id}/discussion_topics/${topic.id}/entries`, { message: 'First' }), 201);
  return {
    ...scene,
    page_url: page.url,
    module: module.id,
    shelf,
    closed,
    folder: folder.id,
    own_folder: own.id,
    topic: topic.id,
    entry: entry.id,
  };
}

beforeAll(async () => {
  const { small, large } = await twins(ground);
  scenes = { small: await withContent(small), large: await withContent(large) };
  ok(await as(await ground.admin()).put('/accounts/1/features/flags/smart_search', { state: 'on' }));
  await inBulk(fillAll);
}, fillTime);

async function fillAll(): Promise<void> {
  await fillRows(
    scenes,
    'pages',
    'context_type, context_id, url, title, editing_roles, workflow_state, created_at, updated_at',
    ({ course }) => `'Course', ${course.id}, 'p' || n, printf('Page %05d', n), 'teachers', 'active', ${later()}, ${later(2)}`,
  );
  await fillRows(
    scenes,
    'page_revisions',
    'page_id, revision_id, url, title, body, edited_by_id, updated_at',
    ({ course, teacher, page_url }) =>
      `(select id from pages where context_type = 'Course' and context_id = ${course.id} and url = '${page_url}' and workflow_state <> 'deleted'), n + 1, '${page_url}', 'Revised', 'x', ${teacher.id}, ${later()}`,
  );
  await fillRows(
    scenes,
    'modules',
    'course_id, name, position, workflow_state, created_at, updated_at',
    ({ course }) => `${course.id}, 'Module ' || n, n + 1, 'active', ${stamp}`,
  );
  await fillRows(
    scenes,
    'module_items',
    'course_id, module_id, position, title, type, content_id, published, created_at, updated_at',
    ({ shelf, course, module }) =>
      `${shelf.id}, ${module}, n, 'Page', 'Page', (select id from pages where context_type = 'Course' and context_id = ${course.id} and url = 'p' || n and workflow_state <> 'deleted'), 1, ${stamp}`,
  );
  await fillRows(
    scenes,
    'module_overrides',
    'course_id, module_id, title, student_ids, created_at, updated_at',
    ({ closed, student }) => `${closed.course}, ${closed.module}, 'O' || n, '[${student.id}]', ${stamp}`,
  );
  await fillRows(
    scenes,
    'folders',
    'context_type, context_id, parent_folder_id, name, full_name, created_at, updated_at',
    ({ course, folder }) => `'Course', ${course.id}, ${folder}, printf('f%05d', n), printf('course files/f%05d', n), ${stamp}`,
  );
  await fillRows(
    scenes,
    'folders',
    'context_type, context_id, parent_folder_id, name, full_name, created_at, updated_at',
    ({ student, own_folder }) => `'User', ${student.id}, ${own_folder}, printf('f%05d', n), printf('my files/f%05d', n), ${stamp}`,
  );
  const exports = 'context_type, context_id, user_id, export_type, selection, sees_all, name, file_uuid, created_at, updated_at';
  await fillRows(
    scenes,
    'content_exports',
    exports,
    ({ course, teacher }) => `'Course', ${course.id}, ${teacher.id}, 'qti', '{}', 1, 'x.zip', 'xq${course.id}-' || n, ${stamp}`,
  );
  for (const [type, id] of [
    ['Course', ({ course }: Content) => course.id],
    ['User', ({ student }: Content) => student.id],
  ] as const)
    await fillRows(
      scenes,
      'content_exports',
      exports,
      (scene) => `'${type}', ${id(scene)}, ${scene.student.id}, 'zip', '{}', 0, 'x.zip', 'x${type}${id(scene)}-' || n, ${stamp}`,
    );
  const files =
    'context_type, context_id, folder_id, uuid, display_name, filename, content_type, size, user_id, workflow_state, created_at, updated_at';
  const file = (who: number) =>
    `printf('File %05d.txt', n), 'f', printf('text/x-%05d', n), n, ${who}, 'available', ${later()}, ${later(2)}`;
  await fillRows(
    scenes,
    'files',
    files,
    ({ course, folder, teacher }) => `'Course', ${course.id}, ${folder}, 'c${course.id}-' || n, ${file(teacher.id)}`,
  );
  await fillRows(
    scenes,
    'files',
    files,
    ({ student, own_folder }) => `'User', ${student.id}, ${own_folder}, 'u${student.id}-' || n, ${file(student.id)}`,
  );
  const topics =
    'context_type, context_id, title, message, user_id, is_announcement, position, workflow_state, posted_at, last_reply_at, created_at, updated_at';
  for (const isAnnouncement of [0, 1])
    await fillRows(
      scenes,
      'discussion_topics',
      topics,
      ({ course, teacher }) =>
        `'Course', ${course.id}, printf('Topic %05d', n), 'x', ${teacher.id}, ${isAnnouncement}, n, 'active', ${later()}, ${later(2)}, ${stamp}`,
    );
  const entries = 'discussion_topic_id, user_id, parent_id, root_entry_id, message, created_at, updated_at';
  await fillRows(scenes, 'discussion_entries', entries, ({ topic, student2 }) => `${topic}, ${student2.id}, null, null, 'x', ${stamp}`);
  await fillRows(
    scenes,
    'discussion_entries',
    entries,
    ({ topic, entry, student2 }) => `${topic}, ${student2.id}, ${entry}, ${entry}, 'x', ${stamp}`,
  );
}

const people = ['student', 'teacher'] as const;
type Path = (scene: Content) => string;

/** Each query as a student and as a teacher. */
const both = (path: Path, queries: readonly object[], more: Partial<Budget<Content>> = {}): Budget<Content>[] =>
  queries.flatMap((query) => people.map((by) => only(by, path, query, more)));
const only = (by: (typeof people)[number], path: Path, query: object = {}, more: Partial<Budget<Content>> = {}): Budget<Content> => ({
  with: `as a ${by} ${JSON.stringify(query)}`,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  query: () => query,
  ...more,
});
const here =
  (rest: Path): Path =>
  (scene) =>
    `/courses/${scene.course.id}${rest(scene)}`;

const locked = { madeOf: ['page', 'module item', 'module', 'progression'] };
const progressed = { madeOf: ['module', 'override', 'item', 'progression'] };
const withLocks = { madeOf: ['file', 'module item'] };
const withPerson = { madeOf: ['file', 'person', 'module item'] };
const exportParts = ['export', 'one way to it', 'job', 'file'];
const counted = { madeOf: ['folder', 'folder above', 'file that is not seen'] };

const pageSorts = [{}, { sort: 'title' }, { sort: 'created_at', order: 'desc' }, { sort: 'updated_at' }];
const fileSorts = [{}, { sort: 'size', order: 'desc' }, { sort: 'created_at' }, { sort: 'updated_at' }, { sort: 'content_type' }];
const topicOrders = [{}, { order_by: 'recent_activity' }, { order_by: 'title' }, { only_announcements: true }];
const pages = here(() => '/pages');
const files = here(() => '/files');
const item = ({ shelf, module }: Content) => `/courses/${shelf.id}/modules/${module}/items`;

holdBudgets<Content, 'content'>(() => scenes, {
  'GET /announcements': people.map((by) => ({
    with: `as a ${by}`,
    asks: (scene) => ({ by: scene[by], path: '/announcements' }),
    query: ({ course }) => ({ context_codes: [`course_${course.id}`], start_date: '2026-08-01', end_date: '2027-12-01' }),
  })),
  'GET /courses/:course_id/content_exports': both(
    here(() => '/content_exports'),
    [{}],
    { madeOf: exportParts },
  ),
  'GET /courses/:course_id/discussion_topics': both(
    here(() => '/discussion_topics'),
    topicOrders,
  ),
  'GET /courses/:course_id/discussion_topics/:topic_id/entries': both(
    here(({ topic }) => `/discussion_topics/${topic}/entries`),
    [{}],
    { madeOf: ['entry', 'writer', 'mark of the reader'] },
  ),
  'GET /courses/:course_id/discussion_topics/:topic_id/entries/:entry_id/replies': both(
    here(({ topic, entry }) => `/discussion_topics/${topic}/entries/${entry}/replies`),
    [{}],
  ),
  'GET /courses/:course_id/files': [
    ...fileSorts.flatMap((query) => [only('student', files, query, withLocks), only('teacher', files, query)]),
    ...both(files, [{ include: ['user'] }], withPerson),
  ],
  'GET /courses/:course_id/folders': [
    only(
      'student',
      here(() => '/folders'),
      {},
      counted,
    ),
    only(
      'teacher',
      here(() => '/folders'),
    ),
  ],
  'GET /courses/:course_id/modules': [
    only(
      'student',
      here(() => '/modules'),
      {},
      progressed,
    ),
    only(
      'teacher',
      here(() => '/modules'),
    ),
  ],
  'GET /courses/:course_id/modules/:context_module_id/assignment_overrides': [
    only(
      'teacher',
      ({ closed }) => `/courses/${closed.course}/modules/${closed.module}/assignment_overrides`,
      {},
      {
        madeOf: ['override', 'student', 'section'],
      },
    ),
  ],
  'GET /courses/:course_id/modules/:module_id/items': both(item, [{}, { include: ['content_details'] }]),
  'GET /courses/:course_id/pages': pageSorts.flatMap((query) => [only('student', pages, query, locked), only('teacher', pages, query)]),
  'GET /courses/:course_id/pages/:url/revisions': [
    only(
      'teacher',
      here(({ page_url }) => `/pages/${page_url}/revisions`),
    ),
  ],
  'GET /courses/:course_id/smartsearch': both(
    here(() => '/smartsearch'),
    [{ q: 'page' }, { q: 'topic' }],
    { beside: [1600, 'the 200 newest texts that hold the words are weighed, with the modules and dates that shut them'] },
  ),
  'GET /folders/:id/all': both(({ folder }) => `/folders/${folder}/all`, [{}], {
    madeOf: ['folder', 'file', 'folder above', 'file that is not seen'],
  }),
  'GET /folders/:id/files': [
    only('student', ({ folder }) => `/folders/${folder}/files`, {}, withLocks),
    only('teacher', ({ folder }) => `/folders/${folder}/files`),
  ],
  'GET /folders/:id/folders': [
    only('student', ({ folder }) => `/folders/${folder}/folders`, {}, counted),
    only('teacher', ({ folder }) => `/folders/${folder}/folders`),
  ],
  'GET /users/:user_id/content_exports': [only('student', () => '/users/self/content_exports', {}, { madeOf: exportParts })],
  'GET /users/:user_id/files': [only('student', () => '/users/self/files')],
  'GET /users/:user_id/folders': [only('student', () => '/users/self/folders')],
});
