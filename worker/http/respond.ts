// The last step of a request: from what it answers to the bytes that are sent.

import type { Call } from './call';
import { withChosenFields } from './chosen_fields';
import type { Endpoint } from './endpoint';
import { sha256 } from './idempotency';
import { holdToResource } from './oracle';
import { linkHeader, sealFor } from './page';
import type { PreparedResponse } from './perform';
import { withStringIds } from './string_ids';

async function linkOf(
  { next, isNextBookmarked }: PreparedResponse,
  { method, options }: Endpoint,
  call: Call,
): Promise<Record<string, string>> {
  if (next === undefined || method !== 'GET') return {};
  const sealed = sealFor(call.env.SIGNING_SECRET, call.url, call.tree);
  return { Link: await linkHeader(call.url, call.origin, call.page, next, sealed, { ...options, isNextBookmarked }) };
}

/** After a write, where a later read must start to see it. */
function bookmarkOf({ method }: Endpoint, call: Call): Record<string, string> {
  const bookmark = method === 'GET' ? null : call.db.bookmark();
  return bookmark ? { 'X-D1-Bookmark': bookmark } : {};
}

/** The JSON with the keys and the kind of ids that the client asked for. */
function shaped(json: unknown, { options: { choosable } }: Endpoint, call: Call): unknown {
  const wantsStrings = call.request.headers.get('accept')?.includes('application/json+canvas-string-ids') ?? false;
  const chosen = choosable ? withChosenFields(json, call.tree, choosable === true ? undefined : choosable) : json;
  return wantsStrings ? withStringIds(chosen) : chosen;
}

export async function respond(result: PreparedResponse, endpoint: Endpoint, call: Call): Promise<Response> {
  if (call.env.ORACLE === '1') holdToResource(result, endpoint);
  const headers = new Headers({
    'Content-Type': 'application/json; charset=utf-8',
    ...result.headers,
    ...(await linkOf(result, endpoint, call)),
    ...bookmarkOf(endpoint, call),
  });
  const status = result.status ?? endpoint.options.status ?? 200;
  if (status === 204) return new Response(null, { status, headers });
  const json = shaped(result.json, endpoint, call);
  const body = JSON.stringify(json);
  // Clients ask for lists again and again; a list that has not changed is answered without its body.
  const isList = endpoint.method === 'GET' && status === 200 && Array.isArray(json);
  if (isList && !headers.has('Cache-Control')) headers.set('Cache-Control', 'max-age=0, private, must-revalidate');
  if (!isList && !endpoint.options.tagged) return new Response(body, { status, headers });
  const etag = `W/"${(await sha256(body)).slice(0, 32)}"`;
  headers.set('ETag', etag);
  const isKnown = call.request.headers.get('if-none-match')?.includes(etag) ?? false;
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { status, headers });
}
