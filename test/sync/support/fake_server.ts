// A server on localhost with the feed, downloads and the planner from a model in memory, which fails on request.

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { hashOfText } from '@carrel/desktop/engine/sync/verify/prove';
import { branchesOf, type ProofLeaf, type ProofPage } from '@carrel/shared/sync/proof';
import type { Change, Kind, Withheld } from '@carrel/shared/sync/protocol';
import { type FakeReply, written } from './fake_writes';

type Json = Record<string, unknown>;

/** What goes wrong with one request. */
export type ServerFault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'cut'
  /** The request is carried out, and the response is lost. */
  | 'unanswered'
  | 'truncate'
  | 'wrong bytes'
  | { readonly wait: number };

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

interface Item {
  readonly change: Change;
  readonly seq: number;
}

/** A list of a server without the feed. */
interface Listed {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** Responses that are the same for every test. */
const always: Readonly<Record<string, unknown>> = {
  '/api/v1/users/self': { id: 7, name: 'Ada Student' },
  '/api/v1/accounts/search': [{ name: 'Test University', domain: '127.0.0.1' }],
};

export class FakeServer {
  token = 'a-token';
  epoch = 'one';
  readonly asked: FakeRequest[] = [];
  readonly bytes = new Map<number, Buffer>();
  /** Responses of addresses outside the feed: discussions, conversations. */
  readonly words = new Map<string, Json>();
  /** Holds a response when all is done. */
  linger: (asked: FakeRequest) => Promise<void> | undefined = () => undefined;
  /** Decides what goes wrong with a request. */
  fault: (asked: FakeRequest) => ServerFault | undefined = () => undefined;
  onAsked: (asked: FakeRequest) => void = () => {};
  /** Holds a request before its body is read. */
  hold: (asked: FakeRequest) => Promise<void> | undefined = () => undefined;
  /** Further requests that a test's server handles; asked first. */
  besides: (asked: FakeRequest, body: string) => FakeReply | undefined = () => undefined;
  /** A server without the feed: its responses to reads; asked first. */
  lists: (url: URL) => Listed | undefined = () => undefined;
  keepsKeys = true;
  /** Lists sent as 304, because the desk had them. */
  unchanged = 0;
  /** Lists sent with a body. */
  told = 0;
  /** Addresses that need no token. */
  readonly open = new Set<string>();
  url = '';
  #items = new Map<string, Item>();
  #seq = 0;
  #ids = 100;
  #oldest = 0;
  /** By number of the change: a value that no other history has there. */
  #marks: string[] = [];
  /** No two states of any item have the same version. */
  #versions = 0;
  readonly #answers = new Map<string, FakeReply>();
  readonly #sockets = new Set<Duplex>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('upgrade', (request, socket) => this.#upgrade(request, socket));
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Requests since the last call. */
  count(): { all: number; downloads: number; feed: number } {
    const all = this.asked.splice(0);
    return {
      all: all.length,
      downloads: all.filter(({ path }) => path.startsWith('/files/')).length,
      feed: all.filter(({ path }) => path.startsWith('/api/sync')).length,
    };
  }

  id = (): number => this.#ids++;

  /** @param place a course, or a negative group id */
  put(kind: Kind, id: number, given: Json, place?: number): number {
    const resource = kind === 'file' || kind === 'folder' ? this.#versioned(kind, id, given) : given;
    const where = place === undefined ? {} : place < 0 ? { group_id: -place } : { course_id: place };
    this.#record({ kind, id, op: 'upsert', resource, ...where });
    return id;
  }

  /** Files and folders have a version that increases with every change; files have a uuid that is never assigned again. */
  #versioned(kind: Kind, id: number, given: Json): Json {
    const known = this.#items.get(`${kind}:${id}`)?.change;
    const uuid = given.uuid ?? (known?.op === 'upsert' ? known.resource.uuid : undefined) ?? randomUUID();
    return { ...given, ...(kind === 'file' && { uuid }), version: ++this.#versions };
  }

  remove(kind: Kind, id: number): void {
    const course_id = this.#items.get(`${kind}:${id}`)?.change.course_id;
    this.#record({ kind, id, op: 'delete', ...(course_id === undefined ? {} : { course_id }) });
  }

  /** Locked for now: lists leave it out, and its bytes are not sent. */
  withhold(kind: Kind, id: number, withheld: Withheld): void {
    const course_id = this.#items.get(`${kind}:${id}`)?.change.course_id;
    this.#record({ kind, id, op: 'delete', withheld, ...(course_id === undefined ? {} : { course_id }) });
  }

