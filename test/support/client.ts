// An API client for tests and the demo: form-encoded like existing Canvas clients, JSON on request.

import { pairsOf } from '@carrel/shared/wire/form';

export interface Cost {
  readonly d1_trips: number;
  /** In all trips. */
  readonly d1_statements: number;
  readonly rows_read: number;
  readonly rows_written: number;
  readonly object_calls: number;
  readonly r2_calls: number;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
  readonly cost: Cost;
  /** The addresses in the Link header by relation. */
  readonly links: Readonly<Record<string, string>>;
}

export type Fetch = (url: string, init: RequestInit & { headers: Record<string, string> }) => Promise<Response>;

const costOf = (headers: Headers): Cost =>
  Object.fromEntries(
    (headers.get('server-timing') ?? '')
      .split(', ')
      .map((part) => part.split(';dur='))
      .map(([name, dur]) => [name, Number(dur)]),
  ) as unknown as Cost;

const linksOf = (headers: Headers) =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, to, rel]) => [rel as string, to as string]),
  );

/** Called with the route of each response, `GET /courses/:course_id`, whether it is a list, and what it cost. */
export type Witness = (route: string, isList: boolean, cost: Cost) => void;

export interface Options {
  readonly headers?: Record<string, string>;
  readonly json?: boolean;
}

/** Addresses outside the API. */
const isOutside = (path: string) =>
  /^\/(login|files_api|files\/\d+\/(download|preview|file_preview)|api|courses\/\d+\/(files|file_contents)\/.*download|docs|$)/.test(path);

function addressOf(base: string, path: string): string {
  if (/^https?:/.test(path)) return path;
  return `${base}${isOutside(path) ? '' : '/api/v1'}${path}`;
}

function withQuery(address: string, given: object): string {
  const query = new URLSearchParams(pairsOf(given)).toString();
  return query ? `${address}${address.includes('?') ? '&' : '?'}${query}` : address;
}

/** The body of a request and its type. The runtime sets the type of a form with files. */
function encoded(given: object, asJson: boolean | undefined): { body: BodyInit; type?: string } {
  if (given instanceof FormData) return { body: given };
  if (asJson) return { body: JSON.stringify(given), type: 'application/json' };
  return { body: new URLSearchParams(pairsOf(given)).toString(), type: 'application/x-www-form-urlencoded' };
}

async function bodyOf(response: Response): Promise<Body> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const isJson = type.includes('json') && !type.includes('jsonl') && text !== '';
  return isJson ? JSON.parse(text) : text;
}

/** @param base scheme and host, no path */
export function clientOf(fetch: Fetch, base: string, token: string | undefined, witness: Witness = () => {}) {
  async function send(method: string, path: string, given: object | undefined, options: Options = {}): Promise<Answer> {
    const address = addressOf(base, path);
    const isQuery = method === 'GET';
    const { body: sent, type } = given && !isQuery ? encoded(given, options.json) : {};
    const response = await fetch(given && isQuery ? withQuery(address, given) : address, {
      method,
      redirect: 'manual',
      headers: { ...(token && { Authorization: `Bearer ${token}` }), ...options.headers, ...(type && { 'Content-Type': type }) },
      ...(sent !== undefined && { body: sent }),
    });
    const body = await bodyOf(response);
    const route = response.headers.get('x-carrel-route');
    const cost = costOf(response.headers);
    if (route && response.status < 400) witness(route, Array.isArray(body), cost);
    return { status: response.status, body, headers: response.headers, cost, links: linksOf(response.headers) };
  }
  return {
    get: (path: string, query?: object, options?: Options) => send('GET', path, query, options),
    post: (path: string, body?: object, options?: Options) => send('POST', path, body, options),
    put: (path: string, body?: object, options?: Options) => send('PUT', path, body, options),
    patch: (path: string, body?: object, options?: Options) => send('PATCH', path, body, options),
    del: (path: string, body?: object, options?: Options) => send('DELETE', path, body, options),
    head: (path: string, options?: Options) => send('HEAD', path, undefined, options),
    /** All pages of a list. */
    async pages(path: string, query: object = {}): Promise<Body[]> {
      const all: Body[] = [];
      for (let next: string | undefined = path, first = true; next; first = false) {
        const answer: Answer = await send('GET', next, first ? query : undefined);
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        all.push(...answer.body);
        next = answer.links.next;
      }
      return all;
    },
  };
}

export type Client = ReturnType<typeof clientOf>;

/** The body of a successful response. @throws Error with the response */
export function answered({ status, body }: Answer): Body {
  if (status < 200 || status > 299) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
