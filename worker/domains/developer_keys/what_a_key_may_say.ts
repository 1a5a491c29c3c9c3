// Validation of a developer key's redirect URIs, scopes and public keys.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Operation } from '../../http/operation';
import { invalid } from '../../http/problem';
import { unknownScopes } from '../../http/scopes';

/** Schemes that run code or stay inside the browser. */
const dangerous = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'filesystem:', 'view-source:']);

/** Whether a URI may receive authorization codes. */
export function isRedirectUri(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && uri.length <= 2000 && !dangerous.has(url.protocol) && url.hash === '' && !/[\s#]/.test(uri);
}

/** @throws Problem 400 for a URI that must not receive authorization codes */
export function checkRedirects(uris: readonly string[]): void {
  if (uris.length > 100) throw invalid('redirect_uris', 'too_long', 'must not be more than 100 URIs');
  const wrong = uris.find((uri) => !isRedirectUri(uri));
  if (wrong !== undefined) throw invalid('redirect_uris', 'invalid', `${wrong.slice(0, 200)} is not a valid redirect URI`);
}

/** Splits texts that hold one URI per line. */
export const redirectsOf = (given: readonly string[]): string[] =>
  given
    .flatMap((one) => one.split(/[\r\n]+/))
    .map((one) => one.trim())
    .filter(Boolean);

/** @throws Problem 400 for unknown scopes */
export function checkScopes(scopes: readonly string[], operations: readonly Operation[]): void {
  const unknown = unknownScopes(scopes, operations);
  if (unknown.length > 0) throw invalid('scopes', 'invalid', `unknown scopes: ${unknown.slice(0, 5).join(', ').slice(0, 500)}`);
}

/** @throws Problem 400 unless it is a public key */
export function checkJwk(given: unknown): Record<string, unknown> | null {
  if (given === null || given === '') return null;
  const read = typeof given === 'string' ? parse(given) : given;
  const jwk = typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {};
  const holds = (...names: string[]) => names.every((name) => typeof lookUp(jwk, name) === 'string');
  const isPublic = !('d' in jwk) && ((jwk.kty === 'RSA' && holds('n', 'e')) || (jwk.kty === 'EC' && holds('crv', 'x', 'y')));
  if (!isPublic || JSON.stringify(jwk).length > 10_000)
    throw invalid('public_jwk', 'invalid', 'is not an RSA or EC public key in JWK format');
  // Copied because parameter objects have no prototype, and the statement builder needs one.
  return { ...jwk };
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @throws Problem 400 for a URL that keys cannot be fetched from */
export function checkJwkUrl(given: string | null | undefined): void {
  if (given && (given.length > 2000 || URL.parse(given)?.protocol !== 'https:'))
    throw invalid('public_jwk_url', 'invalid', 'is not an https URL');
}
