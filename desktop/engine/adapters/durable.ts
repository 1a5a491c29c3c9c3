// Writing, and making things durable: a power cut afterwards finds them.
//
// What the system does in its memory is done at once: handing it to another thread takes longer than the thing itself. Only what waits for
// the disk is waited for.

import { closeSync, fdatasync, fsync, futimesSync, openSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const toDisk = { data: promisify(fdatasync), all: promisify(fsync) };

/** A file that is whole in memory, with the date it is to have. It is not durable yet. */
export function write(path: string, bytes: Uint8Array | string, modified: Date | undefined): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, bytes);
    if (modified) futimesSync(file, modified, modified);
  } finally {
    closeSync(file);
  }
}

/** On disk, not only in the system's memory. */
export const syncFile = (path: string): Promise<Error | undefined> =>
  sync(path, 'r+', toDisk.data).then(
    () => undefined,
    (problem: unknown) => (problem instanceof Error ? problem : new Error(String(problem))),
  );

export async function syncFolders(folders: ReadonlySet<string>): Promise<void> {
  // Windows has no such thing, and a folder that is gone needs none.
  await Promise.allSettled([...folders].map((folder) => sync(folder, 'r', toDisk.all)));
}

async function sync(path: string, flags: 'r' | 'r+', wait: (file: number) => Promise<void>): Promise<void> {
  const file = openSync(path, flags);
  try {
    await wait(file);
  } finally {
    closeSync(file);
  }
}
