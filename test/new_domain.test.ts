// `npm run new`: a new domain compiles, and its migration makes its table. Runs in a copy of the sources.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { domainNamesFor, singularOf } from '../scripts/new_domain';
import { fingerprints } from './support/migrations';

const root = join(import.meta.dirname, '..');
const packages = ['shared', 'worker', 'test'];

/** The dependencies of a package, with the packages of this repository from the copy. */
function link(copy: string, name: string): void {
  const [from, to] = [join(root, name, 'node_modules'), join(copy, name, 'node_modules')];
  mkdirSync(join(to, '@carrel'), { recursive: true });
  for (const one of readdirSync(from).filter((entry) => entry !== '@carrel')) symlinkSync(join(from, one), join(to, one), 'junction');
  for (const one of packages) symlinkSync(join(copy, one), join(to, '@carrel', one), 'junction');
}

function sourcesIn(copy: string): void {
  const isSource = (path: string) => !['node_modules', 'dist', '.wrangler'].includes(basename(path));
  for (const one of [...packages, 'scripts']) cpSync(join(root, one), join(copy, one), { recursive: true, filter: isSource });
  for (const one of ['package.json', 'tsconfig.base.json', 'biome.json', '.gitignore']) cpSync(join(root, one), join(copy, one));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  for (const one of packages) link(copy, one);
}

test('npm run new writes a domain that compiles and has its migration', { timeout: 120_000 }, async () => {
  const copy = mkdtempSync(join(tmpdir(), 'carrel-new-domain-'));
  const run = (...words: string[]) => promisify(execFile)(process.execPath, words, { cwd: copy });
  try {
    sourcesIn(copy);
    const { stdout } = await run('--import', 'tsx', 'scripts/new.ts', 'lecture_categories');
    const written = (/Written:\n([\s\S]*?)\nNext/.exec(stdout)?.[1] ?? '').split('\n').map((line) => line.trim());
    const files = written.filter((path) => path.endsWith('.ts'));
    expect(files).toHaveLength(9);
    writeFileSync(
      join(copy, 'tsconfig.json'),
      JSON.stringify({
        extends: './tsconfig.base.json',
        files: [...files, 'test/api/cloudflare-test.d.ts'],
        compilerOptions: { types: ['@cloudflare/workers-types', '@cloudflare/vitest-plugin/types', 'node'] },
      }),
    );
    const { stdout: mistakes } = await run('node_modules/typescript/bin/tsc', '--checkers', '1').catch((failed) => failed);
    expect(mistakes).toBe('');
    const migrations = join(copy, 'worker/database/migrations');
    const [added = ''] = Object.keys(fingerprints(migrations)).filter((name) => name.endsWith('_add_lecture_categories.sql'));
    expect(readFileSync(join(migrations, added), 'utf8')).toMatch(/^CREATE TABLE `lecture_categories`/);
    expect(readFileSync(join(copy, 'worker/domains/order.ts'), 'utf8')).toContain("\n  'lecture_categories',\n");
    await expect(run('--import', 'tsx', 'scripts/new.ts', 'lecture_categories')).rejects.toThrow('exists');
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 3 });
  }
});

test.each([
  ['seating_charts', 'seating_chart'],
  ['lecture_categories', 'lecture_category'],
  ['quizzes', undefined],
  ['mailboxes', 'mailbox'],
  ['branches', 'branch'],
  ['attendance', undefined],
])('one of %s is %s', (domain, item) => {
  expect(singularOf(domain)).toBe(item);
});

test.each(['Charts', 'seating-charts', 'classes', 'rows', '1st_charts', 'a__charts', 'attendance'])(
  '%s is refused as a domain',
  (domain) => {
    expect(() => domainNamesFor(domain)).toThrow();
  },
);

test('an irregular singular is given', () => {
  expect(domainNamesFor('quizzes', 'quiz')).toEqual({ domain: 'quizzes', item: 'quiz' });
});
