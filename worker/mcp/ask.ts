// The REST interface as tools ask it, in the same isolate: tools see, may do and write exactly what the caller's token can by REST.

import { ToolRefusal } from '@carrel/shared/assistants/tool';
import { htmlToText } from '../html/plain';

/** A request that failed, as the assistant reads it. */
export class RestRefusal extends ToolRefusal {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(`${message} (${status})`);
  }
}

type Value = string | number | boolean | readonly (string | number)[] | undefined;
export type Query = Readonly<Record<string, Value>>;

export interface Rest {
  get<T>(path: string, query?: Query): Promise<T>;
  send<T>(method: 'POST' | 'PUT', path: string, body: object): Promise<T>;
  /** The content of a file, if it is text and not too long. @param url of this service */
  text(url: string, longest: number): Promise<string>;
}

/** The message of an error response. */
export const refusalText = (body: unknown): string => {
  const { errors, message } = (typeof body === 'object' && body !== null ? body : {}) as { errors?: unknown; message?: unknown };
  if (typeof message === 'string') return message;
  if (Array.isArray(errors)) return errors.map((one: { message?: unknown }) => String(one.message ?? 'error')).join('; ');
  return errors === undefined ? 'The request failed' : JSON.stringify(errors);
};

const search = (query: Query): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : Array.isArray(value) ? value.map((one) => [name, String(one)]) : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs as [string, string][])}`;
};

/**
 * @param fetch serves a request
 * @param refused is called with responses other than success, and the message of each
 */
export function restOf(
  origin: string,
  token: string,
  fetch: (request: Request) => Promise<Response>,
  refused: (response: Response, message: string) => void,
): Rest {
  async function ask(path: string, init: RequestInit, credential: HeadersInit = { Authorization: token }): Promise<Response> {
    const headers = { ...credential, Accept: 'application/json', ...init.headers };
    const response = await fetch(new Request(`${origin}${path}`, { ...init, headers }));
    if (response.ok) return response;
    const message = refusalText(await response.json().catch(() => undefined));
    refused(response, message);
    throw new RestRefusal(response.status, message);
  }
  return {
    get: async (path, query = {}) => (await ask(`/api/v1${path}${search(query)}`, {})).json(),
    send: async (method, path, body) =>
      (await ask(`/api/v1${path}`, { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })).json(),
    async text(url, longest) {
      const { pathname, search: query } = new URL(url, origin);
      // The address itself gives access, and no scope of a token names it.
      const response = await ask(`${pathname}${query}`, {}, {});
      const bytes = new Uint8Array(await response.arrayBuffer());
      return new TextDecoder().decode(bytes.subarray(0, longest));
    },
  };
}

/** HTML of a course as text, cut to what an assistant can use. */
export function readable(html: string | null | undefined, longest = 20_000): string {
  const text = htmlToText(html ?? '');
  return text.length <= longest ? text : `${text.slice(0, longest)}\n[cut after ${longest} characters]`;
}
