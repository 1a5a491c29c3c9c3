// Budgets of groups: group categories, groups and members.

import { env } from 'cloudflare:test';
import { beforeAll } from 'vitest';
import { as, ground, ok } from '../support/api';
import { type Budget, few, fillRows, fillTime, holdBudgets, inBulk, lots, type Scene, type Twins, twins } from '../support/budgets';
import type { Person } from '../support/ground';

interface Groups extends Scene {
  readonly admin: Person;
  readonly faculty: number;
  /** A category with many groups, and one whose only group has many members. */
  readonly set: number;
  readonly group: number;
  readonly crowd: number;
  readonly url: string;
  readonly folder: number;
  readonly topic: number;
  readonly entry: number;
  /** A collaboration in the course with many members. */
  collaboration: number;
}

let scenes: Twins<Groups>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";

async function withGroups(scene: Scene, count: number): Promise<Groups> {
  const { course, teacher } = scene;
  const aSet = async (name: string) => ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name })).id as number;
  const [set, crowded] = [await aSet('Aa'), await aSet('Ab')];
  const group = ok(await as(teacher).post(`/group_categories/${crowded}/groups`, { name: 'Crowd' })).id as number;
  ok(await as(teacher).put(`/groups/${group}`, { members: [scene.student.id] }));
  const { url } = ok(await as(scene.student).post(`/groups/${group}/pages`, { wiki_page: { title: 'Written' } }));
  const folder = ok(await as(scene.student).get(`/groups/${group}/folders/root`)).id as number;
  const talk = `/groups/${group}/discussion_topics`;
  const topic = ok(await as(scene.student).post(talk, { title: 'Talk' })).id as number;
  const entry = ok(await as(scene.student).post(`${talk}/${topic}/entries`, { message: 'First' }), 201).id as number;
  return {
    collaboration: 0,
    topic,
    entry,
    url,
    folder,
    ...scene,
    admin: await ground.admin(),
    faculty: (await ground.account()).id,
    set,
    group,
    crowd: 2_000_000 + count * 10,
  };
}

beforeAll(async () => {
  const { small, large } = await twins(ground);
  scenes = { small: await withGroups(small, few), large: await withGroups(large, lots) };
  await inBulk(async () => {
    await fillAll();
    await fillBeside();
  });
  for (const scene of [scenes.small, scenes.large])
    scene.collaboration = (await env.DB.prepare("select min(id) from collaborations where context_type = 'Course' and context_id = ?")
      .bind(scene.course.id)
      .first('min(id)')) as number;
}, fillTime);

const category = 'context_type, context_id, name, created_at, updated_at';
const group = 'context_type, context_id, group_category_id, name, uuid, created_at, updated_at';

