// The live connection: a socket whose only message is "ask the feed again". A lost message delays a sync but loses no data.

import type { D1Bookmark } from '@carrel/shared/sync/d1_bookmark';
import type { ChangeSignal } from '@carrel/shared/sync/protocol';
import type { Clock } from './session';
import { SpreadSignals } from './signals';

export interface LiveConnection {
  /** A dead connection counts as open until two pulses have passed. */
  readonly isOpen: boolean;
  close(): void;
}

const shortestPause = 5000;
const longestPause = 60_000;
/** The server answers a ping without waking up; a connection that died while the machine slept is noticed by the missing answer. */
const pulse = 45_000;

interface Listening {
  readonly url: string;
  readonly bearing: { readonly token: string };
  readonly clock: Clock;
  /** @param bookmark for the request that follows */
  readonly onSignal: (bookmark: D1Bookmark) => void;
}

/** Stays connected until closed. `onSignal` is also called after each reconnection, because a message may have been missed. */
export function listen({ url, bearing, clock, onSignal }: Listening): LiveConnection {
  let isClosed = false;
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let hasConnected = false;
  let isAnswered = true;
  const signals = new SpreadSignals(clock.random, onSignal);

  const connect = (): void => {
    const address = new URL('/api/sync/v1/live', url);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    // The standard WebSocket cannot carry an Authorization header.
    address.searchParams.set('access_token', bearing.token);
    socket = new WebSocket(address);
    socket.addEventListener('open', () => {
      failures = 0;
      isAnswered = true;
      if (hasConnected) signals.take({});
      hasConnected = true;
    });
    socket.addEventListener('message', ({ data }) => {
      isAnswered = true;
      const signal = signalIn(data);
      if (signal) signals.take(signal);
    });
    // Every deployment of the server closes all sockets at once: the reconnections are spread over ten seconds.
    socket.addEventListener('close', () => {
      if (isClosed) return;
      const pause = Math.min(longestPause, shortestPause * 2 ** failures++) * (0.1 + 1.9 * clock.random());
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
    get isOpen() {
      return socket?.readyState === WebSocket.OPEN;
    },
    close() {
      isClosed = true;
      clearInterval(beat);
      clearTimeout(timer);
      signals.close();
      socket?.close();
    },
  };
}

function signalIn(data: unknown): ChangeSignal | undefined {
  try {
    const message = JSON.parse(String(data)) as ChangeSignal;
    return message.type === 'changed' ? message : undefined;
  } catch {
    return undefined;
  }
}
