// The access token, in the system's secret store, known to main only.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safeStorage } from 'electron';

export interface TokenKeeper {
  readonly read: () => Promise<string | undefined>;
  readonly write: (token: string) => Promise<undefined>;
  readonly remove: () => Promise<undefined>;
  /** False where the system has no secret store: then the token is forgotten when the desk closes. */
  readonly keeps: () => Promise<boolean>;
}

export function tokenKeeper(store: string): TokenKeeper {
  const path = join(store, 'token.sealed');
  let inMemory: string | undefined;
  // `basic_text` is a password that everybody knows: worse than nothing, because it looks like something.
  const keeps = async () =>
    (await safeStorage.isAsyncEncryptionAvailable()) &&
    !(process.platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend()));
  const write = async (token: string) => {
    inMemory = token;
    if (await keeps()) await writeFile(path, await safeStorage.encryptStringAsync(token), { mode: 0o600 });
    return undefined;
  };
  return {
    keeps,
    write,
    async read() {
      if (inMemory !== undefined || !(await keeps())) return inMemory;
      try {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(await readFile(path));
        if (shouldReEncrypt) await write(result);
        return result;
      } catch {
        // No token yet, or one that this system can no longer read: the desk asks to sign in again.
        return undefined;
      }
    },
    async remove() {
      inMemory = undefined;
      await rm(path, { force: true });
      return undefined;
    },
  };
}
