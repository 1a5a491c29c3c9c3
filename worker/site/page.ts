// How pages for people are sent, and what every page needs to know of its visitor. A page is an endpoint that anyone may ask for:
// trip 1 has told who has signed in, `call.me`, and a form that another site posted comes without a session.

import type { Viewer } from '../contexts/viewer';
import type { Call } from '../http/call';
import { type Reply, respond } from '../http/reply';

interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole `Set-Cookie` lines. */
  readonly cookies?: readonly string[];
  /** Origins or schemes, beside this host, that a form of the page may lead to, by redirects too: `https://app.example`, `myapp:`. */
  readonly formAction?: readonly string[];
}

const withCookies = (headers: Headers, cookies: readonly string[] = []) => {
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return headers;
};

/** A page for one visitor: nothing keeps it, nothing frames it, no script runs in it. */
export function page(html: string, { status = 200, headers, cookies, formAction = [] }: Sent = {}): Reply {
  const forms = ["'self'", ...formAction].join(' ');
  return respond(
    new Response(html, {
      status,
      headers: withCookies(
        new Headers({
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`,
          'X-Content-Type-Options': 'nosniff',
          'X-Frame-Options': 'DENY',
          'Referrer-Policy': 'same-origin',
          'Cache-Control': 'no-store',
          ...headers,
        }),
        cookies,
      ),
    }),
  );
}

/** Leads on. 303: whatever the method was, the next request is a GET. */
export const leadTo = (address: string, cookies: readonly string[] = []): Reply =>
  respond(
    new Response(null, { status: 303, headers: withCookies(new Headers({ Location: address, 'Cache-Control': 'no-store' }), cookies) }),
  );

/** Where somebody who has signed in finds something of their own. */
export const home = '/profile/settings';

/** Who has signed in with a browser; a token in a request to a page is not asked. */
export const signedIn = ({ me }: Pick<Call, 'me'>): Viewer | undefined => (me.isKnown && me.session ? me : undefined);

/** To the login page, and back to this address afterwards. */
export const toLogin = ({ url }: Pick<Call, 'url'>, more: Readonly<Record<string, string>> = {}): Reply =>
  leadTo(`/login?${new URLSearchParams({ return_to: `${url.pathname}${url.search}`, ...more })}`);

/** The part below this host of an address that a client gave; nothing for an address elsewhere, or for none. */
export function pathHere(given: unknown, origin: string): string | undefined {
  if (typeof given !== 'string' || given === '' || given.length > 4000) return undefined;
  try {
    const to = new URL(given, origin);
    // What begins with two slashes would lead to another host once the origin is cut off.
    if (to.origin !== new URL(origin).origin || /^\/[/\\]/.test(to.pathname)) return undefined;
    return `${to.pathname}${to.search}${to.hash}`;
  } catch {
    return undefined;
  }
}
