// The live connection: a socket whose only message is "ask the feed again". A lost message delays a sync but loses no data.

import type { ChangeSignal } from '@carrel/shared/sync/protocol';
import type { Clock } from './session';

export interface LiveConnection {
  close(): void;
}

const shortestPause = 1000;
const longestPause = 60_000;
/** The server answers a ping without waking up; a connection that died while the machine slept is noticed by the missing answer. */
const pulse = 45_000;

interface Listening {
  readonly url: string;
  readonly bearing: { readonly token: string };
  readonly clock: Clock;
  readonly onNudge: () => void;
}

/** Stays connected until closed. `onNudge` is also called after each reconnection, because a message may have been missed. */
export function listen({ url, bearing, clock, onNudge }: Listening): LiveConnection {
  let isClosed = false;
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let hasConnected = false;
  let isAnswered = true;

  const connect = (): void => {
    const address = new URL('/api/sync/v1/live', url);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    // The standard WebSocket cannot carry an Authorization header.
    address.searchParams.set('access_token', bearing.token);
    socket = new WebSocket(address);
    socket.addEventListener('open', () => {
      failures = 0;
      isAnswered = true;
      if (hasConnected) onNudge();
      hasConnected = true;
    });
    socket.addEventListener('message', ({ data }) => {
      isAnswered = true;
      if (isNudge(data)) onNudge();
    });
    // Every deployment of the server closes all sockets at once: jitter spreads the reconnections.
    socket.addEventListener('close', () => {
      if (isClosed) return;
      const pause = Math.min(longestPause, shortestPause * 2 ** failures++) * (0.5 + clock.random());
      timer = setTimeout(connect, pause);
    });
    socket.addEventListener('error', () => socket?.close());
  };

  const beat = setInterval(() => {
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (!isAnswered) return socket.close();
    isAnswered = false;
    socket.send('ping');
  }, pulse);

  connect();
  return {
    close() {
      isClosed = true;
      clearInterval(beat);
      clearTimeout(timer);
      socket?.close();
    },
  };
}

function isNudge(data: unknown): boolean {
  try {
    return (JSON.parse(String(data)) as ChangeSignal).type === 'changed';
  } catch {
    return false;
  }
}
