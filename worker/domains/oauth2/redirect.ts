// Redirect URIs: they must match a registered one exactly.

import type { DeveloperKeyRow } from '../../contexts/developer_key';

/** For applications without a redirect URI: the code is shown to be copied by hand. */
export const oob = 'urn:ietf:wg:oauth:2.0:oob';

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(?=\/|\?|$)/;

export const isLoopback = (uri: string): boolean => loopback.test(uri);

/** Native applications may use any loopback port (RFC 8252 §7.3). */
const withoutPort = (uri: string) => uri.replace(loopback, 'http://$1');

export const mayRedirectTo = (key: Pick<DeveloperKeyRow, 'redirect_uri' | 'redirect_uris'>, uri: string): boolean =>
  uri === oob ||
  [key.redirect_uri, ...key.redirect_uris].some(
    (known) => known !== null && (known === uri || (loopback.test(known) && withoutPort(known) === withoutPort(uri))),
  );

/** The redirect URI with the response in its query. */
export function withAnswer(uri: string, given: Readonly<Record<string, string | undefined>>): string {
  const [before = '', ...rest] = uri.split('?');
  const query = new URLSearchParams(rest.join('?'));
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return `${before}?${query}`;
}
