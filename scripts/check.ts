// Runs every check: format and lint, types, then the whole suite. `--static` skips the suite.

import './usage.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { endGroup, startsGroup } from '../test/support/process_group.ts';

const root = join(import.meta.dirname, '..');

/** Started with Node itself: the launchers in `.bin` differ between systems. */
const programs = {
  biome: '@biomejs/biome/bin/biome',
  tsc: 'typescript/bin/tsc',
  tsx: 'tsx/dist/cli.mjs',
  vitest: 'vitest/vitest.mjs',
} as const;
type Program = keyof typeof programs;
const pathOf = (name: Program) => join(root, 'node_modules', programs[name]);

/** Prints its output when it has ended, so that the output of parallel checks does not mix. */
const run = (name: Program, args: readonly string[]) =>
  new Promise<boolean>((settle) => {
    const child = spawn(process.execPath, [pathOf(name), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: process.env });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
    child.on('error', (error) => printed.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(printed));
      settle(code === 0);
    });
  });

/** No test file runs this long without printing a line. */
const silence = 6 * 60_000;

/** Runs the suite; undefined when it printed nothing for too long: if a runtime dies silently, its runner waits forever. */
const watched = (args: readonly string[]) =>
  new Promise<number | undefined>((settle) => {
    const child: ChildProcess = spawn(process.execPath, [pathOf('vitest'), 'run', ...args], {
      cwd: root,
      detached: startsGroup,
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
    });
    const forward = (signal: NodeJS.Signals) => endGroup(child, signal);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward);
    let isSilent = false;
    const fallSilent = () => {
      isSilent = true;
      endGroup(child, 'SIGKILL');
    };
    let timer = setTimeout(fallSilent, silence);
    child.stdout?.on('data', (chunk: Buffer) => {
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
  console.error(`The test runtime printed nothing for ${silence / 60_000} minutes and was ended; the suite runs once more.`);
  return (await watched(args)) ?? 1;
}

type Check = readonly [Program, readonly string[]];

// The checks of the whole Worker start first, so that no core is idle at the end. `scripts` is checked with `test`.
const projects = ['test', 'worker', 'test/e2e', 'test/sync', 'desktop/ui', 'desktop', 'shared', 'worker/site/console'];

const lint: Check = ['biome', ['ci', '--error-on-warnings', ...(process.stdout.isTTY ? [] : ['--colors=off'])]];
// One checker: with the default of four, each repeats the same types.
const types = projects.map((project): Check => ['tsc', ['-p', project, '--checkers', '1', ...(process.stdout.isTTY ? ['--pretty'] : [])]]);
const statics: readonly Check[] = [['tsx', ['scripts/build.mjs']], lint, ...types, ['tsx', ['scripts/console.ts', '--check']]];

/** Runs as many at a time as there are cores; returns whether all succeeded. */
async function allPass(checks: readonly Check[]): Promise<boolean> {
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

async function main([first, ...others]: readonly string[]): Promise<number> {
  const code = async (checks: readonly Check[]) => ((await allPass(checks)) ? 0 : 1);
  if (first === '--lint') return code([lint]);
  if (first === '--types') return code(types);
  if (first === '--static') return code(statics);
  if (first !== undefined) return suite([first, ...others]);
  return (await code(statics)) || suite([]);
}

process.exit(await main(process.argv.slice(2)));
