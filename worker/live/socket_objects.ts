// Which Durable Object holds the sockets of a user. Few objects, so that a write makes few calls however many users are connected.

import type { Platform } from '../platform';
import type { LiveSockets } from './live_sockets';

declare module '../platform' {
  interface Platform {
    readonly LIVE_SOCKETS: DurableObjectNamespace<LiveSockets>;
  }
}

const usualObjects = 8;

/** Changing the number costs every client one reconnection, which a deployment does anyway. */
export function numberOfObjects({ LIVE_OBJECTS }: Pick<Platform, 'LIVE_OBJECTS'>): number {
  const given = Math.floor(Number(LIVE_OBJECTS ?? usualObjects));
  return given >= 1 ? given : usualObjects;
}

/** Ids are numbered in sequence, so the remainder spreads them evenly. */
export const objectOf = (userId: number, env: Pick<Platform, 'LIVE_OBJECTS'>): number => userId % numberOfObjects(env);

/** Earlier versions named their objects after users, by the id alone. */
export const socketsOf = (object: number, { LIVE_SOCKETS }: Pick<Platform, 'LIVE_SOCKETS'>): DurableObjectStub<LiveSockets> =>
  LIVE_SOCKETS.get(LIVE_SOCKETS.idFromName(`sockets-${object}`));
