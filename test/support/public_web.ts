// The public web, as the tests' runtime reaches it: one host with a few addresses, and nothing else.

import { clientKey } from './client_keys.ts';

const host = 'https://files.carrel.org';

/** Answers what the service fetches from outside. */
export function publicWeb(address: string): { status: number; body?: string; location?: string } {
  switch (address) {
    case `${host}/notes.txt`:
      return { status: 200, body: 'fetched from afar' };
    case `${host}/jwks`:
      return { status: 200, body: JSON.stringify({ keys: [{ kty: 'RSA', kid: 'another' }, clientKey] }) };
    case `${host}/moved`:
      return { status: 302, location: '/notes.txt' };
    case `${host}/inwards`:
      return { status: 302, location: 'http://169.254.169.254/latest' };
    case `${host}/round`:
      return { status: 302, location: '/round' };
    case `${host}/large`:
      return { status: 200, body: 'x'.repeat(1_100_000) };
    case `${host}/mail`:
      return { status: 202, body: 'accepted' };
    case `${host}/mail/refuses`:
      return { status: 422, body: 'no such mailbox' };
    case `${host}/mail/sleeps`:
      return { status: 503, body: 'later' };
    default:
      return { status: 404 };
  }
}
