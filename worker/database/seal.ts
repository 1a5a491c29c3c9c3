// Words that only this service may read again: kept in a row, or carried by a browser, that must not tell them.

const base64 = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
const unbase64 = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

/** One key for each purpose, so that what was sealed for one opens nothing in another. */
async function keyFor(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, ['deriveKey']);
  const by = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: new TextEncoder().encode(purpose) };
  return crypto.subtle.deriveKey(by, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

export async function seal(secret: string, purpose: string, words: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyFor(secret, purpose), new TextEncoder().encode(words));
  return base64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** The words; nothing for what was not sealed with this secret for this purpose. */
export async function unseal(secret: string, purpose: string, sealed: string): Promise<string | undefined> {
  try {
    const bytes = unbase64(sealed);
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.slice(0, 12) }, await keyFor(secret, purpose), bytes.slice(12));
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}
