// External tools: registration, lists, navigation, and launches with LTI 1.1.

import { SELF } from 'cloudflare:test';
import { oauthBodyHash, oauthSignature, type Pair } from '@carrel/worker/crypto/oauth1';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
let root: Person;
let branch: { id: number };
let at = '';
const secret = 's3cret &%';

beforeAll(async () => {
  branch = await ground.account({ name: 'Faculty of tools' });
  scene = await aCourse(ground, { account_id: branch.id, name: 'Tools & rules', course_code: 'T1' });
  root = await ground.admin();
  at = `/courses/${scene.course.id}`;
});

const maps = { name: 'Maps', privacy_level: 'public', consumer_key: 'key', shared_secret: secret, url: 'https://maps.example/launch?a=1' };
const add = async (body: object, path = at, who: Person = scene.teacher) =>
  ok(within(await as(who).post(`${path}/external_tools`, body), 3));

test('teachers register, change and remove a tool, whose secret is never returned', async () => {
  const made = await add({ external_tool: maps });
  expect(made).toMatchObject({
    name: 'Maps',
    url: maps.url,
    domain: null,
    consumer_key: 'key',
    privacy_level: 'public',
    workflow_state: 'public',
    version: '1.1',
    custom_fields: {},
    course_navigation: null,
    assignment_selection: { enabled: true, label: 'Maps' },
  });
  expect(JSON.stringify(made)).not.toContain('s3cret');
  const path = `${at}/external_tools/${made.id}`;
  const changed = ok(
    within(
      await as(scene.teacher).put(path, {
        description: 'Draws maps',
        shared_secret: '',
        custom_fields: { Zoom: '3' },
        course_navigation: { text: 'Atlas', labels: { de: 'Karten' }, selection_width: '500' },
      }),
      3,
    ),
  );
  expect(changed).toMatchObject({
    name: 'Maps',
    description: 'Draws maps',
    custom_fields: { Zoom: '3' },
    course_navigation: { enabled: true, text: 'Atlas', label: 'Atlas', selection_width: 500 },
  });
  expect(ok(within(await as(scene.student).get(path), 2)).name).toBe('Maps');
  expect(ok(await as(scene.teacher).put(path, { course_navigation: { enabled: false } })).course_navigation).toBeNull();
  ok(await as(scene.teacher).put(path, { course_navigation: { text: 'Atlas' } }));
  expect(ok(await as(scene.teacher).put(path, { course_navigation: '' })).course_navigation).toBeNull();
  ok(await as(scene.stranger).get(path), 401);
  ok(await as(scene.student).put(path, { name: 'x' }), 401);
  ok(await as(scene.student).del(path), 401);
  ok(await as(scene.teacher).put(`${at}/external_tools/88888888`, { name: 'x' }), 404);
  expect(ok(within(await as(scene.teacher).del(path), 3)).workflow_state).toBe('deleted');
  ok(await as(scene.teacher).get(path), 404);
  ok(await as(scene.teacher).del(path), 404);
  const ofAccount = ok(
    await as(await ground.admin()).post('/accounts/1/external_tools', { name: 'Everywhere', url: 'https://everywhere.example/' }),
  );
  const address = `/accounts/1/external_tools/${ofAccount.id}`;
  ok(await as(scene.teacher).del(address), 401);
  expect(ok(await as(await ground.admin()).del(address)).workflow_state).toBe('deleted');
});