async function fillAll(): Promise<void> {
  await fillRows(
    scenes,
    'users',
    'id, name, short_name, sortable_name, uuid, created_at, updated_at',
    ({ crowd }) => `${crowd} + n, printf('Many %05d', n), 'Many', printf('Many %05d', n), 'c${crowd}-' || n, ${stamp}`,
  );
  await fillRows(
    scenes,
    'enrollments',
    'user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at',
    ({ crowd, course }) =>
      `${crowd} + n, ${course.id}, ${course.section_id}, 'StudentEnrollment', 3, 'active', printf('Many %05d', n), ${stamp}`,
  );
  await fillRows(scenes, 'group_categories', category, ({ course }) => `'Course', ${course.id}, printf('S%05d', n), ${stamp}`);
  await fillRows(scenes, 'group_categories', category, ({ faculty }) => `'Account', ${faculty}, printf('S%05d', n), ${stamp}`);
  await fillRows(
    scenes,
    'groups',
    group,
    ({ course, set }) => `'Course', ${course.id}, ${set}, printf('G%05d', n), 'g${set}-' || n, ${stamp}`,
  );
  await fillRows(scenes, 'groups', group, ({ faculty }) => `'Account', ${faculty}, 1, printf('G%05d', n), 'a${faculty}-' || n, ${stamp}`);
  await fillRows(
    scenes,
    'group_memberships',
    'group_id, user_id, workflow_state, created_at, updated_at',
    (scene) => `${scene.group}, ${scene.crowd} + n, 'accepted', ${stamp}`,
  );
  await fillRows(
    scenes,
    'group_memberships',
    'group_id, user_id, workflow_state, created_at, updated_at',
    ({ set, student }) => `((select min(id) from groups where group_category_id = ${set}) + n - 1), ${student.id}, 'accepted', ${stamp}`,
  );
  await fillRows(
    scenes,
    'content_exports',
    'context_type, context_id, user_id, export_type, selection, sees_all, name, file_uuid, created_at, updated_at',
    (scene) => `'Group', ${scene.group}, ${scene.student.id}, 'zip', '{}', 1, 'x.zip', 'x${scene.group}-' || n, ${stamp}`,
  );
  await fillRows(
    scenes,
    'folders',
    'context_type, context_id, parent_folder_id, name, full_name, created_at, updated_at',
    (scene) => `'Group', ${scene.group}, ${scene.folder}, printf('f%05d', n), printf('files/f%05d', n), ${stamp}`,
  );
  await fillRows(
    scenes,
    'files',
    'context_type, context_id, folder_id, uuid, display_name, filename, content_type, size, user_id, workflow_state, created_at, updated_at',
    (scene) =>
      `'Group', ${scene.group}, ${scene.folder}, 'u${scene.group}-' || n, printf('File %05d.txt', n), 'f', 'text/plain', n, ${scene.student.id}, 'available', ${stamp}`,
  );
  await fillRows(
    scenes,
    'pages',
    'context_type, context_id, url, title, editing_roles, workflow_state, created_at, updated_at',
    (scene) => `'Group', ${scene.group}, 'p' || n, printf('Page %05d', n), 'members', 'active', ${stamp}`,
  );
  await fillRows(
    scenes,
    'page_revisions',
    'page_id, revision_id, url, title, body, edited_by_id, updated_at',
    (scene) =>
      `(select id from pages where context_type = 'Group' and context_id = ${scene.group} and url = '${scene.url}'), n + 1, 'x', 'Revised', 'x', ${scene.student.id}, '2026-09-01T08:00:00Z'`,
  );
  await fillRows(
    scenes,
    'discussion_topics',
    'context_type, context_id, title, user_id, position, workflow_state, posted_at, last_reply_at, created_at, updated_at',
    (scene) =>
      `'Group', ${scene.group}, 'T' || n, ${scene.student.id}, n, 'active', '2026-09-01T08:00:00Z', strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+1 day'), ${stamp}`,
  );
  await fillRows(
    scenes,
    'discussion_entries',
    'discussion_topic_id, user_id, message, created_at, updated_at',
    (scene) => `${scene.topic}, ${scene.student.id}, 'E' || n, ${stamp}`,
  );
  await fillRows(
    scenes,
    'discussion_entries',
    'discussion_topic_id, user_id, parent_id, root_entry_id, message, created_at, updated_at',
    (scene) => `${scene.topic}, ${scene.student.id}, ${scene.entry}, ${scene.entry}, 'R' || n, ${stamp}`,
  );
}

/** Lists of a course or group besides its content. */
async function fillBeside(): Promise<void> {
  const places = ['Course', 'Group'] as const;
  for (const place of places) {
    const id = (scene: Groups) => (place === 'Course' ? scene.course.id : scene.group);
    await fillRows(
      scenes,
      'external_feeds',
      'context_type, context_id, user_id, url, verbosity, refresh_at, created_at, updated_at',
      (scene) => `'${place}', ${id(scene)}, ${scene.teacher.id}, 'https://example.edu/' || n, 'full', '2099-01-01T00:00:00Z', ${stamp}`,
    );
    await fillRows(
      scenes,
      'collaborations',
      'context_type, context_id, user_id, collaboration_type, title, created_at, updated_at',
      (scene) => `'${place}', ${id(scene)}, ${scene.teacher.id}, 'external_tool_collaboration', 'C' || n, ${stamp}`,
    );
  }
  await fillRows(
    scenes,
    'collaborators',
    'collaboration_id, user_id',
    (scene) => `(select min(id) from collaborations where context_type = 'Course' and context_id = ${scene.course.id}), ${scene.crowd} + n`,
  );
  await fillRows(
    scenes,
    'bookmarks',
    'user_id, name, url, position, created_at, updated_at',
    ({ student }) => `${student.id}, 'B' || n, '/courses/1', n, ${stamp}`,
  );
}

const asked = (
  by: 'student' | 'teacher' | 'admin',
  path: (scene: Groups) => string,
  query: object = {},
  more: Partial<Budget<Groups>> = {},
): Budget<Groups> => ({
  with: `as ${by} ${JSON.stringify(query)}`,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  query: () => query,
  ...more,
});

/** A category returns whether the caller is in one of its groups, and its assignment progress. */
const aSet = { madeOf: ['set', 'membership'] };
const aGroup = { madeOf: ['group', 'what it stands in', 'its set', 'own membership'] };
const aFeed = { madeOf: ['feed', 'its entries'] };
const aDocument = {
  madeOf: ['collaboration', 'author'],
  items: ({ collaborations }: { collaborations: unknown[] }) => collaborations,
};
const everything = { include: ['tabs', 'group_category', 'permissions', 'favorites', 'can_access', 'can_message'] };

