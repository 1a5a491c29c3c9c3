// Fetches from the public web on behalf of a user, with limits and never from a non-public address, literal or resolved. Each redirect is checked
// like the first URL.

import { isPublic } from './public_address';
import { leadsToPublic, Unresolved } from './resolve';

const longestLookup = 10_000;

/** A failure outside of this service; reported and not retried automatically. */
export class Unfetched extends Error {}

const notPublic = () => new Unfetched('the URL is not public');

/** @throws Unfetched for a host that resolves to a non-public address, or does not resolve */
async function refuseInward({ hostname }: URL, signal: AbortSignal): Promise<void> {
  const isOpen = await leadsToPublic(hostname.replace(/\.$/, ''), signal).catch((error: unknown) => {
    throw error instanceof Unresolved ? new Unfetched('the host could not be resolved') : error;
  });
  if (!isOpen) throw notPublic();
}

interface Asked {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum number of redirects; 5 by default. */
  readonly redirects?: number;
  readonly httpsOnly?: boolean;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
}

/**
 * The response of a URL, after redirects.
 * @throws Unfetched for a non-public address, no response, or too many redirects
 */
export async function fetchPublic(
  first: string,
  { signal, headers = {}, redirects = 5, httpsOnly = false, method = 'GET', body }: Asked,
): Promise<Response> {
  let at = first;
  for (let hops = 0; hops <= redirects; hops += 1) {
    const url = URL.parse(at);
    if (!url || !isPublic(url) || (httpsOnly && url.protocol !== 'https:')) throw notPublic();
    await refuseInward(url, signal);
    const response = await fetch(url, { method, body, redirect: 'manual', signal, headers: { Accept: '*/*', ...headers } }).catch(() => {
      throw new Unfetched('the URL does not respond');
    });
    const leadsTo = response.status === 304 ? null : response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || leadsTo === null) return response;
    await response.body?.cancel().catch(() => undefined);
    at = URL.parse(leadsTo, url)?.href ?? '';
  }
  throw new Unfetched('there are too many redirects');
}

/**
 * Fetches from the public web and from explicitly trusted hosts, without redirects.
 * @throws Unfetched for another host, or a public one without https
 */
export const fetchTrusted =
  (hosts: readonly string[]) =>
  async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address);
    if (!hosts.includes(url.hostname)) {
      if (url.protocol !== 'https:' || !isPublic(url)) throw notPublic();
      await refuseInward(url, init.signal ?? AbortSignal.timeout(longestLookup));
    }
    return fetch(url, { ...init, redirect: 'manual' });
  };

/**
 * The bytes of a response, up to a limit.
 * @throws Unfetched for a longer or truncated response
 */
export async function bytesWithin(response: Response, most: number): Promise<Uint8Array> {
  const tooLarge = () => new Unfetched('the response is too large');
  if (Number(response.headers.get('content-length') ?? 0) > most) throw tooLarge();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const reader = response.body?.getReader(); reader; ) {
    const { done, value } = await reader.read().catch(() => {
      throw new Unfetched('the download was truncated');
    });
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge();
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
