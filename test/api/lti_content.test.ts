// Content that is chosen in external tools: files, tools of accounts, and tools of LTI 1.1.

import { env } from 'cloudflare:test';
import { oauthSignature, type Pair } from '@carrel/worker/crypto/oauth1';
import { exportContent } from '@carrel/worker/domains/content_exports/job';
import { migrateContent } from '@carrel/worker/domains/content_migrations/job';
import { copyCourse } from '@carrel/worker/domains/course_copy/job';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, base, ground, ok, within } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import {
  browse,
  chooseContent,
  contentAsked,
  type InstalledTool,
  installTool,
  launchClaimsOf,
  ltiClaim,
  openTool,
  pageForm,
  postForm,
  serviceOf,
  toolScopes,
  unescapedText,
} from '../support/lti_tool';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
let root: Person;
let at = '';
let tool: InstalledTool;
let branch: { id: number };

beforeAll(async () => {
  branch = await ground.account({ name: 'Faculty of content' });
  scene = await aCourse(ground, { account_id: branch.id, name: 'Content' });
  root = await ground.admin();
  at = `/courses/${scene.course.id}`;
  tool = await installTool(root, 'content.example', `/accounts/${branch.id}`);
});

const notes = { type: 'file', url: 'https://files.carrel.org/notes.txt', title: 'Notes', mediaType: 'text/plain' };

