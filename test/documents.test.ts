// Documents and workflows name what exists: commands, files, headings, variables.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const matching = (pattern: RegExp) => files.filter((file) => pattern.test(file)).map((file) => [file, read(file)] as const);

const documents = matching(/^(?:[A-Z]+|docs\/[^/]+)\.md$/);
const workflows = matching(/^\.github\/(?:workflows|actions)\/.*\.yml$/);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const found = (texts: typeof documents, pattern: RegExp) =>
  texts.flatMap(([file, text]) => [...text.matchAll(pattern)].map(([, first = '']) => ({ file, first })));
const nameOf = ({ file, first }: { file: string; first: string }) => `${file}: ${first}`;

test('every npm command that documents and workflows name exists', () => {
  const named = found([...documents, ...workflows], /\bnpm (?:run (?:-s )?)?([a-z][a-z:-]*)/g);
  const own = ['install', 'config', 'registry', 'and'];
  const missing = named.filter(({ first }) => !Object.hasOwn(scripts, first) && !own.includes(first));
  expect(missing.map(nameOf)).toEqual([]);
  const runner = read('scripts/run.mjs');
  const tasks = [...runner.matchAll(/\['(\w+)', \['([^']+)'/g)];
  expect(tasks.map(([, , file = '']) => file).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const started = Object.values(scripts).flatMap((line) => /^node scripts\/run\.mjs (\w+)$/.exec(line)?.[1] ?? []);
  expect(started.filter((task) => !tasks.some(([, name]) => name === task))).toEqual([]);
});

test('every link and picture in a document exists, headings included', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  const headings = new Map(documents.map(([file, text]) => [file, [...text.matchAll(/^#+ (.*)$/gm)].map(([, one = '']) => slug(one))]));
  const broken = found(documents, /\]\(((?!https?:)[^)]+)\)/g).filter(({ file, first }) => {
    const [path = '', anchor] = first.split('#');
    const to = path === '' ? file : posix.join(posix.dirname(file), path);
    return !existsSync(join(root, to)) || (anchor !== undefined && !headings.get(to)?.includes(anchor));
  });
  expect(broken.map(nameOf)).toEqual([]);
});

test('every variable that a document names is read somewhere', () => {
  const sources = matching(/^(?:scripts|worker|shared|desktop|test|\.github)\/.*\.(?:ts|tsx|mjs|yml)$/)
    .map(([, text]) => text)
    .join('\n');
  // Variables of systems and of signing tools, which no source of ours has to name.
  const foreign = /^(?:NODE_OPTIONS|LC_ALL|ADMIN_TOKEN|PATH)$/;
  const named = found(documents, /`(?:binding )?([A-Z][A-Z0-9]*_[A-Z0-9_]+)/g).filter(({ first }) => !foreign.test(first));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ first }) => !new RegExp(`\\b${first}\\b`).test(sources)).map(nameOf)).toEqual([]);
});

test('every file that a document names exists', () => {
  const named = found(documents, /`((?:worker|shared|desktop|test|scripts|\.github)\/[\w./-]+\.\w+)`/g);
  expect(named.filter(({ first }) => !existsSync(join(root, first))).map(nameOf)).toEqual([]);
});

test('every document in docs is in its table of contents, and the README is short', () => {
  const contents = read('docs/README.md');
  const names = documents.map(([file]) => file).filter((file) => dirname(file) === 'docs' && file !== 'docs/README.md');
  expect(names.filter((file) => !contents.includes(`(${file.slice('docs/'.length)})`))).toEqual([]);
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
});

test('workflows start what exists, with few rights and pinned actions', () => {
  expect(workflows.length).toBeGreaterThanOrEqual(4);
  const used = found(workflows, /\buses: (\S+)/g);
  const unpinned = used.filter(({ first }) => !/^actions\/[\w-]+@v\d+$/.test(first) && !existsSync(join(root, first, 'action.yml')));
  expect(unpinned.map(nameOf)).toEqual([]);
  const tests = found(workflows, /\b(test\/[\w/.]+\.ts)/g);
  expect(tests.filter(({ first }) => !existsSync(join(root, first))).map(nameOf)).toEqual([]);
  const ownRules = workflows.filter(([file]) => file.includes('/workflows/'));
  expect(ownRules.filter(([, text]) => !/^permissions:\n {2}contents: read$/m.test(text)).map(([file]) => file)).toEqual([]);
  expect(ownRules.filter(([, text]) => !/^concurrency:$/m.test(text)).map(([file]) => file)).toEqual([]);
  const parts = /part: \[([^\]]+)\]/.exec(read('.github/workflows/nightly.yml'))?.[1]?.split(', ') ?? [];
  const nightly = read('scripts/nightly.ts');
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.filter((part) => !nightly.includes(`  ${part}: { file:`))).toEqual([]);
});
