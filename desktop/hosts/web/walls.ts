// Keeps other pages and computers out: checks the Host and Origin headers, and sets the UI's content security policy.

import type { IncomingMessage } from 'node:http';

const names = ['127.0.0.1', 'localhost', '[::1]'];

/** Null when the request may pass, else the reason. A foreign Host is a DNS rebinding attack, a foreign Origin another page. */
export function refusalReason(request: IncomingMessage, port: number): string | null {
  const own = names.map((name) => `${name}:${port}`);
  const { host, origin } = request.headers;
  if (!host || !own.includes(host)) return 'Carrel accepts requests from this computer only.';
  if (origin !== undefined && origin !== `http://${host}`) return 'Carrel accepts requests from its own page only.';
  const site = request.headers['sec-fetch-site'];
  if (request.method !== 'GET' && site !== undefined && site !== 'same-origin') return 'Carrel accepts requests from its own page only.';
  return null;
}

/** `style-src-attr` allows the inline styles of readings: a frame without an address inherits this policy. */
export const uiPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The content security policy of a course file: no scripts, no requests.
 * A PDF is not sandboxed, because Chromium would not show it; its viewer runs in a process separate from this origin.
 */
export const policyFor = (type: string | undefined) =>
  `${type === 'application/pdf' ? '' : 'sandbox; '}default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; form-action 'none'`;

export const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;
