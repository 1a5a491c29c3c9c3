// Random secrets, stored as hashes.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random alphanumeric text. */
export const randomText = (length: number): string =>
  [...crypto.getRandomValues(new Uint32Array(length))].map((value) => alphabet[value % alphabet.length]).join('');

/** A new access token: 64 characters, shown once. */
export const newToken = (): string => randomText(64);

/** Compares two values in constant time. */
export const sameBytes = (actual: Uint8Array, wanted: Uint8Array): boolean =>
  actual.length === wanted.length && actual.reduce((difference, byte, at) => difference | (byte ^ (wanted[at] ?? 0)), 0) === 0;

/** The same for texts. */
export const sameText = (actual: string, wanted: string): boolean => {
  const encoder = new TextEncoder();
  return sameBytes(encoder.encode(actual), encoder.encode(wanted));
};
