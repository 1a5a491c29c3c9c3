// OAuth 1.0 signatures with HMAC-SHA1 (RFC 5849), as LTI 1.1 uses them.

export type Pair = readonly [name: string, value: string];

/** RFC 3986: everything but unreserved characters is escaped. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const bytesOf = (text: string) => new TextEncoder().encode(text);
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Scheme and host in lower case, without default port, query and fragment (RFC 5849 §3.4.1.2). */
const baseAddress = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`;

/** @param given parameters of body and header, without `oauth_signature`; those of the query are added */
export function signatureBase(method: string, address: string, given: readonly Pair[]): string {
  const url = new URL(address);
  const pairs = [...given, ...url.searchParams]
    .map(([name, value]) => [percentEncoded(name), percentEncoded(value)] as const)
    .sort((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return [method.toUpperCase(), baseAddress(url), pairs].map(percentEncoded).join('&');
}

/** The signature as base64. @param tokenSecret that of an access token, which LTI does not have */
export async function oauthSignature(
  method: string,
  address: string,
  pairs: readonly Pair[],
  secret: string,
  tokenSecret = '',
): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', bytesOf(`${percentEncoded(secret)}&${percentEncoded(tokenSecret)}`), algorithm, false, [
    'sign',
  ]);
  return base64(await crypto.subtle.sign('HMAC', key, bytesOf(signatureBase(method, address, pairs))));
}

/** The `oauth_body_hash` of a body that is no form. */
export const oauthBodyHash = async (body: Uint8Array<ArrayBuffer>): Promise<string> => base64(await crypto.subtle.digest('SHA-1', body));

/** The parameters of an `Authorization: OAuth …` header; undefined for another header. */
export function oauthHeader(header: string | null): ReadonlyMap<string, string> | undefined {
  const sent = /^oauth\s+(.*)$/is.exec(header ?? '')?.[1];
  if (sent === undefined || sent.length > 10_000) return undefined;
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of sent.matchAll(/([\w%.~-]+)="([^"]*)"/g)) {
    try {
      found.set(decodeURIComponent(name), decodeURIComponent(value));
    } catch {
      return undefined;
    }
  }
  return found;
}