test('wrong input is refused by name', async () => {
  const refusals: readonly [object, string][] = [
    [{ url: 'https://x.example' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x', url: 'javascript:alert(1)' }, 'url'],
    [{ name: 'x', url: 'https://u:p@x.example/' }, 'url'],
    [{ name: 'x', domain: 'a b' }, 'domain'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'x', icon_url: 'data:text/html,x' }, 'icon_url'],
    [{ name: 'x', course_navigation: { url: 'file:///etc' } }, 'course_navigation'],
    [{ name: 'x', course_navigation: { visibility: 'everyone' } }, 'course_navigation'],
    [{ config_type: 'by_xml' }, 'config_xml'],
    [{ config_type: 'by_xml', config_xml: '<!DOCTYPE a [<!ENTITY b "c">]><cartridge_basiclti_link/>' }, 'config_xml'],
    [{ config_type: 'by_url', config_url: 'http://169.254.169.254/x.xml' }, 'config_url'],
    [{ config_type: 'by_url', config_url: 'https://files.carrel.org/nowhere.xml' }, 'config_url'],
  ];
  for (const [body, field] of refusals) {
    const answer = await as(scene.teacher).post(`${at}/external_tools`, body);
    expect(Object.keys(ok(answer, 400).errors), JSON.stringify(body).slice(0, 80)).toEqual([field]);
  }
  ok(await as(scene.teacher).post(`${at}/external_tools`, { name: 'x', privacy_level: 'all' }), 400);
  ok(await as(scene.teacher).post(`${at}/external_tools`, { client_id: 88888888 }), 404);
  const twin = { name: 'Twin', url: 'https://twin.example/' };
  await add(twin);
  const again = await as(scene.teacher).post(`${at}/external_tools`, { external_tool: { ...twin, verify_uniqueness: true } });
  expect(ok(again, 400).errors.tool_currently_installed).toHaveLength(1);
});

test('a tool is registered by its XML, sent or fetched, under the name that the request gives', async () => {
  const config_xml = `<cartridge_basiclti_link xmlns:blti="x" xmlns:lticm="y"><blti:title>Clock</blti:title><blti:launch_url>https://clock.example/go</blti:launch_url>
    <blti:extensions platform="canvas.instructure.com"><lticm:property name="privacy_level">name_only</lticm:property><lticm:options name="editor_button"><lticm:property name="icon_url">https://clock.example/i.png</lticm:property></lticm:options></blti:extensions></cartridge_basiclti_link>`;
  const sent = await add({ name: 'My clock', config_type: 'by_xml', config_xml, consumer_key: 'k', shared_secret: 's' });
  expect(sent).toMatchObject({ name: 'My clock', url: 'https://clock.example/go', privacy_level: 'name_only', is_rce_favorite: false });
  expect(sent.editor_button).toMatchObject({ enabled: true, icon_url: 'https://clock.example/i.png' });
  const fetched = await add({ config_type: 'by_url', config_url: 'https://files.carrel.org/tool.xml' });
  expect(fetched).toMatchObject({ name: 'Fetched tool', domain: 'fetched.example' });
});

test('lists search, filter by placement, and include the tools of the accounts above', async () => {
  const other = await aCourse(ground, { account_id: branch.id });
  const there = `/courses/${other.course.id}`;
  const own = await add({ name: 'Own chooser', domain: 'own.example', resource_selection: { enabled: true } }, there, other.teacher);
  const plain = await add({ name: 'Own plain', domain: 'own.example', not_selectable: true }, there, other.teacher);
  const above = await add(
    { name: 'Faculty chooser', domain: 'own.example', editor_button: { enabled: true } },
    `/accounts/${branch.id}`,
    root,
  );
  const top = await add({ name: 'Root plain', domain: 'own.example', not_selectable: true }, '/accounts/1', root);
  const ids = async (query: object, path = there, who: Person = other.student) =>
    (ok(within(await as(who).get(`${path}/external_tools`, query), 2)) as { id: number }[]).map(({ id }) => id);
  expect(await ids({})).toEqual([own.id, plain.id]);
  expect(await ids({ include_parents: true })).toEqual([own.id, plain.id, above.id, top.id]);
  expect(await ids({ include_parents: true, per_page: 1, page: 3 })).toEqual([above.id]);
  expect(await ids({ search_term: 'PLAIN', include_parents: true })).toEqual([plain.id, top.id]);
  expect(await ids({ selectable: true, include_parents: true })).toEqual([own.id, above.id]);
  expect(await ids({ placement: 'editor_button', include_parents: true })).toEqual([above.id]);
  expect(await ids({ placement: ['editor_button', 'resource_selection'], include_parents: true })).toEqual([own.id, above.id]);
  expect(await ids({ placement: 'nonsense' })).toEqual([]);
  expect(await ids({}, `/accounts/${branch.id}`, scene.stranger)).toEqual([above.id]);
  ok(await as(other.student).get(`${there}/external_tools`, { search_term: 'x' }), 400);
  ok(await as(other.student).get(`${there}/external_tools/${above.id}`), 404);
  ok(await as(other.teacher).post(`/accounts/${branch.id}/external_tools`, { name: 'x' }), 401);
  const group = ok(await as(other.student).post('/groups', { name: 'Study group', join_level: 'parent_context_auto_join' }));
  expect(await ids({}, `/groups/${group.id}`)).toEqual([]);
});

test('the navigation of a course has its tools, as their visibility allows', async () => {
  const one = await aCourse(ground, { account_id: branch.id });
  const path = `/courses/${one.course.id}`;
  const nav = (text: string, more: object = {}) => ({ name: text, domain: 'nav.example', course_navigation: { text, ...more } });
  const open = await add(nav('Open'), path, one.teacher);
  const staff = await add(nav('Staff', { visibility: 'admins' }), path, one.teacher);
  const off = await add(nav('Off', { default: 'disabled' }), path, one.teacher);
  const tabs = async (who: Person) =>
    (ok(within(await as(who).get(`${path}/tabs`), 2)) as { id: string; label: string; url?: string }[]).filter(({ id }) =>
      id.startsWith('context_'),
    );
  expect((await tabs(one.student)).map(({ label }) => label)).toEqual(['Open']);
  expect((await tabs(one.teacher)).map(({ label }) => label)).toEqual(['Open', 'Staff', 'Off']);
  expect((await tabs(one.student))[0]).toMatchObject({
    id: `context_external_tool_${open.id}`,
    type: 'external',
    url: `${base}/api/v1${path}/external_tools/sessionless_launch?id=${open.id}&launch_type=course_navigation`,
  });
  ok(await as(one.teacher).put(`${path}/tabs/context_external_tool_${off.id}`, { hidden: false, position: 3 }));
  ok(await as(one.teacher).put(`${path}/tabs/context_external_tool_${open.id}`, { hidden: true }));
  expect((await tabs(one.student)).map(({ label }) => label)).toEqual(['Off']);
  const seen = async (who: Person) =>
    ok(within(await as(who).get(`${path}/external_tools/visible_course_nav_tools`), 2)) as { id: number; context_id: string }[];
  expect((await seen(one.student)).map(({ id }) => id)).toEqual([off.id]);
  expect((await seen(one.teacher)).map(({ id }) => id)).toEqual([open.id, staff.id, off.id]);
  const all = ok(
    within(await as(one.student).get('/external_tools/visible_course_nav_tools', { context_codes: [`course_${one.course.id}`] }), 2),
  );
  expect(all).toEqual(await seen(one.student));
  expect(all[0]).toMatchObject({ context_id: String(one.course.id), context_name: one.course.name });
  for (const context_codes of [undefined, ['user_1']])
    ok(await as(one.student).get('/external_tools/visible_course_nav_tools', { context_codes }), 400);
  ok(await as(one.stranger).get('/external_tools/visible_course_nav_tools', { context_codes: [`course_${one.course.id}`] }), 404);
});

test('an account has at most two favorite tools of the editor', async () => {
  const account = await ground.account({ name: 'Favorites' });
  const path = `/accounts/${account.id}`;
  const ids: number[] = [];
  for (const name of ['One', 'Two', 'Three'])
    ids.push(
      (await add({ name, domain: 'x.example', editor_button: { enabled: true }, top_navigation: { enabled: true } }, path, root)).id,
    );
  const bare = await add({ name: 'Bare', domain: 'x.example' }, path, root);
  const favor = (kind: string, id: number | undefined) => as(root).post(`${path}/external_tools/${kind}/${id}`);
  for (const [kind, key] of [
    ['rce_favorites', 'rce_favorite_tool_ids'],
    ['top_nav_favorites', 'top_nav_favorite_tool_ids'],
  ] as const) {
    expect(ok(within(await favor(kind, ids[0]), 3))).toEqual({ [key]: [ids[0]] });
    expect(ok(await favor(kind, ids[1]))).toEqual({ [key]: [ids[0], ids[1]] });
    ok(await favor(kind, ids[2]), 400);
    ok(await favor(kind, bare.id), 400);
    ok(await favor(kind, 88888888), 404);
    expect(ok(within(await as(root).del(`${path}/external_tools/${kind}/${ids[0]}`), 3))).toEqual({ [key]: [ids[1]] });
    ok(await as(scene.teacher).post(`${path}/external_tools/${kind}/${ids[0]}`), 401);
  }
  expect(ok(await as(root).get(`${path}/external_tools/${ids[1]}`)).is_rce_favorite).toBe(true);
});

/** The form of a launch page. */
function formOf(html: string): { action: string; pairs: Pair[]; get(name: string): string | undefined } {
  const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const pairs = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']): Pair => [plain(name), plain(value)]);
  return { action: plain(/action="([^"]*)"/.exec(html)?.[1] ?? ''), pairs, get: (name) => pairs.find(([one]) => one === name)?.[1] };
}

const page = async (address: string, headers: Record<string, string> = {}) => {
  const response = await SELF.fetch(address, { redirect: 'manual', headers });
  noteRoute(response.headers, response.status);
  return { response, html: await response.text() };
};

test('a sessionless launch opens once, signed, with what the privacy level allows', async () => {
  const { student, teacher, course } = scene;
  const tool = await add({
    ...maps,
    name: 'Launched',
    url: 'https://launched.example/go?a=1&b=x%20y',
    custom_fields: { 'User Number': '$Canvas.user.id', course: `in $\{Canvas.course.name}`, odd: '$Canvas.nothing' },
  });
  const launch = async (who: Person, query: object) => ok(within(await as(who).get(`${at}/external_tools/sessionless_launch`, query), 2));
  const { url, id, name } = await launch(student, { id: tool.id });
  expect({ id, name }).toEqual({ id: tool.id, name: 'Launched' });
  expect(/verifier=[0-9a-f]{128,}$/.test(url)).toBe(true);
  const { response, html } = await page(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  const form = formOf(html);
  expect(form.action).toBe('https://launched.example/go?a=1&b=x%20y');
  const given = Object.fromEntries(form.pairs);
  expect(given).toMatchObject({
    lti_message_type: 'basic-lti-launch-request',
    lti_version: 'LTI-1p0',
    roles: 'Learner',
    context_title: 'Tools & rules',
    context_label: 'T1',
    lis_person_name_full: 'Sam Student',
    lis_person_name_given: 'Sam',
    lis_person_name_family: 'Student',
    lis_person_contact_email_primary: student.login,
    custom_canvas_user_id: String(student.id),
    custom_canvas_course_id: String(course.id),
    custom_canvas_enrollment_state: 'active',
    custom_user_number: String(student.id),
    custom_course: 'in Tools & rules',
    custom_odd: '$Canvas.nothing',
    oauth_consumer_key: 'key',
    a: '1',
    b: 'x y',
  });
  expect(given.user_id).not.toBe(String(student.id));
  const signed = form.pairs.filter(([one]) => one !== 'oauth_signature');
  expect(given.oauth_signature).toBe(await oauthSignature('POST', 'https://launched.example/go', signed, secret));
  for (const address of [
    url,
    url.toUpperCase(),
    url.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
    url.replace(/verifier=.*/, ''),
  ])
    expect((await page(address)).response.status, address.slice(-20)).toBe(404);
  for (const [level, names, email] of [
    ['anonymous', false, false],
    ['email_only', false, true],
    ['name_only', true, false],
  ] as const) {
    ok(await as(teacher).put(`${at}/external_tools/${tool.id}`, { privacy_level: level }));
    const shown = formOf((await page((await launch(student, { id: tool.id })).url)).html);
    expect(shown.get('lis_person_name_full') !== undefined, level).toBe(names);
    expect(shown.get('lis_person_contact_email_primary') !== undefined, level).toBe(email);
    expect(shown.get('custom_canvas_user_id'), level).toBeUndefined();
    expect(shown.get('custom_user_number'), level).toBe('$Canvas.user.id');
  }
  const staff = formOf((await page((await launch(teacher, { url: 'https://launched.example/go?b=x%20y&a=1' })).url)).html);
  expect(staff.get('roles')).toBe('Instructor');
  ok(await as(scene.stranger).get(`${at}/external_tools/sessionless_launch`, { id: tool.id }), 401);
  ok(await as(student).get(`${at}/external_tools/sessionless_launch`, { id: 88888888 }), 404);
  expect(
    ok(await as(student).get(`${at}/external_tools/sessionless_launch`, { url: 'https://nowhere.example/' })).errors.external_tool,
  ).toBeTruthy();
  expect(Object.keys(ok(await as(student).get(`${at}/external_tools/sessionless_launch`), 400).errors).sort()).toEqual([
    'id',
    'module_item_id',
    'resource_link_lookup_uuid',
    'url',
  ]);
  const inAccount = await add({ ...maps, name: 'In account' }, `/accounts/${branch.id}`, root);
  const there = ok(
    within(await as(scene.stranger).get(`/accounts/${branch.id}/external_tools/sessionless_launch`, { id: inAccount.id }), 2),
  );
  expect(formOf((await page(there.url)).html).get('roles')).toBe('urn:lti:sysrole:ims/lis/None');
});

test('a place that takes no content of a tool opens nothing', async () => {
  const tool = await add({ ...maps, name: 'Choosing', url: 'https://choosing.example/go', migration_selection: { enabled: true } });
  const query = { id: tool.id, launch_type: 'migration_selection' };
  const { url } = ok(await as(scene.teacher).get(`${at}/external_tools/sessionless_launch`, query));
  const { response, html } = await page(url);
  expect(response.status).toBe(400);
  expect(html).not.toContain('choosing.example');
});

test('an assignment and a module item are opened with what they are about', async () => {
  const { student, teacher } = scene;
  await add({ ...maps, name: 'Work', url: 'https://work.example/do', privacy_level: 'public' });
  const work = ok(
    await as(teacher).post(`${at}/assignments`, {
      assignment: {
        name: 'Draw',
        published: true,
        points_possible: 10,
        submission_types: ['external_tool'],
        external_tool_tag_attributes: { url: 'https://work.example/do' },
      },
    }),
    201,
  );
  const launch = (who: Person, query: object) => as(who).get(`${at}/external_tools/sessionless_launch`, query);
  const opened = formOf((await page(ok(await launch(student, { launch_type: 'assessment', assignment_id: work.id })).url)).html);
  expect(Object.fromEntries(opened.pairs)).toMatchObject({
    resource_link_title: 'Draw',
    custom_canvas_assignment_title: 'Draw',
    custom_canvas_assignment_id: String(work.id),
    custom_canvas_assignment_points_possible: '10',
    ext_outcome_data_values_accepted: 'url,text',
  });
  expect(opened.get('lis_result_sourcedid')).toMatch(/^[0-9a-f]+$/);
  const staff = formOf((await page(ok(await launch(teacher, { launch_type: 'assessment', assignment_id: work.id })).url)).html);
  expect(staff.get('lis_outcome_service_url')).toBeTruthy();
  expect(staff.get('lis_result_sourcedid')).toBeUndefined();
  ok(await launch(scene.observer, { launch_type: 'assessment', assignment_id: work.id }), 401);
  const hidden = ok(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Hidden', submission_types: ['external_tool'], external_tool_tag_attributes: { url: 'https://work.example/do' } },
    }),
    201,
  );
  for (const assignment_id of [undefined, hidden.id, 88888888])
    expect(ok(await launch(student, { launch_type: 'assessment', assignment_id }), 400).errors.assignment_id).toHaveLength(1);
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'M' } }));
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  const item = ok(
    await as(teacher).post(`${at}/modules/${module.id}/items`, {
      module_item: { type: 'ExternalTool', title: 'Open it', external_url: 'https://work.example/do' },
    }),
  );
  expect(ok(await launch(student, { launch_type: 'module_item', module_item_id: item.id }), 400).errors.module_item_id).toHaveLength(1);
  ok(await as(teacher).put(`${at}/modules/${module.id}/items/${item.id}`, { module_item: { published: true } }));
  const there = formOf((await page(ok(await launch(student, { launch_type: 'module_item', module_item_id: item.id })).url)).html);
  expect(there.get('resource_link_title')).toBe('Open it');
});

