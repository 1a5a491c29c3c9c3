// The main process's side of the engine: calls, notices, and a restart when the engine process dies.

import { join } from 'node:path';
import { shell, type UtilityProcess, utilityProcess } from 'electron';
import type { ChangeNotice, Channel, ChannelParams, ChannelResult } from '../../contract/channels.ts';
import type { FromEngine, ToEngine } from './engine_messages.ts';
import type { TokenKeeper } from './token.ts';

const longestPause = 60_000;

export interface EngineProcess {
  readonly call: <C extends Channel>(channel: C, given: ChannelParams<C>) => Promise<ChannelResult<C>>;
  readonly onNotice: (listener: (notice: ChangeNotice) => void) => void;
  readonly close: () => Promise<void>;
}

/** Resolves to the reason when it fails, for example on a disk without a trash. */
const throwAway = (path: string): Promise<{ why?: string }> =>
  shell.trashItem(path).then(
    () => ({}),
    (problem: unknown) => ({ why: problem instanceof Error ? problem.message : String(problem) }),
  );

export function startEngine({ store, folder, keeper }: { store: string; folder: string; keeper: TokenKeeper }): EngineProcess {
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (why: Error) => void }>();
  const listeners = new Set<(notice: ChangeNotice) => void>();
  let nextCall = 1;
  let pause = 1000;
  let closing = false;
  let ready = Promise.withResolvers<void>();
  let child = start();

  function start(): UtilityProcess {
    const started = utilityProcess.fork(join(import.meta.dirname, 'engineProcess.js'), [], {
      serviceName: 'Carrel engine',
      // fsync occupies a thread; with the default four, downloads would wait for the disk.
      env: { ...process.env, UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '16' },
    });
    const say = (message: ToEngine) => started.postMessage(message);
    started.on('message', (letter: FromEngine) => void hear(letter, say));
    started.on('spawn', () => say({ kind: 'open', store, folder }));
    started.on('exit', () => {
      for (const { reject } of waiting.values()) reject(new Error('The engine stopped unexpectedly and is restarting. Try again.'));
      waiting.clear();
      if (closing) return;
      ready = Promise.withResolvers<void>();
      setTimeout(() => {
        child = start();
      }, pause);
      pause = Math.min(longestPause, pause * 2);
    });
    return started;
  }

  async function hear(letter: FromEngine, say: (letter: ToEngine) => void) {
    switch (letter.kind) {
      case 'ready':
        pause = 1000;
        ready.resolve();
        return listeners.forEach((tell) => void tell({ changed: ['status', 'planner', 'courses', 'files', 'announcements', 'account'] }));
      case 'notice':
        return listeners.forEach((tell) => void tell(letter.notice));
      case 'secret':
        return say({ kind: 'secret', id: letter.id, said: await keeper.answer(letter) });
      case 'trash':
        return say({ kind: 'trashed', id: letter.id, ...(await throwAway(letter.path)) });
      case 'answer':
        waiting.get(letter.id)?.resolve(letter.answer as never);
        return void waiting.delete(letter.id);
      case 'failure':
        waiting.get(letter.id)?.reject(new Error(letter.why));
        return void waiting.delete(letter.id);
      default:
        return letter satisfies never;
    }
  }

  return {
    async call(channel, given) {
      await ready.promise;
      const id = nextCall++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.postMessage({ kind: 'call', id, channel, given } satisfies ToEngine);
      });
    },
    onNotice: (listener) => void listeners.add(listener),
    async close() {
      closing = true;
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.postMessage({ kind: 'close' } satisfies ToEngine);
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 5000))]);
    },
  };
}