  has = (kind: Kind, id: number): boolean => this.#items.get(`${kind}:${id}`)?.change.op === 'upsert';

  get(kind: Kind, id: number): Json {
    const change = this.#items.get(`${kind}:${id}`)?.change;
    if (change?.op !== 'upsert') throw new Error(`there is no ${kind} ${id}`);
    return { ...change.resource };
  }

  all(kind: Kind): Json[] {
    return [...this.#items.values()].flatMap(({ change }) =>
      change.kind === kind && change.op === 'upsert' ? [{ ...change.resource }] : [],
    );
  }

  /** @param place a course, or a negative group id */
  allIn(kind: Kind, place: number): Json[] {
    return [...this.#items.values()].flatMap(({ change }) =>
      change.kind === kind && change.op === 'upsert' && (place < 0 ? change.group_id === -place : change.course_id === place)
        ? [{ ...change.resource }]
        : [],
    );
  }

  change(kind: Kind, id: number, more: Json): void {
    const { course_id, group_id } = this.#items.get(`${kind}:${id}`)?.change ?? {};
    this.put(kind, id, { ...this.get(kind, id), ...more }, group_id === undefined ? course_id : -group_id);
  }

  /** The whole state, to be restored later. */
  backup(): () => void {
    const [items, bytes, marks] = [new Map(this.#items), new Map(this.bytes), [...this.#marks]];
    const [seq, ids] = [this.#seq, this.#ids];
    return () => {
      this.#items = new Map(items);
      this.bytes.clear();
      for (const [id, content] of bytes) this.bytes.set(id, content);
      this.#marks = [...marks];
      this.#seq = seq;
      this.#ids = ids;
    };
  }

  /** Cursors from before now are expired: tombstones are removed. */
  expire(): void {
    for (const [key, { change }] of this.#items) if (change.op === 'delete') this.#items.delete(key);
    this.#oldest = ++this.#seq;
    this.#marks[this.#seq] = randomUUID();
  }

  /** A restore from a backup: another history, in which nothing was ever deleted. */
  forgetHistory(): void {
    this.epoch = randomUUID();
    for (const [key, { change }] of this.#items) if (change.op === 'delete') this.#items.delete(key);
  }

  nudge(more: { readonly bookmark?: string; readonly spread?: number } = {}): void {
    const words = Buffer.from(JSON.stringify({ type: 'changed', ...more }));
    for (const socket of this.#sockets) socket.write(Buffer.concat([Buffer.from([0x81, words.length]), words]));
  }

  #record(change: Change): void {
    this.#items.set(`${change.kind}:${change.id}`, { change, seq: ++this.#seq });
    this.#marks[this.#seq] = randomUUID();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const path = request.url ?? '/';
    const asked = { method: request.method ?? 'GET', path, headers: request.headers };
    this.asked.push(asked);
    this.onAsked(asked);
    await this.hold(asked);
    // A connection that is cut has requested nothing.
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return request.socket.destroy();
    const fault = this.fault(asked);
    if (fault === 'cut') return request.socket.destroy();
    if (typeof fault === 'object' && 'status' in fault) return response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    if (typeof fault === 'object') await new Promise((resolve) => setTimeout(resolve, fault.wait));
    const url = new URL(path, this.url);
    if (url.pathname.startsWith('/files/')) return this.#download(url, request, response, fault);
    if (request.headers.authorization !== `Bearer ${this.token}` && !this.open.has(url.pathname)) {
      response.setHeader('www-authenticate', 'Bearer realm="canvas-lms"');
      return json(response, 401, { errors: [{ message: 'Invalid access token.' }] });
    }
    const reply = asked.method === 'GET' ? await this.#read(url, request, response) : undefined;
    if (reply) return reply;
    const { status, body: answered } = this.#plan(asked, url, body);
    await this.linger(asked);
    if (fault === 'unanswered') return request.socket.destroy();
    return json(response, status, answered);
  }

  /** A read outside the planner. */
  async #read(url: URL, request: IncomingMessage, response: ServerResponse): Promise<ServerResponse | undefined> {
    const listed = this.lists(url);
    if (listed) return this.#list(listed, request, response);
    const { pathname } = url;
    if (pathname === '/api/sync/v1/changes') return this.#changes(url, response);
    if (pathname.endsWith('/proof')) return json(response, 200, await this.#proof(url));
    const body = this.words.get(pathname) ?? always[pathname];
    return body === undefined ? undefined : json(response, 200, body);
  }

  /** With an ETag: a list that the desk has is not sent again. */
  #list({ status, headers, body }: Listed, request: IncomingMessage, response: ServerResponse): ServerResponse {
    const result = typeof body === 'string' ? body : JSON.stringify(body);
    const etag = `W/"${createHash('sha1').update(result).digest('hex')}"`;
    const isKnown = status === 200 && request.headers['if-none-match'] === etag;
    if (isKnown) this.unchanged++;
    else if (status === 200) this.told++;
    return response.writeHead(isKnown ? 304 : status, { etag, ...headers }).end(isKnown ? undefined : result);
  }

  #changes(url: URL, response: ServerResponse): ServerResponse {
    const cursor = url.searchParams.get('cursor');
    const [epoch, after = '0', mark = ''] = cursor?.split(' ') ?? [this.epoch];
    const markNow = (seq: number) => this.#marks[seq] ?? '';
    const isForked = Number(after) > this.#seq || mark !== markNow(Number(after));
    const isOld = Number(after) < this.#oldest;
    const reason = cursor === null ? undefined : epoch !== this.epoch ? 'epoch' : isForked ? 'forked' : isOld ? 'expired' : undefined;
    if (reason !== undefined) return json(response, 409, { error: 'must_refetch', reason });
    const limit = Number(url.searchParams.get('limit') ?? 100);
    const items = [...this.#items.values()]
      .filter(({ seq, change }) => seq > Number(after) && (cursor !== null || change.op === 'upsert'))
      .sort((a, b) => a.seq - b.seq);
    const page = items.slice(0, limit);
    const has_more = items.length > limit;
    const reached = has_more ? (page.at(-1)?.seq ?? 0) : Math.max(this.#seq, Number(after));
    return json(response, 200, {
      epoch: this.epoch,
      cursor: `${this.epoch} ${reached} ${markNow(reached)}`,
      has_more,
      changes: page.map(({ change }) => change),
    });
  }

  async #proof({ pathname }: URL): Promise<ProofPage> {
    const [, place, id] = /\/(courses|groups)\/(\d+)\/proof$/.exec(pathname) ?? [];
    const where = place === 'groups' ? 'group_id' : 'course_id';
    const files = [...this.#items.values()].flatMap(({ change }) =>
      change.kind === 'file' && change.op === 'upsert' && change[where] === Number(id) ? [change.resource as unknown as ProofLeaf] : [],
    );
    return { branches: await branchesOf(files, hashOfText) };
  }

  #download(url: URL, request: IncomingMessage, response: ServerResponse, fault: ServerFault | undefined): ServerResponse {
    const id = Number(url.pathname.split('/')[2]);
    const bytes = this.bytes.get(id);
    const file = this.#items.get(`file:${id}`)?.change;
    if (!bytes || file?.op !== 'upsert' || url.searchParams.get('verifier') !== `v${id}`)
      return json(response, 404, { message: 'no such file' });
    const sent = fault === 'wrong bytes' ? Buffer.from(bytes.map((byte) => byte ^ 0x55)) : bytes;
    const etag = `"${createHash('sha1').update(bytes).digest('hex')}"`;
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    const isPart = range !== undefined && request.headers['if-range'] === etag;
    const start = isPart ? Number(range) : 0;
    response.writeHead(isPart ? 206 : 200, {
      etag,
      'content-length': sent.length - start,
      'accept-ranges': 'bytes',
      ...(isPart ? { 'content-range': `bytes ${start}-${sent.length - 1}/${sent.length}` } : {}),
    });
    if (fault !== 'truncate') return response.end(sent.subarray(start));
    response.write(sent.subarray(start, start + Math.floor((sent.length - start) / 2)));
    setTimeout(() => request.socket.destroy(), 20);
    return response;
  }

  #plan(asked: FakeRequest, url: URL, body: string): FakeReply {
    const { method, headers } = asked;
    const key = this.keepsKeys ? headers['idempotency-key'] : undefined;
    const known = typeof key === 'string' ? this.#answers.get(key) : undefined;
    const write = () => written(this, method, url.pathname, body === '' ? {} : (JSON.parse(body) as Json));
    const { status, body: answered } = known ?? this.besides(asked, body) ?? write();
    if (typeof key === 'string' && status < 300) this.#answers.set(key, { status, body: answered });
    return { status, body: answered };
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const url = new URL(request.url ?? '/', this.url);
    if (url.pathname !== '/api/sync/v1/live' || url.searchParams.get('access_token') !== this.token) return void socket.destroy();
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', () => socket.end());
  }
}

function json(response: ServerResponse, status: number, body: unknown): ServerResponse {
  if (status === 204) return response.writeHead(204).end();
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
