// The real program, in a process of its own.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of the program as one file (test/sync/one_file.ts). */
    carrel?: string;
  }
}

/** As a user starts it, if that file has not been made. */
const built = inject('carrel');
const program = built ? [built] : ['--import', 'tsx', 'desktop/cli/main.ts'];

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  /** The last line of the output, parsed as JSON. */
  readonly json: Record<string, unknown>;
}

interface Started {
  readonly store: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** How the program is started: in English, whatever the language of the machine. */
export const commandOf = (words: readonly string[], { store, cwd = root, env }: Started) => ({
  command: process.execPath,
  args: [...program, ...words],
  env: { ...process.env, CARREL_DESK: store, CARREL_CWD: cwd, NO_COLOR: '1', LANGUAGE: '', LC_ALL: 'C', ...env },
});

export function carrel(words: readonly string[], started: Started) {
  const { command, args, env } = commandOf(words, started);
  const child = spawn(command, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end();
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (status) => {
      const last = out.trim().split('\n').at(-1) ?? '';
      resolve({ status, out, err, json: last.startsWith('{') ? (JSON.parse(last) as Record<string, unknown>) : {} });
    });
  });
  return { child, ended, said: () => out };
}

export const runCarrel = (...given: Parameters<typeof carrel>): Promise<Ended> => carrel(...given).ended;
