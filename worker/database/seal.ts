// Encrypts text that only this service can read: stored in a row, or carried by a browser or link.

const base64 = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
const unbase64 = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

/** Cached per purpose, because every page of a list is sealed. A key holds nothing of the request that derived it. */
const keys = new Map<string, CryptoKey>();

/** One key per purpose, so that a value sealed for one is useless for another. */
async function keyFor(secret: string, purpose: string): Promise<CryptoKey> {
  const name = `${purpose}\n${secret}`;
  const known = keys.get(name);
  if (known) return known;
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, ['deriveKey']);
  const by = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: new TextEncoder().encode(purpose) };
  const key = await crypto.subtle.deriveKey(by, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  keys.set(name, key);
  return key;
}

const cipher = (iv: Uint8Array<ArrayBuffer>, bound: string) => ({ name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(bound) });

/** @param bound the context of the text: unsealing needs the same value */
export async function seal(secret: string, purpose: string, words: string, bound = ''): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(cipher(iv, bound), await keyFor(secret, purpose), new TextEncoder().encode(words));
  return base64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** The text; undefined unless it was sealed with this secret, purpose and context. */
export async function unseal(secret: string, purpose: string, sealed: string, bound = ''): Promise<string | undefined> {
  try {
    const bytes = unbase64(sealed);
    const opened = await crypto.subtle.decrypt(cipher(bytes.slice(0, 12), bound), await keyFor(secret, purpose), bytes.slice(12));
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}
