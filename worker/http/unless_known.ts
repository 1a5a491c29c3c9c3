// Conditional GET by ETag, for texts that programs poll.

import { sha256 } from './idempotency';

export async function unlessKnown(body: string, about: Readonly<Record<string, string>>, request: Request): Promise<Response> {
  const headers = { ...about, 'Cache-Control': 'private, no-cache', ETag: `"${(await sha256(body)).slice(0, 32)}"` };
  const isKnown = request.headers.get('if-none-match')?.includes(headers.ETag) ?? false;
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}
