// A small load generator: parallel requests over loopback, up to a number of requests or a duration, whichever ends first.

import { Agent, get } from 'node:http';

export interface Load {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly atOnce: number;
  readonly requests: number;
  readonly milliseconds: number;
}

export interface Borne {
  readonly perSecond: number;
  readonly requests: number;
  readonly bytes: number;
}

export async function runLoad({ url, headers, atOnce, requests, milliseconds }: Load): Promise<Borne> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const started = performance.now();
  let [begun, done, bytes] = [0, 0, 0];
  const ask = () =>
    new Promise<void>((settle, fail) => {
      get(url.href, { agent, headers }, (response) => {
        if (response.statusCode !== 200) fail(new Error(`${url.href} answers ${response.statusCode}`));
        bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        response.on('end', settle);
        response.on('error', fail);
      }).on('error', fail);
    });
  const lane = async () => {
    while (begun < requests && performance.now() - started < milliseconds) {
      begun++;
      await ask();
      done++;
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, lane));
  } finally {
    agent.destroy();
  }
  return { perSecond: (done * 1000) / (performance.now() - started), requests: done, bytes };
}
