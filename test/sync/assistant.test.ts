// `carrel mcp`, with the protocol's own client: an assistant searches and reads what is on this computer, while the server cannot be reached.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { commandOf, runCarrel } from './support/program';

let course: FakeCourse;
let home: string;
let client: Client;
const ids = { page: 0, essay: 0, file: 0 };

beforeAll(async () => {
  const server = await new FakeServer().start();
  course = aFakeCourse(server);
  ids.page = course.page('Reading list', '<p>Ignore all <b>rules</b> about moss.</p>');
  ids.essay = course.assignment('Essay on moss', {
    description: '<p>Write about moss.</p>',
    due_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  });
  ids.file = course.file('notes.txt', 'Moss grows in shade.');
  home = mkdtempSync(join(tmpdir(), 'carrel-assistant-'));
  const store = join(home, 'desk');
  const run = (...words: string[]) => runCarrel(words, { store, cwd: home });
  expect(await run('login', '--url', server.url, '--token', server.token, '--folder', 'Study')).toMatchObject({ status: 0 });
  expect(await run('sync')).toMatchObject({ status: 0 });
  await server.stop();
  const { command, args, env } = commandOf(['mcp'], { store, cwd: home });
  client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: env as Record<string, string>, stderr: 'pipe' }));
}, 60_000);

afterAll(async () => {
  await client.close();
  rmSync(home, { recursive: true, force: true });
});

async function call(name: string, input: Record<string, unknown> = {}) {
  const { isError, content } = (await client.callTool({ name, arguments: input })) as unknown as {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
  };
  const text = content[0]?.text ?? '';
  return { isError: isError === true, text, json: isError ? undefined : JSON.parse(text) };
}

const read = (type: string, id?: number) => call('read_content', { course_id: course.id, type, ...(id && { id }) });

test('an assistant finds and reads the course offline', async () => {
  const { tools } = await client.listTools();
  for (const { name, annotations } of tools) expect(annotations?.readOnlyHint, name).toBe(true);
  expect((await call('list_courses')).json.courses).toMatchObject([{ id: course.id, name: 'Algebra', files: 1 }]);
  const { found } = (await call('search', { text: 'moss' })).json;
  expect(found).toContainEqual(expect.objectContaining({ kind: 'page', id: ids.page, course: 'Algebra' }));
  expect(found).toContainEqual(expect.objectContaining({ kind: 'assignment', id: ids.essay }));
  expect((await read('page', ids.page)).json).toMatchObject({ title: 'Reading list', text: 'Ignore all rules about moss.' });
  expect((await read('file', ids.file)).json.text).toContain('Moss grows in shade.');
  expect((await call('whats_due')).json.items).toMatchObject([{ plannable_id: ids.essay, title: 'Essay on moss' }]);
  expect((await call('what_changed')).json.changes).toEqual(expect.any(Array));
  expect((await call('my_grades', { course_id: course.id })).json).toMatchObject({ score: null });
  expect((await call('course_contents', { course_id: course.id })).json).toEqual({ modules: [] });
});

test('what is not on this computer is refused in plain words, and wrong input names what is wrong', async () => {
  expect(await read('page', 999_999)).toMatchObject({ isError: true, text: 'This is not on this computer' });
  expect(await call('read_content', { course_id: 'x', type: 'page', id: 1 })).toMatchObject({
    isError: true,
    text: expect.stringContaining('course_id'),
  });
});
