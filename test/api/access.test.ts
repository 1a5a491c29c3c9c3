// The access matrix: every endpoint, requested by every role. New endpoints are included automatically.

import { env, SELF } from 'cloudflare:test';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { beforeAll, expect, test } from 'vitest';
import {
  type AccessRole,
  accessRoles,
  askAs,
  bodyFor,
  broadQuery,
  concerns,
  forbidden,
  hiddenAddresses,
  isOutside,
  isRead,
  leaks,
  personFor,
  searches,
} from '../support/access';
import { base, ground } from '../support/api';
import { endpoints, fillPath, pathValuesIn, titleOf } from '../support/every_endpoint';
import { forLearners } from '../support/for_learners';
import { aFullScene, type FullScene, hideMore, sceneWords } from '../support/full_scene';
import type { Person } from '../support/ground';

const isOpen = ({ options: { can } }: Endpoint) => can === 'anyone' || (Array.isArray(can) && can.includes('anyone'));
/** The address without its secret, as outsiders would know it. */
const fromOutside = (endpoint: Endpoint, scene: FullScene) => {
  const named = pathValuesIn(endpoint, scene);
  return { ...named, ...('uuid' in named && { uuid: 'guessed' }) };
};
const cut = (text: string) => text.slice(0, 300);

/** One scene for all: refused requests leave it unchanged, and it is rebuilt after the others. */
let scene: FullScene;
beforeAll(async () => {
  scene = await aFullScene();
}, 60_000);

test('no endpoint returns anything to a caller without a token', { timeout: 120_000 }, async () => {
  const broken: string[] = [];
  for (const endpoint of endpoints) {
    const { status, text, legible } = await askAs(
      endpoint.method,
      fillPath(endpoint, fromOutside(endpoint, scene)),
      undefined,
      bodyFor(endpoint, scene, 1),
    );
    const isRight = isOpen(endpoint) ? status < 500 && leaks('nobody', legible, scene).length === 0 : status === 401;
    if (!isRight) broken.push(`${titleOf(endpoint)} → ${status} ${cut(text)}`);
  }
  expect(broken).toEqual([]);
});

test('a browser whose session has ended is anonymous at every endpoint, and meets no error', { timeout: 120_000 }, async () => {
  const ended = await ground.session(scene.student, { expires_at: '2020-01-01T00:00:00Z' });
  const statusOf = async (address: string, headers: Record<string, string>) => {
    const response = await SELF.fetch(`${base}${address}`, { redirect: 'manual', headers });
    await response.arrayBuffer();
    return response.status;
  };
  const broken: string[] = [];
  for (const endpoint of endpoints.filter(isRead)) {
    const address = fillPath(endpoint, fromOutside(endpoint, scene));
    const statuses = [await statusOf(address, {}), await statusOf(address, { Cookie: `carrel_session=${ended}` })];
    if (statuses[0] !== statuses[1]) broken.push(`${titleOf(endpoint)} → ${statuses.join(', ')}`);
  }
  expect(broken).toEqual([]);
});

/** Words in a path that refer to nothing with an owner. */
const common = new Set(['account_id', 'feature', 'role', 'term']);
/** Harmless for any id: the response is the same for all ids, or affects only the caller's own data. */
const harmless = new Set<string>(['DELETE /users/self/favorites/courses/:course_id', 'DELETE /users/self/todo/:asset_string/:purpose']);
/** Every user reads the outcomes of the whole institution (reference 04 §13.1) and the tools of accounts (06 §6.1). Tools return to the same page. */
const isForEveryone = ({ method, path }: Endpoint) =>
  method === 'GET' &&
  (path.startsWith('/global/outcome_groups/') ||
    path === '/accounts/:account_id/external_tools/:external_tool_id' ||
    path.endsWith('/external_content/success/:service'));

/** Without what repeats the request, or identifies the response. */
const withoutRequest = (text: string, address: string): string =>
  text.replaceAll(encodeURIComponent(address), '').replace(/<imsx_messageIdentifier>[^<]*/g, '');

/** Existing objects for which the reference requires 401, and paths into them that do not name them. */
const refusedByName =
  /(^|\/)(activity_stream|appointment_groups|eportfolios|file_contents|files|folders|group_categories|groups|thumbnails)(\/|$)/;

type Outsider = 'stranger' | 'branchAdmin';

/** Sends a request from outside, which must be refused. */
async function refusal(endpoint: Endpoint, role: Outsider, broken: string[]) {
  const at = fillPath(endpoint, fromOutside(endpoint, scene));
  const body = bodyFor(endpoint, scene, 2);
  const there = await askAs(endpoint.method, at, personFor(scene, role), body);
  if (there.status < 300) {
    broken.push(`${role}: ${endpoint.method} ${at} → ${there.status} ${cut(there.text)}`);
    if (!isRead(endpoint)) scene = await aFullScene();
  }
  return { at, body, there };
}

