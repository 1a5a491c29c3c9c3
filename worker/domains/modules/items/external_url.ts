// Where a link of a module leads: to the web or to a mailbox, never into a page that runs it.

import { invalid, notFound } from '../../../http/problem';

const schemes = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

const parsed = (given: string, origin: string): URL | undefined => {
  const address = URL.canParse(given, origin) ? new URL(given, origin) : undefined;
  return address && schemes.has(address.protocol) ? address : undefined;
};

/** @throws Problem 400 for what is no such address */
export function checkExternalUrl(given: string | null | undefined, origin: string): void {
  if (given && !parsed(given, origin)) throw invalid('external_url', 'invalid', 'is not the address of a page');
}

/** As a header may say it. @throws Problem 404 for what has come to stand here by another way */
export function whereTo(given: string, origin: string): string {
  const address = parsed(given, origin);
  if (!address) throw notFound();
  return address.href;
}
