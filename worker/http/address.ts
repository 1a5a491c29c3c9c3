// The URL of a request, as its client sent it.

import type { Platform } from '../platform';

export interface Address {
  readonly url: URL;
  /** Scheme and host exactly as the client used them: Link headers repeat them, and clients compare strings. */
  readonly origin: string;
}

/** The first of several: each proxy appends its own. */
const forwarded = (request: Request, name: string): string | undefined => request.headers.get(name)?.split(',')[0]?.trim();

const host = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The URL of a request. `X-Forwarded-Proto` and `X-Forwarded-Host` count only with `TRUST_PROXY`, because otherwise clients could inject any host
 * into responses. Repeated leading slashes are collapsed.
 */
export function addressOfRequest(request: Request, { TRUST_PROXY }: Pick<Platform, 'TRUST_PROXY'>): Address {
  const url = new URL(request.url);
  let name = request.headers.get('host') ?? url.host;
  if (url.pathname.startsWith('//')) url.pathname = url.pathname.replace(/^\/+/, '/');
  if (TRUST_PROXY === '1') {
    const [scheme, publicHost] = [forwarded(request, 'x-forwarded-proto')?.toLowerCase(), forwarded(request, 'x-forwarded-host')];
    if (scheme === 'http' || scheme === 'https') url.protocol = scheme;
    if (publicHost !== undefined && host.test(publicHost)) {
      name = publicHost;
      url.port = '';
      url.host = publicHost;
    }
  }
  return { url, origin: `${url.protocol}//${name}` };
}