test('pages open tools for users with a session, and for no one else', async () => {
  const tool = await add({ ...maps, name: 'Paged', url: 'https://paged.example/go' });
  const secretOf = async (who: Person) => ({ Cookie: `carrel_session=${await ground.session(who)}` });
  for (const path of [`external_tools/${tool.id}`, 'external_tools/retrieve?url=https%3A%2F%2Fpaged.example%2Fgo']) {
    const address = `${base}${at}/${path}`;
    const opened = await page(address, await secretOf(scene.student));
    expect(opened.response.status).toBe(200);
    expect(formOf(opened.html).action).toBe('https://paged.example/go');
    expect((await page(address)).response.headers.get('location')).toContain('/login?return_to=');
    const outside = await page(address, await secretOf(scene.stranger));
    expect(outside.response.status).toBe(401);
    expect(outside.html).not.toContain('paged.example');
  }
  const inAccount = await add({ ...maps, name: 'Of the account' }, `/accounts/${branch.id}`, root);
  for (const path of [`external_tools/${inAccount.id}`, 'external_tools/retrieve?url=https%3A%2F%2Fmaps.example%2Flaunch%3Fa%3D1'])
    expect((await page(`${base}/accounts/${branch.id}/${path}`, await secretOf(root))).response.status).toBe(200);
  expect((await page(`${base}${at}/external_tools/88888888`, await secretOf(scene.student))).response.status).toBe(404);
  for (const place of [at, `/accounts/${branch.id}`]) {
    const back = await page(`${base}${place}/external_content/success/external_tool?lti_msg=%3Cb%3EDone%3C/b%3E`);
    expect(back.html).not.toContain('<b>Done');
    expect(back.response.status).toBe(200);
  }
});

