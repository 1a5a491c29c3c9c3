// Secrets: made at random, kept as hashes.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A text of random letters and digits. */
export const randomText = (length: number): string =>
  [...crypto.getRandomValues(new Uint32Array(length))].map((value) => alphabet[value % alphabet.length]).join('');

/** A new access token: 64 characters, shown once. */
export const newToken = (): string => randomText(64);

const base64 = (bytes: ArrayBuffer | Uint8Array) => btoa(String.fromCharCode(...new Uint8Array(bytes as ArrayBuffer)));
const unbase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

async function stretch(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits']);
  return crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256);
}

/** The platform allows at most 100,000 iterations. */
const iterations = 100_000;

/** `pbkdf2-sha256$iterations$salt$hash`. */
export async function hashPassword(password: string, rounds = iterations): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  return `pbkdf2-sha256$${rounds}$${base64(salt)}$${base64(await stretch(password, salt, rounds))}`;
}

const isSame = (actual: Uint8Array, wanted: Uint8Array) =>
  actual.length === wanted.length && actual.reduce((difference, byte, at) => difference | (byte ^ (wanted[at] ?? 0)), 0) === 0;

/** Whether two texts are one; how long it takes says nothing of where they part. */
export const sameText = (actual: string, wanted: string): boolean => {
  const encoder = new TextEncoder();
  return isSame(encoder.encode(actual), encoder.encode(wanted));
};

/** `{SSHA}` and the base64 of SHA-1 and salt: how student information systems hand passwords over. */
async function isSalted(password: string, hash: string): Promise<boolean> {
  try {
    const bytes = unbase64(hash.slice('{SSHA}'.length).trim());
    const digest = await crypto.subtle.digest('SHA-1', new Uint8Array([...new TextEncoder().encode(password), ...bytes.slice(20)]));
    return isSame(new Uint8Array(digest), bytes.slice(0, 20));
  } catch {
    return false;
  }
}

/** Whether a hash is one that a sign-in should replace by a slower one: another house's, or ours from easier times. */
export const isOutdated = (hash: string): boolean => Number(hash.split('$')[1] ?? 0) < iterations;

/** Whether a password is the one that was hashed; takes the same time for any password of one length. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  if (hash.startsWith('{SSHA}')) return isSalted(password, hash);
  const [kind, rounds, salt, expected] = hash.split('$');
  if (kind !== 'pbkdf2-sha256' || !rounds || !salt || !expected) return false;
  const actual = new Uint8Array(await stretch(password, unbase64(salt), Number(rounds)));
  return isSame(actual, unbase64(expected));
}

/** Of nobody's password: what is verified where there is no login, so that the answer takes as long. */
export const nobodysHash = `pbkdf2-sha256$${iterations}$${base64(new Uint8Array(16))}$${base64(new Uint8Array(32))}`;
