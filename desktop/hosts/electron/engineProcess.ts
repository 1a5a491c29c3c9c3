// The engine's process: SQLite and the disk block here and never the windows.

import { join } from 'node:path';
import type { Secrets } from '../../engine/accounts/account.ts';
import { openDesk } from '../../engine/desk.ts';
import { callByName, type Desk } from '../desk.ts';
import type { FromEngine, KeeperRequest, ToEngine } from './engine_messages.ts';

// Electron only warns of unhandled rejections; a broken engine must end so that main restarts it.
process.on('unhandledRejection', (reason) => {
  console.error(reason);
  process.exit(1);
});

const say = (message: FromEngine) => process.parentPort.postMessage(message);

const asked = new Map<number, (said: string | undefined) => void>();
let nextAsked = 1;
const keeper = (asking: KeeperRequest) =>
  new Promise<string | undefined>((resolve) => {
    asked.set(nextAsked, resolve);
    say({ kind: 'secret', id: nextAsked++, ...asking });
  });
const secrets: Secrets = {
  read: (account) => keeper({ wants: 'read', account }),
  write: async (account, secret) => void (await keeper({ wants: 'write', account, secret })),
  remove: async (account) => void (await keeper({ wants: 'remove', account })),
  keeping: async (account) => ({ by: (await keeper({ wants: 'keeping', account })) === 'system' ? 'system' : 'memory' }),
};

const trashing = new Map<number, PromiseWithResolvers<void>>();
function trash(path: string): Promise<void> {
  const done = Promise.withResolvers<void>();
  trashing.set(nextAsked, done);
  say({ kind: 'trash', id: nextAsked++, path });
  return done.promise;
}

/** Built next to this program; the character maps are in the UI's folder. */
const reading = { program: join(import.meta.dirname, 'words.js'), data: join(import.meta.dirname, '../../ui/pdf') };

let desk: Desk | undefined;

async function answer(letter: ToEngine) {
  switch (letter.kind) {
    case 'open':
      desk = await openDesk({ store: letter.store, folder: letter.folder, secrets, reading, trash });
      desk.onNotice((notice) => say({ kind: 'notice', notice }));
      return say({ kind: 'ready' });
    case 'call':
      try {
        if (!desk) throw new Error('The desk is not open yet.');
        return say({ kind: 'answer', id: letter.id, answer: await callByName(desk, letter.channel, letter.given) });
      } catch (failure) {
        return say({ kind: 'failure', id: letter.id, why: failure instanceof Error ? failure.message : String(failure) });
      }
    case 'secret':
      asked.get(letter.id)?.(letter.said);
      asked.delete(letter.id);
      return;
    case 'trashed':
      if (letter.why === undefined) trashing.get(letter.id)?.resolve();
      else trashing.get(letter.id)?.reject(new Error(letter.why));
      return void trashing.delete(letter.id);
    case 'close':
      await desk?.close();
      process.exit(0);
      break;
    default:
      return letter satisfies never;
  }
}

process.parentPort.on('message', ({ data }: { data: ToEngine }) => void answer(data));