test('a tool passes a grade back, signed, for the student it was opened for', async () => {
  const { student, teacher } = scene;
  const one = await add({ ...maps, name: 'Grader', url: 'https://grader.example/do' });
  const assignment = {
    name: 'Graded elsewhere',
    published: true,
    points_possible: 10,
    submission_types: ['external_tool'],
    external_tool_tag_attributes: { url: 'https://grader.example/do' },
  };
  const assignmentId = ok(await as(teacher).post(`${at}/assignments`, { assignment }), 201).id;
  const asked = { launch_type: 'assessment', assignment_id: assignmentId };
  const { url } = ok(await as(student).get(`${at}/external_tools/sessionless_launch`, asked));
  const opened = formOf((await page(url)).html);
  const sourcedid = opened.get('lis_result_sourcedid') ?? '';
  const service = opened.get('lis_outcome_service_url') ?? '';
  const envelope = (operation: string, result = '', id = sourcedid) =>
    `<?xml version="1.0"?><imsx_POXEnvelopeRequest xmlns="http://www.imsglobal.org/services/ltiv1p1/xsd/imsoms_v1p0"><imsx_POXHeader><imsx_POXRequestHeaderInfo><imsx_messageIdentifier>m</imsx_messageIdentifier></imsx_POXRequestHeaderInfo></imsx_POXHeader><imsx_POXBody><${operation}Request><resultRecord><sourcedGUID><sourcedId>${id}</sourcedId></sourcedGUID>${result}</resultRecord></${operation}Request></imsx_POXBody></imsx_POXEnvelopeRequest>`;
  const scored = (score: string) => `<result><resultScore><textString>${score}</textString></resultScore></result>`;
  let count = 0;
  const send = async (body: string, given: { key?: string; nonce?: string; at?: number; sent?: string; to?: string } = {}) => {
    count += 1;
    const to = given.to ?? service;
    const pairs: Pair[] = [
      ['oauth_body_hash', await oauthBodyHash(new Uint8Array([...body].map((char) => char.charCodeAt(0))))],
      ['oauth_consumer_key', 'key'],
      ['oauth_nonce', given.nonce ?? `nonce${count}`],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', String(given.at ?? Math.floor(Date.now() / 1000))],
      ['oauth_version', '1.0'],
    ];
    const signed: Pair[] = [...pairs, ['oauth_signature', await oauthSignature('POST', to, pairs, given.key ?? secret)]];
    const Authorization = `OAuth ${signed.map(([name, value]) => `${name}="${encodeURIComponent(value)}"`).join(', ')}`;
    const response = await SELF.fetch(to, {
      method: 'POST',
      headers: { Authorization, 'Content-Type': 'application/xml' },
      body: given.sent ?? body,
    });
    noteRoute(response.headers, response.status);
    const text = await response.text();
    return { status: response.status, code: /codeMajor>(\w+)</.exec(text)?.[1], text };
  };
  const score = async () => ok(await as(student).get(`${at}/assignments/${assignmentId}/submissions/self`)).score;
  expect(await send(envelope('replaceResult', scored('0.75')))).toMatchObject({ status: 200, code: 'success' });
  expect(await score()).toBe(7.5);
  expect((await send(envelope('readResult'))).text).toContain('<textString>0.75</textString>');
  const extended = service.replace('grade_passback', 'ext_grade_passback');
  expect(await send(envelope('replaceResult', scored('1')), { to: extended })).toMatchObject({ status: 200, code: 'success' });
  expect(await score()).toBe(10);
  for (const body of [
    envelope('replaceResult', scored('1.5')),
    envelope('replaceResult', scored('x')),
    envelope('replaceResult'),
    envelope('replaceResult', scored('0.1'), 'guessed'),
    envelope('replaceResult', scored('0.1'), sourcedid.replace(/.{8}$/, '00000000')),
    '<nonsense/>',
  ])
    expect(await send(body), body.slice(-120)).toMatchObject({ status: 200, code: 'failure' });
  expect(await send(envelope('otherThing'))).toMatchObject({ status: 200, code: 'unsupported' });
  const good = envelope('replaceResult', scored('0.1'));
  const now = Math.floor(Date.now() / 1000);
  for (const wrong of [{ key: 'wrong' }, { at: now - 900 }, { sent: `${good} ` }]) expect((await send(good, wrong)).status).toBe(401);
  expect((await send(envelope('readResult'), { nonce: 'once', at: now })).status).toBe(200);
  expect((await send(envelope('readResult'), { nonce: 'once', at: now })).status).toBe(401);
  // Another tool cannot use the place, although it may sign.
  const other = await add({ ...maps, name: 'Other', url: 'https://other-grader.example/do' });
  const elsewhere = service.replace(`/tools/${one.id}/`, `/tools/${other.id}/`);
  expect(await send(good, { to: elsewhere })).toMatchObject({ status: 200, code: 'failure' });
  expect(await score()).toBe(10);
  const work = async () => ok(await as(student).get(`${at}/assignments/${assignmentId}/submissions/self`));
  const handed = (what: string, more = '') =>
    envelope('replaceResult', `<result>${more}<resultData>${what}</resultData></result>`).replace(
      '<resultRecord>',
      '<submissionDetails><submittedAt>2026-01-02T03:04:05Z</submittedAt></submissionDetails><resultRecord>',
    );
  const half = '<resultScore><textString>0.5</textString></resultScore>';
  expect(await send(handed('<text>My &lt;b&gt;work&lt;/b&gt;&lt;script&gt;x()&lt;/script&gt;</text>', half))).toMatchObject({
    code: 'success',
  });
  expect(await work()).toMatchObject({
    submission_type: 'online_text_entry',
    attempt: 1,
    score: 5,
    submitted_at: '2026-01-02T03:04:05Z',
    workflow_state: 'graded',
  });
  expect((await work()).body).not.toContain('script');
  expect(await send(handed('<url>https://grader.example/work/7</url>'))).toMatchObject({ code: 'success' });
  expect(await work()).toMatchObject({ submission_type: 'online_url', url: 'https://grader.example/work/7', attempt: 2, score: 5 });
  expect(await send(handed('<url>javascript:alert(1)</url>'))).toMatchObject({ code: 'failure' });
  expect(await send(handed('<url>https://grader.example/8</url>').replace('2026-01-02', '2999-01-02'))).toMatchObject({ code: 'failure' });
  ok(await as(teacher).put(`${at}/assignments/${assignmentId}`, { assignment: { allowed_attempts: 2 } }));
  expect(await send(handed('<url>https://grader.example/9</url>', half))).toMatchObject({ code: 'failure' });
  expect(await work()).toMatchObject({ attempt: 2, url: 'https://grader.example/work/7' });
  expect(await send(envelope('deleteResult'))).toMatchObject({ status: 200, code: 'success' });
  expect(await score()).toBeNull();
  // A tool grades only what still opens it.
  const replaced = { external_tool_tag_attributes: { url: 'https://other-grader.example/do' } };
  ok(await as(teacher).put(`${at}/assignments/${assignmentId}`, { assignment: replaced }));
  expect(await send(envelope('replaceResult', scored('0.9')))).toMatchObject({ status: 200, code: 'failure' });
  expect(await send(envelope('readResult'))).toMatchObject({ status: 200, code: 'failure' });
  expect(await score()).toBeNull();
});
