// Other programs, started as a user would, timed from outside and ended with this process.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

export interface Ran {
  readonly milliseconds: number;
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export const isInstalled = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
export const programVersion = (program: string): string =>
  spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0]?.split(' ').slice(0, 2).join(' ') ?? program;

interface Start {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input is used. */
  readonly isAsked?: boolean;
}

export function startProcess(program: string, args: readonly string[], { cwd, env, isAsked = false }: Start = {}) {
  const started = performance.now();
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  if (!isAsked) child.stdin.end();
  children.add(child);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<Ran>((settle, fail) => {
    child.once('error', fail);
    child.once('close', (status) => {
      children.delete(child);
      settle({ milliseconds: performance.now() - started, status, out, err });
    });
  });
  return { child, ended };
}

export async function runToEnd(program: string, args: readonly string[], options: Start = {}): Promise<Ran> {
  const ran = await startProcess(program, args, options).ended;
  if (ran.status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${ran.status}: ${ran.err.slice(-2000) || ran.out.slice(-2000)}`);
  return ran;
}