/** Path parameters whose object gets the same refusal as one that never existed. */
function concealed(endpoint: Endpoint, named: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  const isOfCourse = 'course_id' in named || 'section_id' in named;
  if (!isOfCourse && refusedByName.test(endpoint.path)) return [];
  const result = ['course_id', 'section_id', 'new_course_id', ...(isOfCourse ? ['user_id'] : [])];
  return names.filter((name) => !result.includes(name));
}

test('a user outside a course gets nothing of it, nor learns what is in it', { timeout: 120_000 }, async () => {
  const broken: string[] = [];
  for (const endpoint of endpoints) {
    const named = pathValuesIn(endpoint, scene);
    const names = Object.keys(named).filter((name) => !common.has(name));
    if (names.length === 0 || harmless.has(titleOf(endpoint)) || isForEveryone(endpoint)) continue;
    for (const role of ['stranger', 'branchAdmin'] as const) {
      const { at, body, there } = await refusal(endpoint, role, broken);
      for (const name of concealed(endpoint, named, names)) {
        const nowhere = fillPath(endpoint, { ...pathValuesIn(endpoint, scene), [name]: 88_888_888 });
        const missing = await askAs(endpoint.method, nowhere, personFor(scene, role), body);
        if (missing.status !== there.status || withoutRequest(missing.text, nowhere) !== withoutRequest(there.text, at))
          broken.push(`${role}: ${at} → ${there.status} ${cut(there.text)}, but ${nowhere} → ${missing.status} ${cut(missing.text)}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

/** Course objects that can be deleted, by the name of their id in the scene. */
const deletable: Readonly<Record<string, keyof FullScene['ids']>> = {
  assignments: 'assignment',
  assignment_groups: 'assignment_group',
  assignment_overrides: 'override',
  discussion_topics: 'topic',
  discussion_entries: 'entry',
  files: 'file',
  folders: 'folder',
  modules: 'module',
  module_items: 'doneItem',
};

/** The id of the path has no meaning (reference 06 §5). */
const ignoresId = new Set<string>(['POST /courses/:course_id/epub_exports/:id']);

test('in a course, an object of another course or a deleted one gets the same response as one that never existed', {
  timeout: 120_000,
}, async () => {
  const scene = await aFullScene();
  const broken: string[] = [];
  const compare = async (endpoint: Endpoint, course_id: number, role: Person, is: string) => {
    const named = { ...pathValuesIn(endpoint, scene), course_id };
    const ids = Object.entries(named).filter(([name, place]) => name !== 'course_id' && name !== 'user_id' && typeof place === 'number');
    if (ids.length === 0 || ignoresId.has(titleOf(endpoint))) return;
    const body = bodyFor(endpoint, scene, 5);
    const nowhere = fillPath(endpoint, { ...named, ...Object.fromEntries(ids.map(([name]) => [name, 88_888_888])) });
    const at = fillPath(endpoint, named);
    const [there, missing] = [await askAs(endpoint.method, at, role, body), await askAs(endpoint.method, nowhere, role, body)];
    if (there.status !== missing.status || withoutRequest(there.text, at) !== withoutRequest(missing.text, nowhere))
      broken.push(
        `${is}: ${titleOf(endpoint)} → ${there.status} ${cut(there.text)}, but never there → ${missing.status} ${cut(missing.text)}`,
      );
  };
  const ofCourses = endpoints.filter(({ path }) => path.startsWith('/courses/:course_id/'));
  for (const endpoint of ofCourses) await compare(endpoint, scene.elsewhere.course.id, scene.elsewhere.teacher, 'of another course');
  for (const [table, name] of Object.entries(deletable))
    await env.DB.prepare(`update ${table} set workflow_state = 'deleted' where id = ?`).bind(scene.ids[name]).run();
  // The reference requires another error for duplicating a deleted object.
  const ofDeleted = /\/(assignments|assignment_groups|discussion_topics|files|folders|modules)\/:(?!.*\/duplicate$)/;
  for (const endpoint of ofCourses.filter(({ path }) => ofDeleted.test(path)))
    await compare(endpoint, scene.course.id, scene.teacher, 'deleted');
  expect(broken).toEqual([]);
});

/** Responses that grow with each request, or repeat the request. */
const moving = new Set<string>(['GET /users/:user_id/page_views']);
const still = endpoints.filter((one) => isRead(one) && !moving.has(titleOf(one)));

/** A scene in which every list has been requested once, so that first reads no longer change it. */
let settledScene: FullScene | undefined;

/** Where a role may look for hidden content: the list itself, searches for hidden words, and addresses of hidden objects. */
function addressesFor(endpoint: Endpoint, role: AccessRole): string[] {
  const at = fillPath(endpoint, isOutside(role) ? fromOutside(endpoint, scene) : pathValuesIn(endpoint, scene));
  const calendar = role === 'observer' ? scene.student.id : personFor(scene, role)?.id;
  const hidden: readonly string[] = forbidden[role];
  const query = searches(role) ? [sceneWords.unpublished, sceneWords.own, sceneWords.locked].filter((word) => hidden.includes(word)) : [];
  const plain = broadQuery(endpoint, scene, '', calendar);
  // Endpoints that do not search have one query.
  const queries = new Set([plain, ...query.map((word) => broadQuery(endpoint, scene, word, calendar))]);
  return [
    ...[...queries].map((query) => `${at}?${query}`),
    ...hiddenAddresses(endpoint, scene, role).map((address) => `${address}?${plain}`),
  ];
}

test('hidden content is in no response to roles that may not see it', { timeout: 600_000 }, async () => {
  const broken: string[] = [];
  const look = async (role: AccessRole, address: string) => {
    const { status, text, legible } = await askAs('GET', address, personFor(scene, role));
    if (status >= 500) broken.push(`${role}: GET ${address} → ${status}`);
    const isById =
      /^\/api\/.*\/files\/\d+(\?|$)/.test(address) && status === 200 && JSON.parse(text).locked_for_user === true && !isOutside(role);
    for (const word of leaks(role, legible, scene).filter((one) => !(isById && one === sceneWords.locked))) {
      const at = legible.indexOf(word);
      broken.push(`${role}: GET ${address} → ${status} …${legible.slice(Math.max(0, at - 150), at + 60)}…`);
    }
  };
  for (const endpoint of still)
    for (const role of accessRoles.filter((one) => concerns(one, endpoint)))
      for (const address of addressesFor(endpoint, role)) await look(role, address);
  settledScene = scene;
  expect(broken).toEqual([]);
});

test('no header discloses the sort values of a list', { timeout: 60_000 }, async () => {
  const broken: string[] = [];
  const sorted = still.filter(({ options }) => Object.hasOwn(options.params ?? {}, 'sort'));
  for (const endpoint of sorted)
    for (const role of ['student', 'designer', 'ta', 'sectionTa', 'registrar'] as const)
      for (const sort of ['email', 'sis_id', 'integration_id'])
        for (const order of ['asc', 'desc']) {
          const at = `${fillPath(endpoint, pathValuesIn(endpoint, scene))}?per_page=1&sort=${sort}&order=${order}`;
          const { legible } = await askAs('GET', at, personFor(scene, role));
          broken.push(...leaks(role, legible, scene).map((word) => `${role}: GET ${at} → ${word}`));
        }
  expect(sorted.length).toBeGreaterThan(2);
  expect(broken).toEqual([]);
});

test('students cannot do what is for staff', { timeout: 300_000 }, async () => {
  const broken: string[] = [];
  for (const endpoint of endpoints.filter((one) => !isRead(one) && !forLearners.has(titleOf(one)))) {
    for (const role of ['student', 'observer'] as const)
      for (const seed of [3, 4]) {
        const at = fillPath(endpoint, pathValuesIn(endpoint, scene));
        const { status, text } = await askAs(endpoint.method, at, scene[role], bodyFor(endpoint, scene, seed));
        if (status >= 300) continue;
        broken.push(`${role}: ${titleOf(endpoint)} → ${status} ${cut(text).slice(0, 120)}`);
        scene = await aFullScene();
      }
  }
  expect(broken).toEqual([]);
});

/** Without what depends only on the time and on the course's storage use. */
const settled = (text: string) =>
  text
    .replaceAll(
      /"(receipt|updated_at|last_activity_at|last_used_at|cursor|storage_quota_used_mb|quota_used|error_report_id)":("[^"]*"|[\d.e-]+|null)/g,
      '""',
    )
    .replaceAll(/(expires_at|signature)=[^"&]*/g, '')
    .replaceAll(/login\/session\/\w+/g, '');

test('hidden content changes no response: no list, no count, no order', { timeout: 300_000 }, async () => {
  const asked = still.map((endpoint) => ({
    title: titleOf(endpoint),
    at: `${fillPath(endpoint, pathValuesIn(endpoint, scene))}?${broadQuery(endpoint, scene)}`,
  }));
  const sweep = async () => {
    const told = new Map<string, string>();
    for (const { title, at } of asked)
      for (const role of ['student', 'observer', 'stranger'] as const)
        told.set(`${role}: ${title}`, settled((await askAs('GET', at, scene[role])).text));
    return told;
  };
  if (settledScene !== scene) await sweep();
  const before = await sweep();
  await hideMore(scene);
  const after = await sweep();
  const broken = [...after].flatMap(([key, text]) => {
    const was = before.get(key) ?? '';
    if (was === text) return [];
    const from = [...text].findIndex((message, at) => message !== was[at]);
    return [`${key}: …${was.slice(Math.max(0, from - 80), from + 80)}… became …${text.slice(Math.max(0, from - 80), from + 80)}…`];
  });
  expect(broken).toEqual([]);
});
