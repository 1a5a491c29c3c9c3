// `npm run new -- DOMAIN` writes a working domain of courses: its files, its test, its migration, and the lines that other files need.

import './usage.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { changesFor, type DomainNames, domainFilesOf, domainNamesFor } from './new_domain.ts';

const root = join(import.meta.dirname, '..');

/** @throws Error for what cannot be a new domain */
function askedFor(): DomainNames {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { one: { type: 'string' } } });
  const [domain, ...more] = positionals;
  if (domain === undefined || more.length > 0) throw new Error('npm run new -- DOMAIN [--one NAME]');
  const names = domainNamesFor(domain, values.one);
  const there = [`worker/domains/${domain}`, ...Object.keys(domainFilesOf(names))].find((path) => existsSync(join(root, path)));
  if (there) throw new Error(`${there} exists`);
  return names;
}

function run(...words: string[]): void {
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function write(names: DomainNames): void {
  const files = domainFilesOf(names);
  const changed = Object.entries(changesFor(names)).map(
    ([path, change]) => [path, change(readFileSync(join(root, path), 'utf8'))] as const,
  );
  const all = [...Object.entries(files), ...changed];
  for (const [path, text] of all) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const sources = all.map(([path]) => path).filter((path) => path.endsWith('.ts'));
  run(join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', ...sources);
  run('--import', 'tsx', 'scripts/migrations.ts', '--name', `add_${names.domain}`);
  console.log(`\nWritten:\n  ${Object.keys(files).join('\n  ')}`);
  console.log(`With a line in:\n  ${changed.map(([path]) => path).join('\n  ')}`);
  console.log(`Next: npm test -- ${names.domain}. CONTRIBUTING.md says what else a domain may need, and how to sync or copy it.`);
}

try {
  write(askedFor());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(64);
}
