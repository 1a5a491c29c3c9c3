// An upload as clients make it: three steps, the second without a token.

import { env, SELF } from 'cloudflare:test';
import { as, base, noteRoute, ok } from './api';
import type { Answer } from './client';
import type { Person } from './ground';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

interface Sent {
  readonly status: number;
  readonly body: Told;
  readonly headers: Headers;
}

type Content = string | Uint8Array<ArrayBuffer>;

/** How many objects the bucket has, without page views, which are stored at any time. */
export const storedObjects = async (): Promise<number> =>
  (await env.FILES.list()).objects.filter(({ key }) => !key.startsWith('page_views/')).length;

/** Step 2: the parameters first, the file last. */
export async function sendContent(ticket: Told, content: Content | FormData): Promise<Sent> {
  let form: FormData;
  if (content instanceof FormData) form = content;
  else {
    form = new FormData();
    for (const [name, value] of Object.entries(ticket.upload_params as Record<string, string>)) form.append(name, value);
    form.append('file', new Blob([content]), 'as the client calls it.bin');
  }
  const response = await SELF.fetch(ticket.upload_url, { method: 'POST', body: form as never });
  noteRoute(response.headers, response.status);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text, headers: response.headers as never };
}

/** Steps 1 and 2; returns the File. */
export async function upload(
  person: Person,
  path: string,
  given: object & { name: string },
  content: Content = 'some text',
): Promise<Told> {
  const size = typeof content === 'string' ? new TextEncoder().encode(content).length : content.length;
  const ticket = ok(await as(person).post(path, { size, ...given }));
  const sent = await sendContent(ticket, content);
  if (sent.status !== 201) throw new Error(`${sent.status} ${JSON.stringify(sent.body)}`);
  return sent.body;
}

/** Downloads an address: bytes and headers. */
export async function bytes(address: string, init: RequestInit & { headers?: Record<string, string> } = {}, person?: Person) {
  const response = await SELF.fetch(address.startsWith('/') ? `${base}${address}` : address, {
    redirect: 'manual',
    ...init,
    headers: { ...(person && { Authorization: `Bearer ${person.token}` }), ...init.headers },
  } as never);
  noteRoute(response.headers, response.status);
  const content = new Uint8Array(await response.arrayBuffer());
  const cost = Object.fromEntries(
    (response.headers.get('server-timing') ?? '').split(', ').map((part) => {
      const [name = '', count] = part.split(';dur=');
      return [name, Number(count)];
    }),
  ) as unknown as Answer['cost'];
  return {
    status: response.status,
    headers: response.headers as unknown as Headers,
    content,
    text: new TextDecoder().decode(content),
    cost,
  };
}
