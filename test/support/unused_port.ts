// A port for a server that starts seconds later.

import { createServer } from 'node:net';

/** Systems give the ports above to outgoing connections and to servers that ask for any port, so one may be taken before this server starts. */
const [lowest, highest] = [10_000, 30_000];

const isFree = (port: number) =>
  new Promise<boolean>((settle) => {
    const probe = createServer();
    probe.once('error', () => settle(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => settle(true)));
  });

export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
}
