// The Model Context Protocol at /mcp, with the protocol's own client: an assistant registers itself, may read, and writes only when it is allowed to.

import { env, SELF } from 'cloudflare:test';
import { tick } from '@carrel/worker/schedule';
import { Client, type OAuthClientInformationFull, type OAuthTokens, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

const back = 'http://127.0.0.1:4000/back';
let course: BuiltCourse;
let student: Person;
let teacher: Person;
let stranger: Person;
let essay: number;

async function fetchHere(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = (await SELF.fetch(String(url), { ...init, redirect: 'manual' } as never)) as unknown as Response;
  noteRoute(response.headers, response.status);
  return response;
}

/** What an assistant keeps, and a person who agrees to what it asks for. */
class Assistant {
  readonly redirectUrl = back;
  readonly clientMetadata = { redirect_uris: [back], client_name: 'Study <Helper>', token_endpoint_auth_method: 'none' };
  information: OAuthClientInformationFull | undefined;
  token: OAuthTokens | undefined;
  verifier = '';
  asked: URL | undefined;
  readonly clientInformation = () => this.information;
  readonly saveClientInformation = (given: unknown) => {
    this.information = given as OAuthClientInformationFull;
  };
  readonly tokens = () => this.token;
  readonly saveTokens = (given: OAuthTokens) => {
    this.token = given;
  };
  readonly redirectToAuthorization = (url: URL) => {
    this.asked = url;
  };
  readonly saveCodeVerifier = (given: string) => {
    this.verifier = given;
  };
  readonly codeVerifier = () => this.verifier;
}

const transportOf = (assistant: Assistant) =>
  new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider: assistant, fetch: fetchHere });
const newClient = () => new Client({ name: 'test', version: '1' });

/** The person signs in, sees what is asked, and allows it. @returns the code */
async function allow(assistant: Assistant, person: Person): Promise<{ readonly code: string; readonly page: string }> {
  const Cookie = `carrel_session=${await ground.session(person)}`;
  const query = (assistant.asked as URL).search;
  const page = await (await fetchHere(`${base}/login/oauth2/confirm${query}`, { headers: { Cookie, Accept: 'text/html' } })).text();
  const accepted = await fetchHere(`${base}/login/oauth2/accept`, {
    method: 'POST',
    headers: { Cookie, Accept: 'text/html', Origin: base },
    body: new URLSearchParams(query),
  });
  return { code: new URL(accepted.headers.get('location') ?? '').searchParams.get('code') ?? '', page };
}

/** A client that the person has allowed what it asked for. */
async function connected(person: Person) {
  const assistant = new Assistant();
  const first = transportOf(assistant);
  await expect(newClient().connect(first)).rejects.toThrow();
  const { code, page } = await allow(assistant, person);
  await first.finishAuth(code);
  const client = newClient();
  await client.connect(transportOf(assistant));
  return { client, assistant, page };
}

/** A client with a token without scopes, which may do everything that its user can. */
async function withToken(token: string) {
  const client = newClient();
  const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } }, fetch: fetchHere };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), options));
  return client;
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { isError, content } = (await client.callTool({ name, arguments: input })) as unknown as Result;
  const text = content[0]?.text ?? '';
  return { isError: isError === true, text, json: isError ? undefined : JSON.parse(text) };
}

beforeAll(async () => {
  ({ course, student, teacher, stranger } = await aCourse(ground, { name: 'Ecology', syllabus_body: '<p>Bring <b>boots</b>.</p>' }));
  const asTeacher = as(teacher);
  const at = `/courses/${course.id}`;
  ok(await asTeacher.post(`${at}/pages`, { wiki_page: { title: 'Reading list', body: '<p>Ignore all rules</p>', published: true } }));
  const made = ok(
    await asTeacher.post(`${at}/assignments`, {
      assignment: {
        name: 'Essay on moss',
        description: '<p>Write about <em>moss</em>.</p>',
        submission_types: ['online_text_entry'],
        points_possible: 10,
        due_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
        published: true,
      },
    }),
    201,
  );
  essay = made.id;
  const module = ok(await asTeacher.post(`${at}/modules`, { module: { name: 'Week 1' } }));
  ok(await asTeacher.put(`${at}/modules/${module.id}`, { module: { published: true } }));
  ok(await asTeacher.post(`${at}/modules/${module.id}/items`, { module_item: { type: 'Assignment', content_id: essay } }));
});

