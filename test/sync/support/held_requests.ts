// A proxy in front of the real server, which can hold any request before it arrives, and any response before it is returned.

import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passing {
  readonly method: string;
  readonly path: string;
  /** Among all requests. */
  readonly nth: number;
}

export class HeldRequests {
  /** Where requests are sent: another server may be started in its place. */
  to = '';
  url = '';
  /** A request waits until it resolves; false: the connection is cut. */
  before: (passing: Passing) => Promise<unknown> | undefined = () => undefined;
  /** The request was carried out, and its response waits; false: the response is lost. */
  after: (passing: Passing) => Promise<unknown> | undefined = () => undefined;
  #count = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((asked, answer) => {
      const passing = { method: asked.method ?? 'GET', path: asked.url ?? '/', nth: this.#count++ };
      const cut = () => void asked.socket.destroy();
      void (async () => {
        if ((await this.before(passing)) === false) return cut();
        const got = await this.#pass(asked);
        if ((await this.after(passing)) === false) return cut();
        answer.writeHead(got.statusCode ?? 500, got.headers);
        got.pipe(answer);
      })().catch(cut);
    });
  }

  #pass(asked: IncomingMessage): Promise<IncomingMessage> {
    const { method, headers, url = '/' } = asked;
    return new Promise((resolve, reject) => {
      const onward = request(new URL(url, this.to), { method, headers }, resolve);
      onward.on('error', reject);
      asked.on('error', reject).pipe(onward);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  free(): void {
    this.before = () => undefined;
    this.after = () => undefined;
  }
}
