// JSON Web Tokens (RFC 7519): read, verified against public keys, and signed. The cryptography is jose's.

import {
  base64url as base64,
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  importPKCS8,
  type JWK,
  SignJWT,
} from 'jose';

export type JwtClaims = Readonly<Record<string, unknown>>;
export type Jwk = Partial<JsonWebKey> & { readonly kid?: string };

interface Jwt {
  readonly text: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: JwtClaims;
}

/** Only asymmetric algorithms: a public key must never be used as a shared secret, and `none` is no signature. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384'];

/** Base64 of the URL-safe alphabet, without padding. */
export const base64url = (bytes: Uint8Array): string => base64.encode(bytes);

/** Has the form of a JWT: three parts and nothing else. Access tokens of Carrel contain no dots. */
export const isJwt = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);

/** The header and claims of a token, not yet verified; undefined when it cannot be read, or is longer than `longest`. */
export function readJwt(text: string, longest = 20_000): Jwt | undefined {
  if (text.length > longest || !isJwt(text)) return undefined;
  try {
    return { text, header: decodeProtectedHeader(text) as Jwt['header'], claims: decodeJwt(text) };
  } catch {
    return undefined;
  }
}

/** Keys that may have signed the token: the id decides where both name one. At most five are tried. */
const candidates = ({ header }: Jwt, keys: readonly Jwk[]) =>
  keys.filter(({ kid }) => header.kid === undefined || kid === undefined || kid === header.kid).slice(0, 5);

/** Whether one of the public keys has signed the token. The claims are not checked. */
export async function isSignedBy(jwt: Jwt, keys: readonly Jwk[]): Promise<boolean> {
  for (const key of candidates(jwt, keys)) {
    try {
      await compactVerify(jwt.text, key as JWK, { algorithms });
      return true;
    } catch {
      // A key of another kind or use, too short, or malformed has signed nothing.
    }
  }
  return false;
}

/** A private key of the service, and the public key that others verify with. */
export interface SigningKey {
  readonly key: CryptoKey;
  readonly jwk: Jwk & { readonly kid: string };
}

/** @param pkcs8 an EC key on P-256 as base64, with or without line breaks and the PEM frame */
export async function signingKey(pkcs8: string): Promise<SigningKey> {
  const bare = pkcs8.replace(/-----[^-]+-----|\s+/g, '');
  const key = await importPKCS8(`-----BEGIN PRIVATE KEY-----\n${bare}\n-----END PRIVATE KEY-----`, 'ES256', { extractable: true });
  const { kty, crv, x, y } = await exportJWK(key);
  const jwk = { kty, crv, x, y } as JWK;
  // RFC 7638: the id of a key follows from the key.
  return { key, jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' } as SigningKey['jwk'] };
}

/** A signed token (ES256). */
export const signJwt = (claims: JwtClaims, { key, jwk }: SigningKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: jwk.kid }).sign(key);
