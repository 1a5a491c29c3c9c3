// The engine's own process: it opens the desk and answers main's calls. SQLite and the disk block here, never the windows.

import { join } from 'node:path';
import { openDesk } from '../../engine/desk.ts';
import { callByName, type Desk } from '../desk.ts';
import type { FromEngine, ToEngine } from './letters.ts';

// Electron only warns of these; a half-broken engine must not go on. Main starts a new one.
process.on('unhandledRejection', (reason) => {
  console.error(reason);
  process.exit(1);
});

const say = (letter: FromEngine) => process.parentPort.postMessage(letter);

const asked = new Map<number, (token: string | undefined) => void>();
let nextAsked = 1;
const secret = (wants: 'read' | 'write' | 'remove', token?: string) =>
  new Promise<string | undefined>((resolve) => {
    asked.set(nextAsked, resolve);
    say({ kind: 'secret', id: nextAsked++, wants, token });
  });
const secrets = {
  read: () => secret('read'),
  write: async (token: string) => void (await secret('write', token)),
  remove: async () => void (await secret('remove')),
};

/** Built beside this program; the maps of characters lie with the ui. */
const reading = { program: join(import.meta.dirname, 'words.js'), data: join(import.meta.dirname, '../../ui/pdf') };

let desk: Desk | undefined;

async function answer(letter: ToEngine) {
  switch (letter.kind) {
    case 'open':
      desk = await openDesk({ store: letter.store, folder: letter.folder, secrets, reading });
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
      asked.get(letter.id)?.(letter.token);
      asked.delete(letter.id);
      return;
    case 'close':
      await desk?.close();
      process.exit(0);
      break;
    default:
      return letter satisfies never;
  }
}

process.parentPort.on('message', ({ data }: { data: ToEngine }) => void answer(data));
