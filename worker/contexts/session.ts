// The browser's way in: the session cookie, and whether a request that carries it was meant by the person.

import { sha256 } from '../http/idempotency';

export const sessionCookie = 'carrel_session';
/** Read by Canvas' own scripts, which send it back as `X-CSRF-Token`. */
export const csrfCookie = '_csrf_token';

/** The value of a cookie; the first, where a browser sends several of one name. */
export function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(/;\s*/)) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at) === name) return pair.slice(at + 1);
  }
  return undefined;
}

/** Follows from the session's secret, so that it needs no storage and dies with it; the secret does not follow from it. */
export const csrfTokenOf = (secret: string): Promise<string> => sha256(`csrf ${secret}`);

/**
 * Whether the browser says that a page of this host made the request; undefined where it says nothing.
 * Every browser of today sends `Sec-Fetch-Site`, and `Origin` with whatever is not a GET.
 */
export function comesFromHere(request: Request, origin: string): boolean | undefined {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const from = request.headers.get('origin');
  return from === null ? undefined : from === origin;
}

/**
 * The hash of the session that a request came with. A write counts as coming with one only where the browser says that a page of
 * this host made it, or, where the browser says nothing, where it carries the token that only such a page can know. Otherwise
 * the cookie is as good as absent: no rule of an endpoint has to think of forgery, and what is open to all stays so.
 */
export async function sessionOf(
  request: Request,
  origin: string,
  isRead: boolean,
  authenticity_token: unknown,
): Promise<{ hash: string; secret: string } | undefined> {
  const secret = cookieOf(request, sessionCookie);
  if (!secret) return undefined;
  // A page of any host may open a WebSocket and read what it brings: no rule of the browser's forbids that, as one does for other reads.
  const isSocket = request.headers.get('upgrade')?.toLowerCase() === 'websocket';
  if (!isRead || isSocket) {
    const isOwn = comesFromHere(request, origin);
    if (isOwn === false) return undefined;
    const sent = request.headers.get('x-csrf-token') ?? authenticity_token;
    if (isOwn === undefined && (typeof sent !== 'string' || sent.trim() !== (await csrfTokenOf(secret)))) return undefined;
  }
  return { hash: await sha256(secret), secret };
}
