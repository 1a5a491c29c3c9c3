// Reading one's own writes from the nearest replica: D1 bookmarks, kept a minute per token for clients that know nothing of them.

import type { Platform } from '../platform';

const address = (tokenHash: string) => `https://bookmarks.invalid/${tokenHash}`;

type Replicas = Pick<Platform, 'READ_REPLICATION'>;

/** Where a request must start reading: the client's bookmark, the last write of its token, or anywhere. */
export async function startOf(request: Request, isRead: boolean, tokenHash: string | undefined, env: Replicas): Promise<string> {
  if (!isRead) return 'first-primary';
  const sent = request.headers.get('x-d1-bookmark');
  if (sent) return sent;
  if (!tokenHash || env.READ_REPLICATION === 'off') return 'first-unconstrained';
  const kept = await caches.default.match(address(tokenHash));
  return kept ? await kept.text() : 'first-unconstrained';
}

/** Remembers for a minute where a token's writes can be read. */
export async function remember(tokenHash: string, bookmark: string, env: Replicas): Promise<void> {
  if (env.READ_REPLICATION === 'off') return;
  await caches.default.put(address(tokenHash), new Response(bookmark, { headers: { 'Cache-Control': 'max-age=60' } }));
}
