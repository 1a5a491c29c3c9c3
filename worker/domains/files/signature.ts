// Signs what is handed out to be brought back: upload parameters and short-lived addresses.

const keyOf = (secret: string) =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

/** Names and values in one order, so that the same parameters give the same text. */
const textOf = (parameters: Readonly<Record<string, string>>): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))));

export async function sign(secret: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), textOf(parameters));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Takes the same time whether the signature is nearly right or not at all. */
export async function isSigned(secret: string, parameters: Readonly<Record<string, string>>, signature: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', await keyOf(secret), bytes, textOf(parameters));
}
