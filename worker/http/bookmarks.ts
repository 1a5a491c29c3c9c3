// Read your own writes on replicas: D1 bookmarks, kept for a minute per token for clients that do not send one.

import type { Platform } from '../platform';

const address = (tokenHash: string) => `https://bookmarks.invalid/${tokenHash}`;

type Replicas = Pick<Platform, 'READ_REPLICATION'>;

/** Where to start reading: the client's bookmark, the last write of its token, or any replica. */
export async function startOf(request: Request, isRead: boolean, tokenHash: string | undefined, env: Replicas): Promise<string> {
  if (!isRead) return 'first-primary';
  const sent = request.headers.get('x-d1-bookmark');
  if (sent) return sent;
  if (!tokenHash || env.READ_REPLICATION === 'off') return 'first-unconstrained';
  const kept = await caches.default.match(address(tokenHash));
  return kept ? await kept.text() : 'first-unconstrained';
}

/** Stores the bookmark of a token's write for a minute. */
export async function rememberBookmark(tokenHash: string, bookmark: string, env: Replicas): Promise<void> {
  if (env.READ_REPLICATION === 'off') return;
  await caches.default.put(address(tokenHash), new Response(bookmark, { headers: { 'Cache-Control': 'max-age=60' } }));
}
