// Content that is chosen in external tools: files, tools of accounts, and tools of LTI 1.1.

import { oauthSignature, type Pair } from '@carrel/worker/crypto/oauth1';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, ok } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import {
  browse,
  chooseContent,
  contentAsked,
  type InstalledTool,
  installTool,
  openTool,
  pageForm,
  postForm,
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
