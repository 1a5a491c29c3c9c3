// Whether a host name resolves to public addresses only. A Worker cannot resolve names itself, so it uses DNS over HTTPS. Without a response from a
// resolver nothing is fetched, and the work fails or is retried. docs/security.md describes the remaining risk.

import { isPublicAddress } from './public_address';

/** The second is the fallback. Both support the JSON format `application/dns-json`. */
const resolvers = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/resolve'];
const types = { A: 1, AAAA: 28 } as const;

/** A result is cached for the TTL of its records, at most a minute. */
const longest = 60_000;
const mostKept = 1000;
const kept = new Map<string, { readonly isPublic: boolean; readonly until: number }>();

interface Answers {
  readonly Status?: number;
  readonly Answer?: readonly { readonly type?: number; readonly TTL?: number; readonly data?: string }[];
}

/** No resolver has responded. */
export class Unresolved extends Error {}

const isAnswered = ({ Status }: Answers) => Status === 0 || Status === 3;

/** Timeout per resolver in milliseconds. */
const patience = 4000;

async function ask(resolver: string, host: string, type: keyof typeof types, signal: AbortSignal): Promise<Answers> {
  const response = await fetch(`${resolver}?name=${encodeURIComponent(host)}&type=${type}`, {
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    headers: { Accept: 'application/dns-json' },
  });
  const answers = response.ok ? ((await response.json()) as Answers) : {};
  if (!isAnswered(answers)) throw new Unresolved();
  return answers;
}

/** The response of the first resolver that answers. @throws Unresolved */
async function resolve(host: string, signal: AbortSignal): Promise<readonly { readonly ttl: number; readonly address: string }[]> {
  for (const resolver of resolvers) {
    const both = await Promise.all((['A', 'AAAA'] as const).map((type) => ask(resolver, host, type, signal))).catch(() => undefined);
    if (!both) continue;
    return both
      .flatMap(({ Answer = [] }) => Answer)
      .flatMap(({ type, TTL, data }) => (type === types.A || type === types.AAAA ? [{ ttl: Number(TTL) || 0, address: data ?? '' }] : []));
  }
  throw new Unresolved();
}

/**
 * Whether a host has addresses, all of them public. IP literals are checked directly.
 * @throws Unresolved
 */
export async function leadsToPublic(hostname: string, signal: AbortSignal): Promise<boolean> {
  if (hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)) return isPublicAddress(hostname);
  const now = Date.now();
  const known = kept.get(hostname);
  if (known && known.until > now) return known.isPublic;
  const found = await resolve(hostname, signal);
  const isPublic = found.length > 0 && found.every(({ address }) => isPublicAddress(address));
  if (kept.size >= mostKept) kept.clear();
  kept.set(hostname, { isPublic, until: now + Math.min(longest, ...found.map(({ ttl }) => ttl * 1000)) });
  return isPublic;
}
