// The open sockets of one user. They only signal that something has changed, so a lost signal costs latency, never data.

import { DurableObject } from 'cloudflare:workers';
import type { ChangeSignal } from '@carrel/shared/sync/protocol';
import { wireTime } from '@carrel/shared/wire/fields';
import type { Platform } from '../platform';

const signal = JSON.stringify({ type: 'changed' } satisfies ChangeSignal);

declare module '../platform' {
  interface Platform {
    readonly USER_FEED: DurableObjectNamespace<UserFeed>;
  }
}

export class UserFeed extends DurableObject<Platform> {
  constructor(state: DurableObjectState, env: Platform) {
    super(state, env);
    // Answered without waking the object.
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Opens a socket. The Worker has already authenticated the caller. */
  override async fetch(request: Request): Promise<Response> {
    const user = request.headers.get('x-user') ?? '';
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1], [user]);
    await this.env.DB.prepare('insert or replace into live_users (user_id, connected_at) values (?, ?)')
      .bind(Number(user), wireTime(Date.now()))
      .run();
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  /** Makes every connected client query the feed. */
  nudge(): number {
    const sockets = this.ctx.getWebSockets();
    for (const socket of sockets) {
      try {
        socket.send(signal);
      } catch {
        // A closing socket queries the feed when it reconnects.
      }
    }
    return sockets.length;
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    const [user] = this.ctx.getTags(socket);
    // 1005 and 1006 must not be sent as close codes.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
    if (this.ctx.getWebSockets().filter((other) => other !== socket).length === 0)
      await this.env.DB.prepare('delete from live_users where user_id = ?').bind(Number(user)).run();
  }
}
