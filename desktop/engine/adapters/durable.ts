// Making things durable: a power cut afterwards finds them.

import { open } from 'node:fs/promises';

/** On disk, not only in the system's memory. */
export async function syncFile(path: string): Promise<Error | undefined> {
  try {
    const file = await open(path, 'r+');
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
    return undefined;
  } catch (problem) {
    return problem instanceof Error ? problem : new Error(String(problem));
  }
}

export async function syncFolders(folders: ReadonlySet<string>): Promise<void> {
  await Promise.all([...folders].map(syncFolder));
}

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows has no such thing, and a folder that is gone needs none.
  }
}
