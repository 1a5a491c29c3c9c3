// Every check there is: format and lint, types, then the whole suite. `--static` stops before the suite.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);

const run = (name: string, args: readonly string[]) =>
  new Promise<boolean>((settle) => {
    const child = spawn(bin(name), args, { cwd: root, stdio: 'inherit', env: process.env });
    child.on('exit', (code) => settle(code === 0));
  });

const projects = ['shared', 'worker', 'desktop', 'desktop/ui', 'test', 'test/sync', 'test/e2e', 'scripts'];

const statics: [string, string[]][] = [
  ['biome', ['ci', '--error-on-warnings', ...(process.stdout.isTTY ? [] : ['--colors=off'])]],
  ...projects.map((project): [string, string[]] => ['tsc', ['-p', project]]),
];
for (const [name, args] of statics) {
  if (!(await run(name, args))) {
    console.error(`failed: ${name} ${args.join(' ')}`);
    process.exit(1);
  }
}
if (!(await run('tsx', ['scripts/openapi.ts', '--check']))) process.exit(1);
if (process.argv.includes('--static')) process.exit(0);
process.exit((await run('vitest', ['run', ...process.argv.slice(2)])) ? 0 : 1);
