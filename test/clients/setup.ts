// Records the successful requests of unmodified clients in this process, identified by their user agent.

import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll } from 'vitest';

// A request on a connection that the server is just closing would fail, so each request has its own.
const { Agent, setGlobalDispatcher } = createRequire(createRequire(import.meta.url).resolve('@kth/canvas-api'))('undici') as {
  readonly Agent: new (options: { readonly pipelining: number }) => object;
  readonly setGlobalDispatcher: (dispatcher: object) => void;
};
setGlobalDispatcher(new Agent({ pipelining: 0 }));

const clients = /@kth\/canvas-api|canvas-lms-api|got\/8|lti-tool/;
const asked = new Set<string>();

const note = (method: string, path: string, status: number) => {
  if (status < 400) asked.add(`${method} ${path.split('?')[0]}`);
};

interface Heard {
  readonly request: { readonly method: string; readonly path: string; readonly headers: string | readonly string[] };
  readonly response: { readonly statusCode: number };
}

subscribe('undici:request:headers', (message) => {
  const { request, response } = message as Heard;
  if (clients.test(String(request.headers))) note(request.method, request.path, response.statusCode);
});

subscribe('http.client.response.finish', (message) => {
  const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
  if (clients.test(String(request.getHeader('user-agent')))) note(request.method, request.path, response.statusCode ?? 0);
});

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern.
afterAll(({}, suite) => {
  Object.assign(suite.meta, { asked: [...asked] });
});
