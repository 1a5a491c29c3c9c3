// Authorises users of the web host: the printed key is exchanged once for an HttpOnly cookie.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';

interface Session {
  readonly key: string;
  readonly cookie: (port: number) => string;
  readonly isKey: (given: unknown) => boolean;
  readonly admits: (request: IncomingMessage, port: number) => boolean;
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

/** The key is stored, so that open pages keep working after a restart. */
function keyIn(store: string): string {
  const path = join(store, 'desk-key');
  try {
    const kept = readFileSync(path, 'utf8').trim();
    if (/^[\w-]{43}$/.test(kept)) return kept;
  } catch {
    // The first start creates the key.
  }
  const key = randomBytes(32).toString('base64url');
  mkdirSync(store, { recursive: true });
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return key;
}

export function openWebSession(store: string): Session {
  const key = keyIn(store);
  const value = digest(`cookie of ${key}`).toString('base64url');
  // Cookies are shared by all ports of a host, so the name includes the port.
  const name = (port: number) => `carrel-desk-${port}`;
  return {
    key,
    cookie: (port) => `${name(port)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`,
    isKey: (given) => typeof given === 'string' && same(given, key),
    admits: (request, port) =>
      (request.headers.cookie ?? '').split(/;\s*/).some((pair) => {
        const [cookieName, cookieValue = ''] = pair.split('=');
        return cookieName === name(port) && same(cookieValue, value);
      }),
  };
}
