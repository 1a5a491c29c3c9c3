// A socket for live updates, and the signals that it receives.

import { SELF } from 'cloudflare:test';
import { expect, onTestFinished } from 'vitest';
import { base } from './api';
import type { Person } from './ground';

export interface HeardSignal {
  readonly type: string;
  readonly bookmark: string;
  readonly spread: number;
}

/** Opens a socket, which is closed when the test ends: an open one keeps the runtime from ending. */
export async function openSocket(person: Person) {
  const answer = await SELF.fetch(`${base}/api/sync/v1/live?access_token=${person.token}`, { headers: { Upgrade: 'websocket' } });
  expect(answer.status).toBe(101);
  const socket = answer.webSocket as WebSocket;
  const heard: (HeardSignal & { readonly at: number })[] = [];
  const pongs: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    if (data === 'pong') pongs.push(data);
    else heard.push({ ...(JSON.parse(data as string) as HeardSignal), at: Date.now() });
  });
  socket.accept();
  onTestFinished(() => socket.close());
  return { socket, heard, pongs };
}
