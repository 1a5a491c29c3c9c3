// JSON Web Tokens (RFC 7519), signed: read, verified against public keys, and made. By Web Crypto alone.

export type Claims = Readonly<Record<string, unknown>>;
export type Jwk = Partial<JsonWebKey> & { readonly kid?: string };

export interface Jwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Claims;
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

interface Algorithm {
  readonly kty: 'RSA' | 'EC';
  readonly crv?: string;
  readonly import: SubtleCryptoImportKeyAlgorithm;
  readonly verify: SubtleCryptoSignAlgorithm;
}

const rsa = (bits: number): Algorithm => ({
  kty: 'RSA',
  import: { name: 'RSASSA-PKCS1-v1_5', hash: `SHA-${bits}` },
  verify: { name: 'RSASSA-PKCS1-v1_5' },
});
const ec = (bits: number, crv: string): Algorithm => ({
  kty: 'EC',
  crv,
  import: { name: 'ECDSA', namedCurve: crv },
  verify: { name: 'ECDSA', hash: `SHA-${bits}` },
});

/** Asymmetric ones alone: a public key must never be taken for a shared secret, nor `none` for a signature. */
const algorithms: ReadonlyMap<unknown, Algorithm> = new Map([
  ['RS256', rsa(256)],
  ['RS384', rsa(384)],
  ['RS512', rsa(512)],
  ['PS256', { kty: 'RSA', import: { name: 'RSA-PSS', hash: 'SHA-256' }, verify: { name: 'RSA-PSS', saltLength: 32 } }],
  ['ES256', ec(256, 'P-256')],
  ['ES384', ec(384, 'P-384')],
]);

const encode = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
const decode = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
const bytesOf = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/** Base64 of the URL-safe alphabet, without padding. */
export const base64url = encode;

/** Looks like one: three parts and nothing else. Access tokens of ours hold no dots. */
export const isJwt = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);

/** What a token says, not yet believed; nothing for what cannot be read. */
export function readJwt(text: string): Jwt | undefined {
  if (!isJwt(text) || text.length > 20_000) return undefined;
  const [head = '', body = '', signature = ''] = text.split('.');
  const object = (part: string): Claims => {
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(decode(part)));
    if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new TypeError('no object');
    return read as Claims;
  };
  try {
    return { header: object(head), claims: object(body), signed: bytesOf(`${head}.${body}`), signature: decode(signature) };
  } catch {
    return undefined;
  }
}

/** Keys of which one may have signed: by id where both name one, of the kind that the algorithm wants. */
const fitting = ({ header }: Jwt, { kty, crv }: Algorithm, keys: readonly Jwk[]) =>
  keys
    .filter((key) => key.kty === kty && (crv === undefined || key.crv === crv) && key.use !== 'enc')
    .filter(
      (key) =>
        (key.alg === undefined || key.alg === header.alg) && (header.kid === undefined || key.kid === undefined || key.kid === header.kid),
    )
    .slice(0, 5);

/** Whether one of the public keys has signed it. The claims are another question. */
export async function isSignedBy(jwt: Jwt, keys: readonly Jwk[]): Promise<boolean> {
  const algorithm = algorithms.get(jwt.header.alg);
  // What must be understood (`crit`) is not: nothing beyond the registered headers is known here.
  if (!algorithm || 'crit' in jwt.header) return false;
  for (const { kty, n, e, crv, x, y } of fitting(jwt, algorithm, keys)) {
    // RSA below 2048 bits is broken by now.
    if (kty === 'RSA' && (n?.length ?? 0) < 340) continue;
    const bare = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y };
    try {
      const key = await crypto.subtle.importKey('jwk', bare as JsonWebKey, algorithm.import, false, ['verify']);
      if (await crypto.subtle.verify(algorithm.verify, key, jwt.signature, jwt.signed)) return true;
    } catch {
      // A key that is none has signed nothing.
    }
  }
  return false;
}

/** A private key of ours, and what others verify with. */
export interface SigningKey {
  readonly key: CryptoKey;
  readonly jwk: Jwk & { readonly kid: string };
}

/** RFC 7638: a key's name follows from the key. */
async function thumbprint({ crv, kty, x, y }: JsonWebKey): Promise<string> {
  return encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(JSON.stringify({ crv, kty, x, y })))));
}

/** @param pkcs8 an EC key on P-256 as base64, lines and PEM's frame allowed */
export async function signingKey(pkcs8: string): Promise<SigningKey> {
  const bytes = decode(pkcs8.replace(/-----[^-]+-----|\s+/g, ''));
  const key = await crypto.subtle.importKey('pkcs8', bytes, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  const { kty, crv, x, y } = (await crypto.subtle.exportKey('jwk', key)) as JsonWebKey;
  const bare = { kty, crv, x, y };
  return { key, jwk: { ...bare, kid: await thumbprint(bare), alg: 'ES256', use: 'sig' } as SigningKey['jwk'] };
}

/** A signed token (ES256). */
export async function signJwt(claims: Claims, { key, jwk }: SigningKey): Promise<string> {
  const part = (value: object) => encode(bytesOf(JSON.stringify(value)));
  const signed = `${part({ alg: 'ES256', typ: 'JWT', kid: jwk.kid })}.${part(claims)}`;
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytesOf(signed));
  return `${signed}.${encode(new Uint8Array(signature))}`;
}
