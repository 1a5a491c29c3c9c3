// Whether a host name leads to public addresses only. A Worker cannot resolve a name by itself, so it asks resolvers by DNS over HTTPS.
// Where no resolver answers, nothing is fetched: the work fails with its reason, and what is done again by itself is done again later.
// What this leaves open is written in docs/security.md.

import { isPublicAddress } from './public_address';

/** The second is asked where the first does not answer. Both speak JSON (RFC 8484's resolvers, in the form of `application/dns-json`). */
const resolvers = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/resolve'];
const types = { A: 1, AAAA: 28 } as const;

/** A verdict is kept for as long as its answers are, and a minute at most. */
const longest = 60_000;
const mostKept = 1000;
const kept = new Map<string, { readonly isPublic: boolean; readonly until: number }>();

interface Answers {
  readonly Status?: number;
  readonly Answer?: readonly { readonly type?: number; readonly TTL?: number; readonly data?: string }[];
}

/** No resolver has answered. */
export class Unresolved extends Error {}

const isAnswered = ({ Status }: Answers) => Status === 0 || Status === 3;

/** How long a resolver has before the next one is asked. */
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

/** What the first resolver that answers says. @throws Unresolved */
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
 * Whether a host of a URL has addresses, and all of them are public. An address is judged as it is.
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
