// Counts database statements and file system calls, so that growing work is noticed independently of time.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { StatementSync } from 'node:sqlite';

export interface DiskCounts {
  statements: number;
  rows: number;
  stats: number;
  listings: number;
  /** Files opened for reading or writing. */
  opened: number;
  bytesRead: number;
}

const nothing = (): DiskCounts => ({ statements: 0, rows: 0, stats: 0, listings: 0, opened: 0, bytesRead: 0 });
let count = nothing();
let isCounting = false;

type Method = (...given: unknown[]) => unknown;

function around(holder: object, name: string, note: (result: unknown) => void): void {
  const methods = holder as Record<string, Method>;
  const method = methods[name] as Method;
  methods[name] = function (this: unknown, ...given: unknown[]) {
    const result = method.apply(this, given);
    note(result);
    return result;
  };
}

/** Permanent in this process. Rows read with an iterator are not counted one by one. */
export function beginCounting(): void {
  if (isCounting) return;
  isCounting = true;
  const statement = (rows: (result: unknown) => number) => (result: unknown) => {
    count.statements++;
    count.rows += rows(result);
  };
  const { prototype } = StatementSync;
  around(
    prototype,
    'all',
    statement((result) => (result as unknown[]).length),
  );
  around(
    prototype,
    'get',
    statement((result) => (result === undefined ? 0 : 1)),
  );
  around(
    prototype,
    'run',
    statement(() => 0),
  );
  around(
    prototype,
    'iterate',
    statement(() => 0),
  );
  for (const name of ['lstatSync', 'statSync', 'existsSync']) around(fs, name, () => count.stats++);
  for (const name of ['lstat', 'stat']) around(fs.promises, name, () => count.stats++);
  around(fs, 'readdirSync', () => count.listings++);
  around(fs.promises, 'readdir', () => count.listings++);
  around(fs, 'readFileSync', (bytes) => (count.bytesRead += (bytes as string | Buffer).length));
  around(fs.promises, 'open', () => count.opened++);
  syncBuiltinESMExports();
}

/** Since the last call. */
export function takeCounts(): DiskCounts {
  const now = count;
  count = nothing();
  return now;
}