holdBudgets<Groups, 'groups'>(() => scenes, {
  'GET /accounts/:account_id/group_categories': [asked('admin', ({ faculty }) => `/accounts/${faculty}/group_categories`, {}, aSet)],
  'GET /accounts/:account_id/groups': [asked('admin', ({ faculty }) => `/accounts/${faculty}/groups`, {}, aGroup)],
  'GET /courses/:course_id/group_categories': [
    asked('teacher', ({ course }) => `/courses/${course.id}/group_categories`, { collaboration_state: 'all' }, aSet),
  ],
  'GET /courses/:course_id/groups': [
    asked('student', ({ course }) => `/courses/${course.id}/groups`, {}, aGroup),
    asked('teacher', ({ course }) => `/courses/${course.id}/groups`, everything, aGroup),
  ],
  'GET /group_categories/:id/groups': [asked('teacher', ({ set }) => `/group_categories/${set}/groups`, {}, aGroup)],
  'GET /group_categories/:id/users': [
    asked(
      'teacher',
      ({ set }) => `/group_categories/${set}/users`,
      { unassigned: true },
      { madeOf: ['student', 'enrollment', 'login', 'address'] },
    ),
  ],
  'GET /groups/:group_id/activity_stream': [
    asked(
      'student',
      ({ group: at }) => `/groups/${at}/activity_stream`,
      {},
      { madeOf: ['what happened', 'what it is about', 'whether it is read'] },
    ),
  ],
  'GET /groups/:group_id/content_exports': [
    asked('student', ({ group: at }) => `/groups/${at}/content_exports`, {}, { madeOf: ['export', 'way to it', 'job', 'file'] }),
  ],
  'GET /groups/:group_id/discussion_topics': [
    asked('student', ({ group: at }) => `/groups/${at}/discussion_topics`, {}, { madeOf: ['topic', 'author', 'mark', 'entry'] }),
  ],
  'GET /groups/:group_id/discussion_topics/:topic_id/entries': [
    asked(
      'student',
      (scene) => `/groups/${scene.group}/discussion_topics/${scene.topic}/entries`,
      {},
      { madeOf: ['entry', 'author', 'mark', 'replies'] },
    ),
  ],
  'GET /groups/:group_id/discussion_topics/:topic_id/entries/:entry_id/replies': [
    asked(
      'student',
      (scene) => `/groups/${scene.group}/discussion_topics/${scene.topic}/entries/${scene.entry}/replies`,
      {},
      { madeOf: ['entry', 'author', 'mark'] },
    ),
  ],
  'GET /groups/:group_id/files': [asked('student', ({ group: at }) => `/groups/${at}/files`)],
  'GET /groups/:group_id/folders': [asked('student', ({ group: at }) => `/groups/${at}/folders`)],
  'GET /groups/:group_id/pages': [asked('student', ({ group: at }) => `/groups/${at}/pages`)],
  'GET /groups/:group_id/pages/:url/revisions': [asked('student', (scene) => `/groups/${scene.group}/pages/${scene.url}/revisions`)],
  'GET /groups/:group_id/memberships': [asked('student', (scene) => `/groups/${scene.group}/memberships`)],
  'GET /groups/:group_id/users': [
    asked('student', (scene) => `/groups/${scene.group}/users`, {}, { madeOf: ['person', 'login', 'address'] }),
  ],
  'GET /courses/:course_id/external_feeds': [asked('teacher', ({ course }) => `/courses/${course.id}/external_feeds`, {}, aFeed)],
  'GET /groups/:group_id/external_feeds': [asked('student', ({ group: at }) => `/groups/${at}/external_feeds`, {}, aFeed)],
  'GET /courses/:course_id/collaborations': [asked('teacher', ({ course }) => `/courses/${course.id}/collaborations`, {}, aDocument)],
  'GET /groups/:group_id/collaborations': [asked('teacher', ({ group: at }) => `/groups/${at}/collaborations`, {}, aDocument)],
  'GET /collaborations/:collaboration_id/members': [
    asked(
      'teacher',
      ({ collaboration }) => `/collaborations/${collaboration}/members`,
      {},
      { madeOf: ['member', 'person'], items: ({ collaborators }: { collaborators: unknown[] }) => collaborators },
    ),
  ],
  'GET /courses/:course_id/potential_collaborators': [
    asked(
      'student',
      ({ course }) => `/courses/${course.id}/potential_collaborators`,
      {},
      { madeOf: ['person', 'enrollment', 'login', 'address'] },
    ),
  ],
  'GET /groups/:group_id/potential_collaborators': [
    asked('student', ({ group: at }) => `/groups/${at}/potential_collaborators`, {}, { madeOf: ['person', 'login', 'address'] }),
  ],
  'GET /users/:user_id/bookmarks': [asked('student', () => '/users/self/bookmarks')],
  'GET /users/self/groups': [asked('student', () => '/users/self/groups', {}, aGroup)],
});
