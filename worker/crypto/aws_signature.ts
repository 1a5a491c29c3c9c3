// Addresses signed for the S3 interface of R2 (AWS Signature Version 4, in the query). The tests have the published examples.

export interface Signing {
  readonly method: 'GET' | 'PUT';
  readonly url: URL;
  /** Signed as well: the client must send exactly these. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly now: string;
  /** How long the address is valid. */
  readonly seconds: number;
}

const algorithm = 'AWS4-HMAC-SHA256';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function hmac(key: BufferSource, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return crypto.subtle.sign('HMAC', imported, bytesOf(text));
}

/** RFC 3986: everything but unreserved characters is escaped. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

export async function presigned(asked: Signing): Promise<string> {
  const { method, url, region, accessKeyId, secretAccessKey, now, seconds } = asked;
  const time = `${now.replace(/\.\d+/, '').replace(/[-:]/g, '')}`;
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const headers = Object.entries({ host: url.host, ...asked.headers }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = headers.map(([name]) => name).join(';');
  const parameters = {
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': names,
  };
  const query = Object.entries(parameters)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .join('&');
  const path = url.pathname
    .split('/')
    .map((part) => escaped(decodeURIComponent(part)))
    .join('/');
  const request = [method, path, query, ...headers.map(([name, value]) => `${name}:${value.trim()}`), '', names, 'UNSIGNED-PAYLOAD'];
  const digest = await crypto.subtle.digest('SHA-256', bytesOf(request.join('\n')));
  let key: BufferSource = bytesOf(`AWS4${secretAccessKey}`);
  for (const part of scope.split('/')) key = await hmac(key, part);
  const signature = await hmac(key, [algorithm, time, scope, hex(digest)].join('\n'));
  return `${url.origin}${path}?${query}&X-Amz-Signature=${hex(signature)}`;
}
