// Browser sessions: the session cookie, and CSRF protection.

import { sha256 } from '../http/idempotency';

export const sessionCookie = 'carrel_session';
/** Read by Canvas' own scripts, which send it back as `X-CSRF-Token`. */
export const csrfCookie = '_csrf_token';

/** The value of a cookie; the first of several with the same name. */
export function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(/;\s*/)) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at) === name) return pair.slice(at + 1);
  }
  return undefined;
}

/** Derived from the session's secret, so that it needs no storage and ends with it; the secret cannot be derived from it. */
export const csrfTokenOf = (secret: string): Promise<string> => sha256(`csrf ${secret}`);

/**
 * Whether the browser reports that a page of this host made the request; undefined when it does not say.
 * Current browsers send `Sec-Fetch-Site`, and `Origin` with everything but a GET.
 */
export function comesFromHere(request: Request, origin: string): boolean | undefined {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const from = request.headers.get('origin');
  return from === null ? undefined : from === origin;
}

/**
 * The hash of the request's session. A write counts as having a session only if the browser reports that a page of this host made it or, if it
 * reports nothing, with the CSRF token. Otherwise the cookie is ignored, so that endpoints need no CSRF checks and public ones still work.
 */
export async function sessionOf(
  request: Request,
  origin: string,
  isRead: boolean,
  authenticity_token: unknown,
): Promise<{ hash: string; secret: string } | undefined> {
  const secret = cookieOf(request, sessionCookie);
  if (!secret) return undefined;
  // Browsers let a page of any host open a WebSocket and read from it, unlike other reads.
  const isSocket = request.headers.get('upgrade')?.toLowerCase() === 'websocket';
  if (!isRead || isSocket) {
    const isOwn = comesFromHere(request, origin);
    if (isOwn === false) return undefined;
    const sent = request.headers.get('x-csrf-token') ?? authenticity_token;
    if (isOwn === undefined && (typeof sent !== 'string' || sent.trim() !== (await csrfTokenOf(secret)))) return undefined;
  }
  return { hash: await sha256(secret), secret };
}
