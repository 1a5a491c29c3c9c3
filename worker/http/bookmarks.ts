// Reading one's own writes from the nearest replica: D1 bookmarks, kept a minute per token for clients that know nothing of them.

const address = (tokenHash: string) => `https://bookmarks.invalid/${tokenHash}`;

/** Where a request must start reading: the client's bookmark, the last write of its token, or anywhere. */
export async function startOf(request: Request, isRead: boolean, tokenHash: string | undefined): Promise<string> {
  if (!isRead) return 'first-primary';
  const sent = request.headers.get('x-d1-bookmark');
  if (sent) return sent;
  if (!tokenHash) return 'first-unconstrained';
  const kept = await caches.default.match(address(tokenHash));
  return kept ? await kept.text() : 'first-unconstrained';
}

/** Remembers for a minute where a token's writes can be read. */
export const remember = (tokenHash: string, bookmark: string): Promise<void> =>
  caches.default.put(address(tokenHash), new Response(bookmark, { headers: { 'Cache-Control': 'max-age=60' } }));