/** Repeats until a job has done its work. */
async function eventually<T>(read: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  for (let turn = 0; turn < 100; turn += 1) {
    const found = await read();
    if (isDone(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return read();
}

const work = async (submission_types: string[], more: object = {}): Promise<{ id: number }> =>
  ok(
    await as(scene.teacher).post(`${at}/assignments`, {
      assignment: { name: 'Hand in', published: true, points_possible: 5, submission_types, ...more },
    }),
    201,
  );
const submissionOf = async (assignment: { id: number }, who: Person = scene.student) =>
  ok(await as(who).get(`${at}/assignments/${assignment.id}/submissions/self`));

test('a tool of an account returns content to the courses below', async () => {
  const { teacher } = scene;
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Below' } }));
  const query = { launch_type: 'link_selection', context_module_id: module.id };
  const asked = await contentAsked(teacher, at, tool, query);
  const item = { type: 'ltiResourceLink', url: 'https://content.example/unit/1', title: 'Unit' };
  expect((await chooseContent(tool, asked, [item])).html).toContain('1 item was added');
  expect(ok(await as(teacher).get(`${at}/modules/${module.id}/items`))).toMatchObject([
    { type: 'ExternalTool', content_id: tool.id, external_url: 'https://content.example/unit/1' },
  ]);
  // The tool of another branch is not known here.
  const other = await ground.account({ name: 'Another faculty' });
  const stranger = await installTool(root, 'stranger.example', `/accounts/${other.id}`);
  ok(await as(teacher).get(`${at}/external_tools/sessionless_launch`, { id: stranger.id, ...query }), 404);
  // Nor does it answer for another tool.
  const again = await contentAsked(teacher, at, tool, query);
  expect((await chooseContent({ ...stranger, deployment_id: tool.deployment_id }, again, [item])).status).toBe(400);
});

test('files that are chosen for a text become files of the course', async () => {
  const { teacher } = scene;
  const { html, status } = await chooseContent(tool, await contentAsked(teacher, at, tool, { launch_type: 'editor_button' }), [
    notes,
    { type: 'link', url: 'https://web.example/' },
  ]);
  expect(status).toBe(200);
  const [, id] = /href="\/courses\/\d+\/files\/(\d+)\?wrap=1">Notes</.exec(unescapedText(html)) ?? [];
  const file = await eventually(
    async () => (await as(teacher).get(`${at}/files/${id}`)).body,
    ({ size }) => size > 0,
  );
  expect(file).toMatchObject({ display_name: 'Notes.txt', size: 'fetched from afar'.length, 'content-type': 'text/plain' });
  const before = ok(await as(teacher).get(`${at}/files`)).length;
  for (const url of ['https://169.254.169.254/latest', 'https://localhost/x']) {
    const refused = await chooseContent(tool, await contentAsked(teacher, at, tool, { launch_type: 'editor_button' }), [{ ...notes, url }]);
    expect(refused.status, url).toBe(400);
  }
  const many = Array.from({ length: 21 }, () => notes);
  expect((await chooseContent(tool, await contentAsked(teacher, at, tool, { launch_type: 'editor_button' }), many)).html).toContain(
    '20 files',
  );
  // Without the right to add files, a user may still choose other content.
  const role = ok(await as(root).get('/accounts/1/roles')).find(({ label }: { label: string }) => label === 'Teacher');
  const may = (enabled: boolean) =>
    as(root).put(`/accounts/${branch.id}/roles/${role.id}`, {
      permissions: { manage_files_add: { explicit: true, enabled, applies_to_self: true } },
    });
  ok(await may(false));
  expect((await chooseContent(tool, await contentAsked(teacher, at, tool, { launch_type: 'editor_button' }), [notes])).status).toBe(400);
  ok(await may(true));
  expect(ok(await as(teacher).get(`${at}/files`)).length).toBe(before);
});

test('a file that is chosen as homework is fetched and submitted', async () => {
  const { student } = scene;
  const home = await work(['online_upload'], { allowed_extensions: ['txt'], allowed_attempts: 1 });
  const query = { launch_type: 'homework_submission', assignment_id: home.id };
  const asked = await contentAsked(student, at, tool, query);
  expect(asked.accept_types).toContain('file');
  expect((await chooseContent(tool, asked, [{ ...notes, title: 'Essay.exe' }])).status).toBe(400);
  expect((await chooseContent(tool, asked, [notes])).html).toContain('Hand in');
  const handed = await eventually(
    () => submissionOf(home),
    ({ attempt }) => attempt !== null,
  );
  expect(handed).toMatchObject({
    submission_type: 'online_upload',
    attempt: 1,
    attachments: [{ display_name: 'Notes.txt', size: 'fetched from afar'.length }],
  });
  // Once, and not beyond the attempts of the assignment.
  expect((await chooseContent(tool, asked, [notes])).status).toBe(400);
  expect((await chooseContent(tool, await contentAsked(student, at, tool, query), [notes])).status).toBe(400);
  const text = await work(['online_text_entry']);
  const forText = await contentAsked(student, at, tool, { ...query, assignment_id: text.id });
  expect((await chooseContent(tool, forText, [notes])).status).toBe(400);
});

describe('what was chosen in a tool for an assignment, a module and a text', () => {
  const platform = env as unknown as Platform;
  const customOf = (unit: string) => ({ type: 'ltiResourceLink', url: `https://content.example/unit/${unit}`, custom: { unit } });
  let source: BuiltCourse;

  async function aCourseOf(account: { id: number }): Promise<BuiltCourse> {
    const course = await ground.course({ account_id: account.id });
    await ground.enroll(course, scene.teacher, 'teacher');
    return course;
  }

  /** What a user of the course gets, as the tool sees it. */
  async function opened(course: BuiltCourse) {
    const { teacher } = scene;
    const here = `/courses/${course.id}`;
    const [work] = ok(await as(teacher).get(`${here}/assignments`));
    const [module] = ok(await as(teacher).get(`${here}/modules`, { include: ['items'] }));
    const [page] = ok(await as(teacher).get(`${here}/pages`, { include: ['body'] }));
    const [, lookup = ''] = /resource_link_lookup_uuid=([\w-]+)/.exec(page.body) ?? [];
    const launch = async (query: object) => {
      const claims = await launchClaimsOf(teacher, here, tool, query);
      return { custom: claims[ltiClaim('custom')], link: claims[ltiClaim('resource_link')], target: claims[ltiClaim('target_link_uri')] };
    };
    const launches = [
      await launch({ launch_type: 'assessment', assignment_id: work.id }),
      await launch({ launch_type: 'module_item', module_item_id: module.items[0].id }),
      await launch({ resource_link_lookup_uuid: lookup }),
    ];
    expect(page.body).toContain(`${here}/external_tools/retrieve`);
    const items = ok(await (await serviceOf(tool, toolScopes.items)).get(`/api/lti${here}/line_items`, { tag: 'deep' }));
    const links = ok(await as(teacher).get(`${here}/lti_resource_links`)).sort(
      (a: { resource_type: string }, b: { resource_type: string }) => a.resource_type.localeCompare(b.resource_type),
    );
    return { work, launches, links, items };
  }

  const units = (found: Awaited<ReturnType<typeof opened>>) => found.launches.map(({ custom, target }) => [custom, target]);
  const expected = ['one', 'two', 'three'].map((unit) => [{ unit }, `https://content.example/unit/${unit}`]);

  async function copied(target: BuiltCourse): Promise<void> {
    const begun = ok(await as(scene.teacher).post(`/courses/${target.id}/course_copy`, { source_course: source.id }));
    for (let state = ''; state !== 'completed'; ) {
      await copyCourse({ job: 'course_copy', ids: [begun.id] }, platform);
      state = ok(await as(scene.teacher).get(`/courses/${target.id}/course_copy/${begun.id}`)).workflow_state;
    }
  }

  async function imported(target: BuiltCourse, content_export_id: number): Promise<string[]> {
    const { teacher } = scene;
    const given = { migration_type: 'canvas_cartridge_importer', settings: { content_export_id } };
    const { id } = ok(await as(teacher).post(`/courses/${target.id}/content_migrations`, given));
    const address = `/courses/${target.id}/content_migrations/${id}`;
    for (let state = ''; state !== 'completed'; state = ok(await as(teacher).get(address)).workflow_state) {
      expect(state).not.toBe('failed');
      await migrateContent({ job: 'content_migration', ids: [id] }, platform);
    }
    return ok(await as(teacher).get(`${address}/migration_issues`)).map((one: { description: string }) => one.description);
  }

  async function exportedCourse(): Promise<number> {
    const made = ok(await as(scene.teacher).post(`/courses/${source.id}/content_exports`, { export_type: 'common_cartridge' }));
    const progress_id = Number(made.progress_url.split('/').at(-1));
    const path = `/courses/${source.id}/content_exports/${made.id}`;
    for (let state = ''; state !== 'exported'; state = ok(await as(scene.teacher).get(path)).workflow_state) {
      expect(state).not.toBe('failed');
      await exportContent({ job: 'content_export', progress_id }, platform);
    }
    return made.id;
  }

  beforeAll(async () => {
    source = await aCourseOf(branch);
    const { teacher } = scene;
    const here = `/courses/${source.id}`;
    const choose = async (query: object, item: object) => chooseContent(tool, await contentAsked(teacher, here, tool, query), [item]);
    await choose(
      { launch_type: 'assignment_selection' },
      { ...customOf('one'), title: 'Exam', lineItem: { scoreMaximum: 9, tag: 'deep', resourceId: 'r1' } },
    );
    const module = ok(await as(teacher).post(`${here}/modules`, { module: { name: 'Chosen' } }));
    await choose({ launch_type: 'link_selection', context_module_id: module.id }, { ...customOf('two'), title: 'Item' });
    const { html } = await choose({ launch_type: 'editor_button' }, { ...customOf('three'), title: 'Text' });
    const body = unescapedText(/<pre class="address">(.*)<\/pre>/s.exec(html)?.[1] ?? '').replaceAll('&lt;', '<');
    ok(await as(teacher).post(`${here}/pages`, { wiki_page: { title: 'Read', body } }));
  });

  test('is copied with the course: each has a link of its own with the same values', async () => {
    const target = await aCourseOf(branch);
    await copied(target);
    const [before, after] = [await opened(source), await opened(target)];
    expect(units(before)).toEqual(expected);
    expect(units(after)).toEqual(expected);
    const ids = (found: typeof before) => found.launches.map(({ link }) => (link as { id: string }).id);
    expect(new Set([...ids(before), ...ids(after)]).size).toBe(6);
    expect(after.items).toMatchObject([{ label: 'Exam', tag: 'deep', resourceId: 'r1', resourceLinkId: ids(after)[0] }]);
    expect(after.links).toMatchObject([
      { resource_type: 'assignment', context_id: after.work.id, resource_link_uuid: ids(after)[0] },
      { resource_type: 'module_item' },
      { resource_type: 'rich_content', context_external_tool_id: tool.id },
    ]);
    // Copied again, the same links have the values of today.
    const [first] = before.links;
    ok(await as(scene.teacher).put(`/courses/${source.id}/lti_resource_links/${first.id}`, { custom: { unit: 'new' } }));
    await copied(target);
    const again = await opened(target);
    expect([again.launches[0]?.custom, again.links.length, ids(again)]).toEqual([{ unit: 'new' }, 3, ids(after)]);
    ok(await as(scene.teacher).put(`/courses/${source.id}/lti_resource_links/${first.id}`, { custom: { unit: 'one' } }));
    // The duplicate of an assignment has a link of its own, too.
    const here = `/courses/${target.id}`;
    const twin = ok(within(await as(scene.teacher).post(`${here}/assignments/${after.work.id}/duplicate`), 3));
    const claims = await launchClaimsOf(scene.teacher, here, tool, { launch_type: 'assessment', assignment_id: twin.id });
    expect(claims[ltiClaim('custom')]).toEqual({ unit: 'new' });
    expect(ids(again)).not.toContain((claims[ltiClaim('resource_link')] as { id: string }).id);
  });

  test('is in a package, and imported where the course has the tool', async () => {
    const made = await exportedCourse();
    const target = await aCourseOf(branch);
    expect(await imported(target, made)).toEqual([]);
    const after = await opened(target);
    expect(units(after)).toEqual(expected);
    expect(after.items).toMatchObject([{ label: 'Exam', scoreMaximum: 9, tag: 'deep', resourceId: 'r1' }]);
    expect(ok(await as(scene.teacher).get(`/courses/${target.id}/external_tools`))).toEqual([]);
    expect(await imported(target, made)).toEqual([]);
    expect((await opened(target)).links).toHaveLength(3);
    // Imported into its own course, the copies do not take the links of the originals.
    await imported(source, made);
    const { launches } = await opened(source);
    expect(launches[0]?.custom).toEqual({ unit: 'one' });
    const elsewhere = await aCourseOf(await ground.account({ name: 'Without the tool' }));
    const issues = await imported(elsewhere, made);
    for (const title of ['Exam', 'Text'])
      expect(issues).toContain(`The link to ${title} was not imported, because the course has no tool for it.`);
    // The item of the module opens a tool, which a teacher can set up.
    expect(issues).toContain('The external tool Item must be set up with its key and secret before it can be launched.');
    expect(ok(await as(scene.teacher).get(`/courses/${elsewhere.id}/lti_resource_links`))).toMatchObject([
      { resource_type: 'module_item' },
    ]);
  }, 60_000);
});

const secret = 'of the tool';

/** A tool of LTI 1.1. */
async function addOlder(host: string, message_type?: string): Promise<{ id: number }> {
  const placement = { enabled: true, ...(message_type && { message_type }) };
  const names = ['assignment_selection', 'link_selection', 'resource_selection', 'editor_button', 'homework_submission'];
  return ok(
    await as(scene.teacher).post(`${at}/external_tools`, {
      name: `Tool of ${host}`,
      privacy_level: 'public',
      consumer_key: 'key',
      shared_secret: secret,
      url: `https://${host}/launch`,
      domain: host,
      ...Object.fromEntries(names.map((name) => [name, placement])),
    }),
  );
}

/** The form with which a tool answers. */
async function selection(asked: Record<string, string>, graph: readonly object[], more: Record<string, string> = {}, key = secret) {
  const given: Record<string, string> = {
    lti_message_type: 'ContentItemSelection',
    lti_version: 'LTI-1p0',
    content_items: JSON.stringify({ '@context': 'http://purl.imsglobal.org/ctx/lti/v1/ContentItem', '@graph': graph }),
    data: asked.data ?? '',
    oauth_consumer_key: 'key',
    oauth_nonce: crypto.randomUUID(),
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_version: '1.0',
    oauth_callback: 'about:blank',
    ...more,
  };
  const pairs: Pair[] = Object.entries(given);
  return { ...given, oauth_signature: await oauthSignature('POST', asked.content_item_return_url ?? '', pairs, key) };
}

const linkItem = {
  '@type': 'LtiLinkItem',
  mediaType: 'application/vnd.ims.lti.v1.ltilink',
  url: 'https://older.example/unit/1',
  title: 'Older unit',
  custom: { unit: 'one' },
};

test('a tool of LTI 1.1 returns signed content items, once', async () => {
  const { teacher, student } = scene;
  const older = await addOlder('older.example', 'ContentItemSelectionRequest');
  const ask = async (who: Person, query: object) => {
    const { action, given } = await openTool(who, at, { id: older.id, ...query });
    expect(action).toBe('https://older.example/launch');
    expect(given).toMatchObject({ lti_message_type: 'ContentItemSelectionRequest', accept_unsigned: 'false' });
    expect(given.lis_result_sourcedid).toBeUndefined();
    const { oauth_signature, ...signed } = given;
    expect(oauth_signature).toBe(await oauthSignature('POST', action, Object.entries(signed), secret));
    return given;
  };
  const asked = await ask(teacher, { launch_type: 'assignment_selection' });
  const address = asked.content_item_return_url ?? '';
  expect(address).toBe(`${base}${at}/external_content/content_item_selection`);
  const exam = { ...linkItem, title: 'Older exam', lineItem: { label: 'Older exam', scoreConstraints: { normalMaximum: 12 } } };
  const now = Math.floor(Date.now() / 1000);
  const wrong: readonly Record<string, string>[] = [
    { oauth_consumer_key: 'other' },
    { oauth_nonce: '' },
    { oauth_timestamp: String(now - 1000) },
    { oauth_signature_method: 'PLAINTEXT' },
    { lti_message_type: 'basic-lti-launch-request' },
    { lti_version: 'LTI-2p0' },
    { content_items: 'x' },
    { data: `${asked.data?.slice(0, -4)}0000` },
  ];
  for (const more of wrong) expect((await postForm(address, await selection(asked, [exam], more))).status, JSON.stringify(more)).toBe(400);
  expect((await postForm(address, await selection(asked, [exam], {}, 'another secret'))).status).toBe(400);
  const signed = await selection(asked, [exam]);
  expect((await postForm(address, { ...signed, content_items: '{"@graph":[]}' })).status).toBe(400);
  expect((await postForm(address.replace(/courses\/\d+/, 'courses/88888888'), signed)).status).toBe(400);
  expect((await postForm(address, await selection(asked, [{ ...exam, url: 'https://elsewhere.example/' }]))).status).toBe(400);
  expect((await postForm(address, await selection(asked, [exam, exam]))).status).toBe(400);
  expect(ok(await as(teacher).get(`${at}/assignments`, { search_term: 'Older exam' }))).toEqual([]);
  const done = await postForm(address, signed);
  expect(done.html).toContain('Older exam');
  expect((await postForm(address, signed)).status).toBe(400);
  expect((await postForm(address, await selection(asked, [exam]))).status).toBe(400);
  const [made, ...others] = ok(await as(teacher).get(`${at}/assignments`, { search_term: 'Older exam' }));
  expect(others).toEqual([]);
  expect(made).toMatchObject({ points_possible: 12, submission_types: ['external_tool'], published: false });
  ok(await as(teacher).put(`${at}/assignments/${made.id}`, { assignment: { published: true } }));
  const launch = await openTool(student, at, { launch_type: 'assessment', assignment_id: made.id });
  expect(launch).toMatchObject({ action: 'https://older.example/unit/1', given: { custom_unit: 'one' } });
  expect(launch.given.lis_result_sourcedid).toBeTruthy();

  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Older' } }));
  const forModule = await ask(teacher, { launch_type: 'resource_selection', context_module_id: module.id });
  const web = { '@type': 'ContentItem', mediaType: 'text/html', url: 'https://read.example/', title: 'Reading' };
  expect((await postForm(address, await selection(forModule, [linkItem, web]))).status).toBe(200);
  expect(ok(await as(teacher).get(`${at}/modules/${module.id}/items`))).toMatchObject([
    { type: 'ExternalTool', title: 'Older unit', content_id: older.id },
    { type: 'ExternalUrl', title: 'Reading' },
  ]);
  const home = await work(['online_url']);
  const forHome = await ask(student, { launch_type: 'homework_submission', assignment_id: home.id });
  expect((await postForm(address, await selection(forHome, [{ ...web, url: 'https://work.example/1' }]))).status).toBe(200);
  expect(await submissionOf(home)).toMatchObject({ submission_type: 'online_url', url: 'https://work.example/1', attempt: 1 });
  // Content of a tool that was removed meanwhile is refused.
  const late = await ask(teacher, { launch_type: 'editor_button' });
  ok(await as(teacher).del(`${at}/external_tools/${older.id}`));
  expect((await postForm(address, await selection(late, [web]))).status).toBe(400);
});

test('content for the texts of an account is chosen in its tools, by administrators who write them', async () => {
  const { teacher } = scene;
  const here = `/accounts/${branch.id}`;
  const admin = await ground.admin({ account_id: branch.id });
  const ask = async () => contentAsked(admin, here, tool, { launch_type: 'editor_button' });
  ok(await as(teacher).get(`${here}/external_tools/sessionless_launch`, { id: tool.id, launch_type: 'editor_button' }), 401);
  const asked = await ask();
  expect(asked).toMatchObject({ deep_link_return_url: `${base}${here}/deep_linking_response`, accept_types: ['link', 'html', 'image'] });
  const items = [
    { type: 'link', url: 'https://read.example/?a=1&b=2', title: 'Read <this>' },
    { type: 'html', html: '<p onclick="x()">Hello</p>' },
  ];
  for (const type of ['ltiResourceLink', 'file'])
    expect((await chooseContent(tool, asked, [{ type, url: 'https://content.example/1', title: 'x' }])).status).toBe(400);
  const inCourse = { ...asked, deep_link_return_url: `${base}/courses/${branch.id}/deep_linking_response` };
  expect((await chooseContent(tool, inCourse, items)).status).toBe(400);
  const done = await chooseContent(tool, asked, items);
  const shown = unescapedText(done.html).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  expect([done.status, shown]).toEqual([200, expect.stringContaining('2 items were chosen')]);
  expect(shown).toContain('<p>Hello</p>');
  expect((await chooseContent(tool, asked, items)).status).toBe(400);
  // A placement for courses takes nothing here.
  const { url } = ok(await as(admin).get(`${here}/external_tools/sessionless_launch`, { id: tool.id, launch_type: 'link_selection' }));
  expect((await browse(url)).status).toBe(400);
  const late = await ask();
  const [link] = ok(await as(root).get(`${here}/admins`)).filter((one: { user: { id: number } }) => one.user.id === admin.id);
  ok(await as(root).del(`${here}/admins/${admin.id}?role_id=${link.role_id}`));
  expect((await chooseContent(tool, late, items)).status).toBe(400);

  // LTI 1.1: signed, and by an address that the user confirms.
  const given = { privacy_level: 'public', consumer_key: 'key', shared_secret: secret, domain: 'branch.example' };
  const add = async (name: string, editor_button: object) =>
    ok(await as(root).post(`${here}/external_tools`, { ...given, name, url: `https://branch.example/${name}`, editor_button }));
  const signing = await add('signing', { enabled: true, message_type: 'ContentItemSelectionRequest' });
  const form = (await openTool(root, here, { id: signing.id, launch_type: 'editor_button' })).given;
  const address = form.content_item_return_url ?? '';
  expect(address).toBe(`${base}${here}/external_content/content_item_selection`);
  const web = { '@type': 'ContentItem', mediaType: 'text/html', url: 'https://read.example/', title: 'Reading' };
  expect((await postForm(address, await selection(form, [linkItem]))).status).toBe(400);
  expect((await postForm(address, await selection(form, [web]))).html).toContain('https://read.example/');
  const plain = await add('plain', { enabled: true });
  const back = (await openTool(root, here, { id: plain.id, launch_type: 'editor_button' })).given.ext_content_return_url ?? '';
  const query = { return_type: 'url', url: 'https://read.example/?a=1', title: 'Page' };
  expect((await (await browse(`${back}?${new URLSearchParams(query)}`)).text()).includes('Add content?')).toBe(true);
  expect((await postForm(back, query)).html).toContain('https://read.example/?a=1');
});

test('content in the return address of a tool of LTI 1.1 is added once the user has confirmed it', async () => {
  const { teacher } = scene;
  const oldest = await addOlder('oldest.example');
  const { action, given } = await openTool(teacher, at, { id: oldest.id, launch_type: 'editor_button' });
  expect(action).toBe('https://oldest.example/launch');
  expect(given).toMatchObject({
    lti_message_type: 'basic-lti-launch-request',
    selection_directive: 'embed_content',
    ext_content_intended_use: 'embed',
  });
  const address = given.ext_content_return_url ?? '';
  expect(given.launch_presentation_return_url).toBe(address);
  const query = new URLSearchParams({ return_type: 'url', url: 'https://web.example/?a=1', title: '<b>Page</b>' });
  const page = async (asked: string) => {
    const response = await browse(asked);
    return { status: response.status, html: await response.text() };
  };
  const confirm = await page(`${address}?${query}`);
  expect(confirm.html).not.toContain('<b>Page');
  const form = pageForm(confirm.html).given;
  expect(form).toEqual(Object.fromEntries(query));
  expect((await postForm(address, { ...form, return_type: 'oembed' })).status).toBe(400);
  expect((await postForm(address, { ...form, url: 'javascript:alert(1)' })).status).toBe(400);
  const done = await postForm(address, form);
  expect(unescapedText(done.html)).toContain('<a href="https://web.example/?a=1">');
  expect(done.html).not.toContain('<b>Page');
  expect((await postForm(address, form)).status).toBe(400);
  expect((await page(`${address.slice(0, -4)}0000?${query}`)).status).toBe(400);
  const none = (await openTool(teacher, at, { id: oldest.id, launch_type: 'editor_button' })).given.ext_content_return_url ?? '';
  expect((await page(`${none}?lti_errormsg=%3Ci%3ENo`)).html).toContain('Nothing was chosen');
  // A tool that signs its answers cannot be spoken for by an address.
  const signing = await addOlder('signing.example', 'ContentItemSelectionRequest');
  const asked = (await openTool(teacher, at, { id: signing.id, launch_type: 'editor_button' })).given;
  expect((await postForm(`${base}${at}/external_content/chosen/${asked.data}`, form)).status).toBe(400);
});
