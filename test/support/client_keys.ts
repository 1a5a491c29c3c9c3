// The key pair of a test application: the private key is public.

export const clientKey = {
  kty: 'EC',
  crv: 'P-256',
  kid: 'of-the-tests',
  x: 'YI49Z-DlIHqkkWWuB42jJmYqqbqTfi1BlXvU5UvKHiM',
  y: 'gIB5TNWy_TViqZMo1KA-cFhM959NyFxAtRFjyw9laKM',
} as const;

/** The key with which the service signs in tests. */
export const testJwtKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsJWE5OXitFn9HvDYAyZIExgMkHvXj5E8Pzf5oCjERYihRANCAATGbHUdHAYPjUhIHilJgNtQs/xraHMkDp25mMl3ryKFjqnrs6S96nAl+bNYDHyY5zkKiEfxm4n9qujWYM99O9hy';

const d = 'v-fZ59Y424D7caLDzl2kqRbBO9kayTD9ezQ8UX0A5Jc';

const part = (value: Uint8Array | object) =>
  btoa(String.fromCharCode(...(value instanceof Uint8Array ? value : new TextEncoder().encode(JSON.stringify(value)))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** A JWT signed with it. */
export async function assert(claims: object, header: object = {}): Promise<string> {
  const { kid, ...jwk } = clientKey;
  const key = await crypto.subtle.importKey('jwk', { ...jwk, d }, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  const signed = `${part({ alg: 'ES256', typ: 'JWT', kid, ...header })}.${part(claims)}`;
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(signed));
  return `${signed}.${part(new Uint8Array(signature))}`;
}
