// Images in a text that are not sent yet: `unsent:` and the hash of their bytes in place of an address. Pure.

const unsent = /(<img\b[^>]*?\ssrc=")unsent:([0-9a-f]{64})"/g;

export const unsentImages = (html: string): string[] => [...html.matchAll(unsent)].map(([, , sha256 = '']) => sha256);

/** @param addressOf the addresses that the server gave, by hash */
export const withSentImages = (html: string, addressOf: ReadonlyMap<string, string>): string =>
  html.replaceAll(unsent, (whole, before: string, sha256: string) => {
    const address = addressOf.get(sha256);
    return address === undefined ? whole : `${before}${address}"`;
  });

/** The addresses of all images of a text. */
export const imageAddresses = (html: string): string[] =>
  [...html.matchAll(/<img\b[^>]*?\ssrc="([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
