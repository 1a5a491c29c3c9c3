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

/** No file of tests takes this long without a line of its own. */
const silence = 6 * 60_000;

/** Runs the suite; undefined when it fell silent: a runtime that ends without a word leaves its runner waiting for ever. */
const watched = (args: readonly string[]) =>
  new Promise<number | undefined>((settle) => {
    const child = spawn(bin('vitest'), ['run', ...args], {
      cwd: root,
      detached: true,
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
    });
    const end = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);
    const forward = (signal: NodeJS.Signals) => end(signal);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward);
    let isSilent = false;
    const fallSilent = () => {
      isSilent = true;
      end('SIGKILL');
    };
    let timer = setTimeout(fallSilent, silence);
    child.stdout.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(fallSilent, silence);
      process.stdout.write(chunk);
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, forward);
      settle(isSilent ? undefined : (code ?? 1));
    });
  });

async function suite(args: readonly string[]): Promise<number> {
  const code = await watched(args);
  if (code !== undefined) return code;
  console.error(`The test runtime said nothing for ${silence / 60_000} minutes and was ended; the suite runs once more.`);
  return (await watched(args)) ?? 1;
}

const projects = ['shared', 'worker', 'worker/site/console', 'desktop', 'desktop/ui', 'test', 'test/sync', 'test/e2e', 'scripts'];

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
for (const written of ['openapi', 'console']) if (!(await run('tsx', [`scripts/${written}.ts`, '--check']))) process.exit(1);
if (process.argv.includes('--static')) process.exit(0);
process.exit(await suite(process.argv.slice(2)));
