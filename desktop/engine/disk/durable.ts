// Writing files, and making them durable: they survive a power cut.
//
// Operations in memory are synchronous, because handing them to another thread takes longer. Only waiting for the disk is asynchronous.

import { closeSync, fdatasync, fsync, futimesSync, openSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const toDisk = { data: promisify(fdatasync), all: promisify(fsync) };

/** Writes a complete file from memory, with the date given. It is not durable yet. */
export function writeDurably(path: string, bytes: Uint8Array | string, modified: Date | undefined): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, bytes);
    if (modified) futimesSync(file, modified, modified);
  } finally {
    closeSync(file);
  }
}

/** Waits until it is on disk, not only in the memory of the system. */
export const syncFile = (path: string): Promise<Error | undefined> =>
  sync(path, 'r+', toDisk.data).then(
    () => undefined,
    (problem: unknown) => (problem instanceof Error ? problem : new Error(String(problem))),
  );

export async function syncFolders(folders: ReadonlySet<string>): Promise<void> {
  // Windows cannot sync folders, and a removed folder needs no sync.
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
