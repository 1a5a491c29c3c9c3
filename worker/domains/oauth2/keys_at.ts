// Fetches the public keys (JWKS) that an application publishes, and caches them for five minutes.

import type { Jwk } from '../../crypto/jwt';
import { bytesWithin, fetchPublic, Unfetched } from '../../web/fetch_public';
import { invalidClient } from './problem';

const most = 100_000;
const kept = 300;
/** An unknown key id triggers a refetch, but not more often than this. */
const pause = 30_000;

const addressOf = (url: string) => `https://keys.invalid/${encodeURIComponent(url)}`;

const keysOf = (text: string): readonly Jwk[] => {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) ? keys.filter((key): key is Jwk => typeof key === 'object' && key !== null).slice(0, 50) : [];
  } catch {
    return [];
  }
};

async function fetchKeys(url: string): Promise<string> {
  try {
    const response = await fetchPublic(url, {
      redirects: 0,
      httpsOnly: true,
      signal: AbortSignal.timeout(5000),
      headers: { Accept: 'application/json' },
    });
    if (!response.ok) throw new Unfetched(`the URL returned ${response.status}`);
    return new TextDecoder().decode(await bytesWithin(response, most));
  } catch (error) {
    if (!(error instanceof Unfetched)) throw error;
    throw invalidClient(`failed to load the client’s keys: ${error.message}`);
  }
}

/** @param kid the key id; if it is not cached, the application may have rotated its keys */
export async function keysAt(url: string, kid: unknown): Promise<readonly Jwk[]> {
  const cached = await caches.default.match(addressOf(url));
  if (cached) {
    const keys = keysOf(await cached.text());
    const isFresh = Number(cached.headers.get('x-fetched')) > Date.now() - pause;
    if (kid === undefined || isFresh || keys.some((key) => key.kid === kid)) return keys;
  }
  const text = await fetchKeys(url);
  await caches.default.put(
    addressOf(url),
    new Response(text, { headers: { 'Cache-Control': `max-age=${kept}`, 'X-Fetched': String(Date.now()) } }),
  );
  return keysOf(text);
}
