// Signs data that clients send back: upload parameters and temporary URLs.

const keyOf = (secret: string) =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

/** Names and values in a fixed order, so that equal parameters give equal text. */
const textOf = (parameters: Readonly<Record<string, string>>): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))));

export async function sign(secret: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), textOf(parameters));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares in constant time. */
export async function isSigned(secret: string, parameters: Readonly<Record<string, string>>, signature: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', await keyOf(secret), bytes, textOf(parameters));
}
