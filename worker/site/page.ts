// Responses with HTML pages. A page is an endpoint with `can: 'anyone'`: trip 1 has identified the signed-in user, `call.me`, and a form posted from
// another site is treated as anonymous.

import type { Viewer } from '../contexts/viewer';
import type { Call } from '../http/call';
import { type Reply, rawResponse } from '../http/reply';

interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Complete `Set-Cookie` values. */
  readonly cookies?: readonly string[];
  /** Origins or schemes, besides this host, that a form may submit or redirect to: `https://app.example`, `myapp:`. */
  readonly formAction?: readonly string[];
}

const withCookies = (headers: Headers, cookies: readonly string[] = []) => {
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return headers;
};

/** A private page: not cached, not framed, without scripts. */
export function htmlPage(html: string, { status = 200, headers, cookies, formAction = [] }: Sent = {}): Reply {
  const forms = ["'self'", ...formAction].join(' ');
  return rawResponse(
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

/** Redirects with 303, so that the next request is a GET. */
export const leadTo = (address: string, cookies: readonly string[] = []): Reply =>
  rawResponse(
    new Response(null, { status: 303, headers: withCookies(new Headers({ Location: address, 'Cache-Control': 'no-store' }), cookies) }),
  );

/** The default page after signing in. */
export const signedInHome = '/profile/settings';

/** The user of the browser session; tokens do not count for pages. */
export const signedIn = ({ me }: Pick<Call, 'me'>): Viewer | undefined => (me.isKnown && me.session ? me : undefined);

/** Redirects to the login page, and back to this URL afterwards. */
export const toLogin = ({ url }: Pick<Call, 'url'>, more: Readonly<Record<string, string>> = {}): Reply =>
  leadTo(`/login?${new URLSearchParams({ return_to: `${url.pathname}${url.search}`, ...more })}`);

/** The path of a URL on this host; undefined for other hosts and invalid URLs. */
export function pathHere(given: unknown, origin: string): string | undefined {
  if (typeof given !== 'string' || given === '' || given.length > 4000) return undefined;
  try {
    const to = new URL(given, origin);
    // A path with two leading slashes would be a URL of another host.
    if (to.origin !== new URL(origin).origin || /^\/[/\\]/.test(to.pathname)) return undefined;
    return `${to.pathname}${to.search}${to.hash}`;
  } catch {
    return undefined;
  }
}
