// The command line as users install it: from its package, with each supported Node, and as one executable.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { completionFor } from '@carrel/desktop/cli/completion';
import { makeExecutable, packForNpm } from '@carrel/desktop/packaging/command_line';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWindows } from '../support/systems';
import { aFakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';

const node22 = join(import.meta.dirname, '../node_modules/node-22-linux-x64/bin/node');
const nodes = [
  ['Node 24', process.execPath],
  ['Node 22', existsSync(node22) ? node22 : undefined],
] as const;

let out: string;
let server: FakeServer;
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'carrel-installed-'));
  server = await new FakeServer().start();
  const course = aFakeCourse(server);
  course.file('plan.txt', 'the plan');
  course.page('Powers', '<p>A square is \\(x^2\\).</p>');
});
afterAll(async () => {
  await server.stop();
  rmSync(out, { recursive: true, force: true });
});

interface Program {
  readonly command: string;
  readonly path?: string;
}

/** Signs in and syncs, as the first two commands of a new user do. */
async function firstSync({ command, path = '' }: Program, home: string) {
  // Users do not start it from this repository, whose commands set this.
  const { CARREL_CWD: _, PATH, ...around } = process.env;
  const env = { ...around, PATH: `${path}${delimiter}${PATH}`, CARREL_DESK: join(home, 'desk'), NO_COLOR: '1', LC_ALL: 'C', LANGUAGE: '' };
  const run = (...words: string[]) =>
    new Promise<{ status: number; out: string; err: string }>((resolve) => {
      execFile(command, words, { cwd: home, env, shell: isWindows }, (problem, out, err) =>
        resolve({ status: problem ? Number(problem.code ?? 1) : 0, out, err }),
      );
    });
  expect(await run('--version')).toEqual({ status: 0, out: '0.1.0\n', err: '' });
  expect(await run('login', '--url', server.url, '--token', server.token, '--folder', 'Study')).toMatchObject({ status: 0, err: '' });
  const synced = await run('sync', '--json');
  expect(synced).toMatchObject({ status: 0, err: '' });
  expect(JSON.parse(synced.out)).toMatchObject({ outcome: 'complete' });
  const files = readdirSync(join(home, 'Study'), { recursive: true, encoding: 'utf8' });
  const named = (name: string) => join(home, 'Study', files.find((one) => one.endsWith(name)) ?? '');
  expect(readFileSync(named('plan.txt'), 'utf8')).toBe('the plan');
  // The package that renders formulas is loaded with the first one.
  expect(readFileSync(named('Powers.html'), 'utf8')).toContain('<msup>');
}

describe('the package for npm', () => {
  let archive: string;
  beforeAll(async () => {
    archive = await packForNpm(out);
  }, 120_000);

  test.each(nodes)('signs in and syncs after an installation into an empty folder with %s', { timeout: 120_000 }, async (name, node) => {
    // Only the package for Linux is among the dependencies.
    if (!node) return expect(process.platform).not.toBe('linux');
    const home = join(out, name);
    mkdirSync(home);
    const path = dirname(node);
    const env = { ...process.env, PATH: `${path}${delimiter}${process.env.PATH}` };
    writeFileSync(join(home, 'package.json'), '{}');
    execFileSync(isWindows ? 'npm.cmd' : 'npm', ['install', '--offline', '--no-audit', '--no-fund', archive], {
      cwd: home,
      env,
      shell: isWindows,
    });
    expect(readdirSync(join(home, 'node_modules')).filter((one) => !one.startsWith('.'))).toEqual(['carrel']);
    await firstSync({ command: join(home, 'node_modules/.bin', isWindows ? 'carrel.cmd' : 'carrel'), path }, home);
  });

  test('has a manual page and completions, and nothing to build', () => {
    const home = join(out, 'package');
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    expect(manifest.scripts).toBeUndefined();
    expect(manifest.dependencies).toBeUndefined();
    expect(readFileSync(join(home, 'man/carrel.1'), 'utf8')).toMatch(/^\.TH CARREL 1 [\s\S]*\.B carrel publish COURSE/);
    expect(readdirSync(join(home, 'completions')).sort()).toEqual(['carrel.bash', 'carrel.fish', 'carrel.zsh']);
  });
});

test('the executable signs in and syncs without an installed Node', { timeout: 300_000 }, async () => {
  const home = join(out, 'executable');
  mkdirSync(home);
  await firstSync({ command: await makeExecutable(join(out, 'built')) }, home);
});

// Windows has no bash of its own.
test.skipIf(isWindows)('bash completes commands, options and words', () => {
  const complete = (...words: string[]): string[] => {
    const script = `${completionFor('bash')}\nCOMP_WORDS=(carrel ${words.map((word) => `'${word}'`).join(' ')})\nCOMP_CWORD=${words.length}\n_carrel\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: out }).stdout.split('\n').filter(Boolean);
  };
  expect(complete('ver')).toEqual(['verify', 'versions', 'version']);
  expect(complete('sync', '--f')).toEqual(['--folder']);
  expect(complete('publish', 'o')).toEqual(['on', 'off']);
  expect(complete('sync', '--folder', 'pack')).toEqual(['package']);
});
