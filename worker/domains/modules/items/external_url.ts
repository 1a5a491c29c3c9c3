// URLs of module links: web or mailto only, never a scheme that runs code.

import { invalid, notFound } from '../../../http/problem';

const schemes = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

const parsed = (given: string, origin: string): URL | undefined => {
  const address = URL.canParse(given, origin) ? new URL(given, origin) : undefined;
  return address && schemes.has(address.protocol) ? address : undefined;
};

/** @throws Problem 400 for any other URL */
export function checkExternalUrl(given: string | null | undefined, origin: string): void {
  if (given && !parsed(given, origin)) throw invalid('external_url', 'invalid', 'is not a valid URL');
}

/** The URL for a Location header. @throws Problem 404 for an invalid URL that got here another way */
export function whereTo(given: string, origin: string): string {
  const address = parsed(given, origin);
  if (!address) throw notFound();
  return address.href;
}