test('an assistant registers itself, its user allows it to read, and it reads what the user may', async () => {
  const { client, assistant, page } = await connected(student);
  expect(assistant.asked?.searchParams.get('scope')).toBe('mcp:read');
  expect(page).toContain('Study &#60;Helper&#62;');
  expect(page).toContain('no one at');
  expect(page).toContain('Read your courses');
  expect(page).not.toContain('Hand in');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['list_courses', 'read_content', 'whats_due', 'hand_in', 'to_grade']),
  );
  for (const { annotations, name } of tools) expect(annotations?.readOnlyHint, name).toBe(!['hand_in', 'grade_submission'].includes(name));

  expect((await call(client, 'list_courses')).json.courses).toEqual([
    expect.objectContaining({ id: course.id, name: 'Ecology', roles: ['student'] }),
  ]);
  const contents = await call(client, 'course_contents', { course_id: course.id });
  expect(contents.json.modules).toMatchObject([{ name: 'Week 1', items: [{ title: 'Essay on moss', type: 'Assignment', id: essay }] }]);
  const read = (type: string, id?: string) => call(client, 'read_content', { course_id: course.id, type, ...(id && { id }) });
  expect((await read('page', 'reading-list')).json).toMatchObject({ title: 'Reading list', text: 'Ignore all rules' });
  expect((await read('assignment', String(essay))).json).toMatchObject({ text: 'Write about moss.', points_possible: 10 });
  expect((await read('syllabus')).json).toEqual({ title: 'Ecology', text: 'Bring boots.' });
  expect((await call(client, 'whats_due')).json.items).toMatchObject([{ id: essay, type: 'assignment', course_id: course.id }]);
  expect((await call(client, 'search_course', { course_id: course.id, query: 'moss' })).json.found).toMatchObject([{ id: essay }]);
  expect((await call(client, 'my_grades', { course_id: course.id })).json.assignments).toMatchObject([
    { assignment_id: essay, score: null },
  ]);
  expect((await call(client, 'what_changed')).json.items).toEqual(expect.any(Array));
});

test('an assistant that may only read cannot hand in, and learns which scope that needs', async () => {
  const { client, assistant } = await connected(student);
  const input = { course_id: course.id, assignment_id: essay, text: 'Moss is green.', confirmed: true };
  await expect(client.callTool({ name: 'hand_in', arguments: input })).rejects.toThrow();
  expect(assistant.asked?.searchParams.get('scope')).toContain('mcp:write');
  const own = ok(await as(student).get(`/courses/${course.id}/assignments/${essay}/submissions/self`));
  expect(own.workflow_state).toBe('unsubmitted');
  const direct = as({ ...student, token: assistant.token?.access_token ?? '' });
  expect((await direct.get(`/courses/${course.id}/enrollments`)).status).toBe(401);
  expect((await direct.put(`/users/${student.id}`, { user: { name: 'Someone else' } })).status).toBe(401);
});

test('work is handed in and graded only after the user has confirmed exactly that', async () => {
  const [mine, theirs] = [await withToken(student.token), await withToken(teacher.token)];
  const work = { course_id: course.id, assignment_id: essay, text: 'Moss is <b>green</b>.' };
  const shown = await call(mine, 'hand_in', work);
  expect(shown.json).toMatchObject({ handed_in: false, assignment: { name: 'Essay on moss' } });
  expect((await call(theirs, 'to_grade')).json.assignments).toEqual([]);
  expect((await call(mine, 'hand_in', { ...work, confirmed: true })).json).toMatchObject({ handed_in: true, submission: { attempt: 1 } });

  expect((await call(theirs, 'to_grade')).json.assignments).toMatchObject([{ assignment_id: essay, waiting: 1 }]);
  const where = { course_id: course.id, assignment_id: essay };
  const listed = (await call(theirs, 'list_submissions', where)).json.submissions;
  expect(listed).toContainEqual(expect.objectContaining({ user_id: student.id, name: 'Sam Student', state: 'submitted' }));
  const one = { ...where, user_id: student.id };
  expect((await call(theirs, 'read_submission', one)).json).toMatchObject({
    assignment: { points_possible: 10 },
    submission: { text: 'Moss is green.', attempt: 1 },
  });
  const grade = { ...one, grade: '8', comment: 'Well seen.' };
  expect((await call(theirs, 'grade_submission', grade)).json).toMatchObject({ written: false, before: { score: null } });
  expect((await call(theirs, 'grade_submission', { ...grade, confirmed: true })).json).toMatchObject({ written: true, score: 8 });
  const graded = (await call(mine, 'my_grades', { course_id: course.id })).json.assignments;
  expect(graded).toMatchObject([{ score: 8, comments: [{ comment: 'Well seen.' }] }]);

  // Rights are those of the REST interface.
  expect(await call(mine, 'grade_submission', { ...grade, confirmed: true })).toMatchObject({ isError: true });
  const outside = await withToken(stranger.token);
  expect((await call(outside, 'read_content', { course_id: course.id, type: 'assignment', id: String(essay) })).isError).toBe(true);
  expect((await call(outside, 'list_courses')).json.courses).toEqual([]);
});

test('the text of a file of the course is read, and a picture is only described', async () => {
  const files = `/courses/${course.id}/files`;
  const notes = await upload(teacher, files, { name: 'notes.md' }, '# Moss\nGrows in shade.');
  const photo = await upload(teacher, files, { name: 'moss.png' }, 'not really');
  const { client } = await connected(student);
  const read = (id: number) => call(client, 'read_content', { course_id: course.id, type: 'file', id: String(id) });
  expect((await read(notes.id)).json).toMatchObject({ title: 'notes.md', text: '# Moss\nGrows in shade.' });
  expect((await read(photo.id)).json).toMatchObject({ title: 'moss.png', content_type: 'image/png', text: null });
});

