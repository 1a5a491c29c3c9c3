// Passwords as slow hashes; hashes in older formats are upgraded at sign-in.
// PBKDF2 with SHA-256 is native on Workers and uses hardly any memory: 600,000 rounds (OWASP's recommendation) took 74 ms of CPU in workerd, argon2id
// and scrypt of the same strength in JavaScript 142 to 276 ms, with 7 to 32 MB each. The platform allows 100,000 rounds per call, so six calls are
// chained, each stretching the previous result. A hash of one call is the first link of a chain: it is verified and upgraded in the same pass, and
// keeps its salt.

import { sameBytes } from './tokens';

const roundsOfLink = 100_000;
/** 600,000 rounds in total. A constant, not a setting, so that no deployment can weaken it by accident. */
const links = 6;

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const unbase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

type Bytes = Uint8Array<ArrayBuffer>;

/** The links of the chain, first to last. */
async function chainOf(password: string, salt: Bytes): Promise<Bytes[]> {
  const chain: Bytes[] = [];
  let secret: Bytes = new Uint8Array(new TextEncoder().encode(password));
  for (let link = 0; link < links; link += 1) {
    const key = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits']);
    secret = new Uint8Array(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: roundsOfLink }, key, 256));
    chain.push(secret);
  }
  return chain;
}

const newSalt = () => crypto.getRandomValues(new Uint8Array(16));

/** `pbkdf2-sha256$6x100000$salt$hash`: algorithm, links and rounds of each, base64 of salt and last link. A single link is written without `1x`. */
const written = (salt: Bytes, chain: readonly Bytes[]) =>
  `pbkdf2-sha256$${links}x${roundsOfLink}$${base64(salt)}$${base64(chain[links - 1] as Bytes)}`;
const ownKind = /^pbkdf2-sha256\$(?:([1-6])x)?100000\$([\w+/]+=*)\$([\w+/]+=*)$/;

export async function hashPassword(password: string): Promise<string> {
  const salt = newSalt();
  return written(salt, await chainOf(password, salt));
}

/** `{SSHA}` and the base64 of SHA-1 and salt: the format of SIS exports. */
async function isSalted(password: string, hash: string): Promise<boolean> {
  try {
    const bytes = unbase64(hash.slice('{SSHA}'.length).trim());
    const digest = await crypto.subtle.digest('SHA-1', new Uint8Array([...new TextEncoder().encode(password), ...bytes.slice(20)]));
    return sameBytes(new Uint8Array(digest), bytes.slice(0, 20));
  } catch {
    return false;
  }
}

interface Verified {
  readonly isRight: boolean;
  /** A new hash to store, when the password is right and its hash has an older format. */
  readonly upgraded: string | undefined;
}

/**
 * Whether a password matches a hash. Always computes the whole chain, so that timing reveals neither whether the login exists, nor whether it has a
 * password, nor the format of its hash.
 * @param kept undefined when there is no such login
 */
export async function verifyPassword(password: string, kept: string | null | undefined): Promise<Verified> {
  const [, count = '1', saltText, hashText] = ownKind.exec(kept ?? '') ?? [];
  const salt = saltText === undefined ? newSalt() : unbase64(saltText);
  const chain = await chainOf(password, salt);
  const isOwnRight = hashText !== undefined && sameBytes(chain[Number(count) - 1] as Bytes, unbase64(hashText));
  const isRight = isOwnRight || (kept?.startsWith('{SSHA}') === true && (await isSalted(password, kept)));
  const isCurrent = isOwnRight && Number(count) === links;
  return { isRight, upgraded: isRight && !isCurrent ? written(salt, chain) : undefined };
}
