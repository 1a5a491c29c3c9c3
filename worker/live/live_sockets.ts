// The open sockets of many users. They only signal that something has changed, so a lost signal costs latency, never data.

import { DurableObject } from 'cloudflare:workers';
import type { D1Bookmark } from '@carrel/shared/sync/d1_bookmark';
import type { ChangeSignal } from '@carrel/shared/sync/protocol';
import type { Platform } from '../platform';
import { ConnectedUsers } from './connected_users';
import { type Signal, SignalLimiter, spreadFor } from './signal_limiter';

/** Users of one object who receive the same signal. */
export interface Recipients {
  readonly users: readonly number[];
  readonly spread: number;
}

const hour = 3_600_000;

export class LiveSockets extends DurableObject<Platform> {
  readonly #limiter: SignalLimiter;
  readonly #connected: ConnectedUsers;

  constructor(state: DurableObjectState, env: Platform) {
    super(state, env);
    // Answered without waking the object.
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
    this.#limiter = new SignalLimiter((user, signal) => this.#send(user, signal));
    this.#connected = new ConnectedUsers(env.DB, (user) => this.#socketsOf(user).length > 0);
  }

  /** Opens a socket. The Worker has already authenticated the caller. */
  override async fetch(request: Request): Promise<Response> {
    const [user, object] = [Number(request.headers.get('x-user')), Number(request.headers.get('x-object'))];
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1], [String(user)]);
    try {
      await this.#keepChecking(object);
      await this.#connected.changed(user, object);
    } catch (error) {
      pair[1].close(1011, 'not registered');
      throw error;
    }
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  /** Makes the clients of some users query the feed. */
  signal(object: number, bookmark: D1Bookmark, recipients: readonly Recipients[]): void {
    for (const { users, spread } of recipients) {
      this.#limiter.signal(users, { bookmark, spread });
      for (const user of users) if (this.#socketsOf(user).length === 0) this.ctx.waitUntil(this.#connected.changed(user, object));
    }
  }

  /** Makes all clients query the feed. */
  signalAll(objects: number, bookmark: D1Bookmark): void {
    const users = this.#users();
    this.#limiter.signal(users, { bookmark, spread: spreadFor(users.size * objects) });
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    // 1005 and 1006 must not be sent as close codes.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
    await this.#left(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    socket.close(1011);
    await this.#left(socket);
  }

  /** A reset closes all sockets without an event, and a restored database has other rows: both are put right within an hour. */
  override async alarm(): Promise<void> {
    const users = this.#users();
    await this.#connected.replaceAll([...users], await this.#number());
    if (users.size > 0) await this.ctx.storage.setAlarm(Date.now() + hour);
  }

  /** The number of this object is stored for the alarm, which has no caller to name it. */
  async #keepChecking(object: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    await this.ctx.storage.put('object', object);
    await this.ctx.storage.setAlarm(Date.now() + hour);
  }

  async #number(): Promise<number> {
    return (await this.ctx.storage.get<number>('object')) ?? 0;
  }

  async #left(socket: WebSocket): Promise<void> {
    const [user] = this.ctx.getTags(socket);
    await this.#connected.changed(Number(user), await this.#number());
  }

  #send(user: number, { bookmark, spread }: Signal): void {
    const text = JSON.stringify({ type: 'changed', bookmark, spread } satisfies ChangeSignal);
    for (const socket of this.#socketsOf(user)) {
      try {
        socket.send(text);
      } catch {
        // A closing socket queries the feed when it reconnects.
      }
    }
  }

  #socketsOf(user: number): WebSocket[] {
    return this.ctx.getWebSockets(String(user)).filter(isOpen);
  }

  #users(): Set<number> {
    const open = this.ctx.getWebSockets().filter(isOpen);
    return new Set(open.map((socket) => Number(this.ctx.getTags(socket)[0])));
  }
}

/** A socket that is being closed is still listed. */
const isOpen = ({ readyState }: WebSocket): boolean => readyState === WebSocket.OPEN;
