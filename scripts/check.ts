// Runs every check: format and lint, types, then the whole suite. `--static` skips the suite.

import './usage.ts';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);

/** Prints the output when the command has ended, so that the outputs of parallel commands do not mix. */
const run = (name: string, args: readonly string[]) =>
  new Promise<boolean>((settle) => {
    const child = spawn(bin(name), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: process.env });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
    child.on('error', (error) => said.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      settle(code === 0);
    });
  });

/** No test file runs this long without printing a line. */
const silence = 6 * 60_000;

/** Runs the suite; undefined when it printed nothing for too long: if a runtime dies silently, its runner waits forever. */
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

// The checks of the whole Worker start first, so that no core is idle at the end. `scripts` is checked with `test`.
const projects = ['test', 'worker', 'test/e2e', 'test/sync', 'desktop/ui', 'desktop', 'shared', 'worker/site/console'];

const statics: readonly (readonly [string, readonly string[]])[] = [
  ['tsx', ['scripts/build.mjs']],
  ['biome', ['ci', '--error-on-warnings', ...(process.stdout.isTTY ? [] : ['--colors=off'])]],
  // One checker: with the default of four, each repeats the same types.
  ...projects.map((project) => ['tsc', ['-p', project, '--checkers', '1', ...(process.stdout.isTTY ? ['--pretty'] : [])]] as const),
  ['tsx', ['scripts/console.ts', '--check']],
];

/** Runs as many at a time as there are cores; returns whether all succeeded. */
async function areContent(checks: typeof statics): Promise<boolean> {
  const waiting = [...checks];
  let failed = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, args] = next;
      if (await run(name, args)) continue;
      failed += 1;
      console.error(`failed: ${name} ${args.join(' ')}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failed === 0;
}

if (!(await areContent(statics))) process.exit(1);
if (process.argv.includes('--static')) process.exit(0);
process.exit(await suite(process.argv.slice(2)));
