// The tokens of all accounts, encrypted by the system's secret store (Keychain, DPAPI, the desktop's keyring), decrypted only in main.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safeStorage } from 'electron';
import type { AccountId } from '../../engine/accounts/account.ts';
import type { KeeperRequest } from './engine_messages.ts';

export interface TokenKeeper {
  readonly answer: (asked: KeeperRequest) => Promise<string | undefined>;
  /** False where the system has no secret store: then tokens are lost when Carrel closes. */
  readonly keeps: () => Promise<boolean>;
}

export function tokenKeeper(store: string): TokenKeeper {
  const inMemory = new Map<AccountId, string>();
  // The engine makes ids of these characters only.
  const pathOf = (account: AccountId) => {
    if (!/^[\w.-]+$/.test(account) || /^\.+$/.test(account)) throw new Error('invalid account id');
    return join(store, account, 'token.sealed');
  };
  // `basic_text` encrypts with a well-known password, so it offers no protection.
  const keeps = async () =>
    (await safeStorage.isAsyncEncryptionAvailable()) &&
    !(process.platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend()));

  const write = async (account: AccountId, secret: string) => {
    inMemory.set(account, secret);
    if (!(await keeps())) return undefined;
    await mkdir(join(store, account), { recursive: true, mode: 0o700 });
    await writeFile(pathOf(account), await safeStorage.encryptStringAsync(secret), { mode: 0o600 });
    return undefined;
  };
  const read = async (account: AccountId) => {
    const known = inMemory.get(account);
    if (known !== undefined || !(await keeps())) return known;
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(await readFile(pathOf(account)));
      if (shouldReEncrypt) await write(account, result);
      return result;
    } catch {
      // There is no token, or this system cannot decrypt it: the user has to sign in again.
      return undefined;
    }
  };
  const remove = async (account: AccountId) => {
    inMemory.delete(account);
    await rm(pathOf(account), { force: true });
    return undefined;
  };

  return {
    keeps,
    answer({ wants, account, secret = '' }) {
      switch (wants) {
        case 'read':
          return read(account);
        case 'write':
          return write(account, secret);
        case 'remove':
          return remove(account);
        case 'keeping':
          return keeps().then((isKept) => (isKept ? 'system' : 'memory'));
        default:
          return wants satisfies never;
      }
    },
  };
}
