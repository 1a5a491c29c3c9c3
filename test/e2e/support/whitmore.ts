// Whitmore University, the demo, on a real server that tests stop and restart.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, clientOf } from '../../support/client';
import { furnish, type Prepared, prepare } from '../../support/demo/institution';
import { groundOf, type Person } from '../../support/ground';
import { type Server, startServer, withDatabase } from '../../support/server';

export interface Whitmore extends Prepared {
  readonly url: string;
  readonly as: (person: Person) => Client;
  readonly stop: () => Promise<void>;
  /** At the same address, with the same state. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openWhitmore(): Promise<Whitmore> {
  const home = mkdtempSync(join(tmpdir(), 'carrel-whitmore-'));
  const now = Date.now();
  const prepared = await withDatabase(home, (d1) => prepare(groundOf(d1), now));
  let server: Server | undefined = await startServer({ persist: home });
  const { url } = server;
  await furnish(prepared, url, now);
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  return {
    ...prepared,
    url,
    as: ({ token }) => clientOf((address, init) => fetch(address, init), url, token),
    stop,
    async start() {
      server = await startServer({ persist: home, port: Number(new URL(url).port) });
    },
    async close() {
      await stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