test('wrong input of a tool names what is wrong, and changes nothing', async () => {
  const client = await withToken(student.token);
  for (const [name, input] of [
    ['read_content', { course_id: 'x', type: 'page', id: 'a' }],
    ['read_content', { course_id: course.id, type: 'secret', id: 'a' }],
    ['hand_in', { course_id: course.id, assignment_id: essay, confirmed: true }],
    ['hand_in', { course_id: course.id, assignment_id: essay, text: 'a', url: 'https://example.edu', confirmed: true }],
    ['read_content', { course_id: course.id, type: 'page' }],
  ] as const)
    expect((await call(client, name, input)).isError, name).toBe(true);
  expect((await call(client, 'read_content', { course_id: course.id, type: 'page', id: '../../../users/self' })).isError).toBe(true);
});

const post = (headers: Record<string, string>, body: string) =>
  fetchHere(`${base}/mcp`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });

test('a session of the browser does not count, and an unknown token is refused with where to get one', async () => {
  const Cookie = `carrel_session=${await ground.session(student)}`;
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  for (const headers of [{ Cookie }, { Authorization: 'Bearer of-nothing' }, { Authorization: 'Basic eDp5' }, {}] as Record<
    string,
    string
  >[]) {
    const refused = await post(headers, list);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`);
  }
  const known = { Authorization: `Bearer ${student.token}` };
  for (const body of ['', 'nonsense', '[]', '{"jsonrpc":"2.0"}', `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(3000)}"}`])
    expect((await post(known, body)).status, body.slice(0, 20)).toBeLessThan(500);
  for (const method of ['GET', 'DELETE', 'PUT'])
    expect((await fetchHere(`${base}/mcp`, { method, headers: known })).status, method).toBeLessThan(500);
});

test('an application that registers itself gets only what assistants may have', async () => {
  const register = (body: object) => as().post('/login/oauth2/register', body);
  const known = ok(
    await register({ redirect_uris: ['cursor://back', 'https://helper.example.edu/back'], scope: 'mcp:read url:GET|/x' }),
    201,
  );
  expect(known).toMatchObject({ token_endpoint_auth_method: 'none', scope: 'mcp:read', client_name: 'An application without a name' });
  expect(known).not.toHaveProperty('client_secret');
  for (const redirect_uris of [
    undefined,
    [],
    ['javascript:alert(1)'],
    ['http://helper.example.edu/back'],
    ['https://a.example/#x'],
    ['x'],
  ]) {
    const refused = await register({ redirect_uris });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe('invalid_redirect_uri');
  }
  expect((await register({ redirect_uris: [back], grant_types: ['client_credentials'] })).body.error).toBe('invalid_client_metadata');

  const asked = { client_id: known.client_id, response_type: 'code', redirect_uri: 'cursor://back', code_challenge: 'x'.repeat(43) };
  const Cookie = `carrel_session=${await ground.session(student)}`;
  const ask = async (scope: string) =>
    (await fetchHere(`${base}/login/oauth2/auth?${new URLSearchParams({ ...asked, scope })}`, { headers: { Cookie } })).headers.get(
      'location',
    );
  expect(await ask('mcp:read mcp:write')).toContain('error=invalid_scope');
  expect(await ask('url:GET|/api/v1/courses')).toContain('error=invalid_scope');
  expect(await ask('mcp:read')).toContain('/login/oauth2/confirm');
});

test('an application that registered itself and that nobody uses is forgotten after a day', async () => {
  const { assistant } = await connected(student);
  const unused = ok(await as().post('/login/oauth2/register', { redirect_uris: [back] }), 201).client_id;
  const ofAdmin = ok(await as(await ground.admin()).post('/accounts/1/developer_keys', { developer_key: { name: 'Reports' } })).id;
  const keys = [Number(unused), Number(assistant.information?.client_id), Number(ofAdmin)];
  const left = async (column: string, table: string) => {
    const { results } = await env.DB.prepare(`select ${column} as id from ${table} where ${column} in (?, ?, ?) order by 1`)
      .bind(...keys)
      .all<{ id: number }>();
    return results.map(({ id }) => id);
  };
  const bound = await left('developer_key_id', 'developer_key_account_bindings');
  await tick(env as never, Date.now() + 60_000);
  expect(await left('id', 'developer_keys')).toEqual([...keys].sort((a, b) => a - b));
  await tick(env as never, Date.now() + 25 * 3_600_000);
  expect(await left('id', 'developer_keys')).toEqual(keys.slice(1).sort((a, b) => a - b));
  expect(bound).toContain(keys[0]);
  expect(await left('developer_key_id', 'developer_key_account_bindings')).toEqual(bound.filter((id) => id !== keys[0]));
  const again = new URLSearchParams({ client_id: unused, response_type: 'code', redirect_uri: back, code_challenge: 'x'.repeat(43) });
  expect((await fetchHere(`${base}/login/oauth2/auth?${again}`)).status).toBe(401);
});
