// The inspector of the Model Context Protocol, unmodified from the registry: it examines `/mcp` and calls its tools from the command line.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { AnyJson } from './at';

const { url, casts } = inject('started');
const { course, student } = casts.content;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'carrel-inspector-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const program = join(dirname(manifest), 'clients/launcher/build/index.js');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Its folders are in a home of its own, and it never waits for a person. */
const inspect = (words: readonly string[], token = student.token): Promise<Ended> =>
  new Promise((settle) => {
    const fixed = ['--cli', `${url}/mcp`, '--transport', 'http', '--format', 'json', '--stored-auth-only', '--connect-timeout', '60000'];
    const args = [program, ...fixed, '--header', `Authorization: Bearer ${token}`, ...words];
    const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
    execFile(process.execPath, args, { env, cwd: home }, (error, stdout, stderr) => {
      settle({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });

function resultOf({ code, stdout, stderr }: Ended): AnyJson {
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).result;
}

test.each(['legacy', 'auto'])(
  'the inspector finds no fault with the tools, and reads with one (%s)',
  async (era) => {
    const chosen = ['--protocol-era', era];
    const { tools } = resultOf(await inspect(['--method', 'tools/list', '--strict', ...chosen]));
    expect(tools.map(({ name }: AnyJson) => name)).toEqual(expect.arrayContaining(['list_courses', 'read_content', 'grade_submission']));
    const called = resultOf(await inspect(['--method', 'tools/call', '--tool-name', 'list_courses', ...chosen]));
    expect(JSON.parse(called.content[0].text).courses).toContainEqual(expect.objectContaining({ id: course.id }));
  },
  180_000,
);

test('the inspector reports what is wrong with a call, and is refused with an unknown token', async () => {
  const input = JSON.stringify({ course_id: course.id, type: 'page', id: 'nowhere' });
  const missing = await inspect(['--method', 'tools/call', '--tool-name', 'read_content', '--tool-args-json', input]);
  expect(`${missing.stdout}${missing.stderr}`).toMatch(/404/);
  const refused = await inspect(['--method', 'tools/list'], 'of-nothing');
  expect(refused.code).not.toBe(0);
  expect(refused.stdout).not.toContain('list_courses');
}, 180_000);
