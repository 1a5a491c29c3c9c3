// URLs in course HTML: stored without host, returned with the request's host, so that a text works wherever it is shown.

import { lookUp } from '@carrel/shared/wire/look_up';

const tags = /<[a-z][^>]*>/gi;
const rooted = /\s(src|href|poster|data-api-endpoint)="(\/(?!\/)[^"]*)"/g;
const fileAddress = /^\/(?:(?:courses|users|groups)\/\d+\/)?files\/(\d+)(?:\/(?:download|preview|file_preview))?(\?[^#]*)?(?=#|$)/;

/** A file URL with its verifier. */
const verified = (address: string, verifiers: Readonly<Record<string, string>>): string =>
  address.replace(fileAddress, (whole, id: string, query: string | undefined) =>
    lookUp(verifiers, id) === undefined ? whole : `${whole}${query === undefined ? '?' : '&amp;'}verifier=${lookUp(verifiers, id)}`,
  );

/**
 * Makes relative URLs in HTML absolute. Null stays null.
 * @param verifiers of the files in the text, as JSON by id
 */
export function withHost<H extends string | null | undefined>(html: H, origin: string, verifiers?: string | null): H {
  if (typeof html !== 'string') return html;
  const known = verifiers ? (JSON.parse(verifiers) as Record<string, string>) : {};
  const whole = (_: string, name: string, address: string) =>
    ` ${name}="${origin}${name === 'data-api-endpoint' ? address : verified(address, known)}"`;
  return html.replace(tags, (tag) => tag.replace(rooted, whole)) as H;
}

const linking = /(\s(?:src|href|poster|data-api-endpoint)\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)/gi;
const ofFile = /^\/(?:(?:courses|users|groups)\/\d+\/)?files\/\d+(?:\/[a-z_]+)?\?/;

/** Removes the verifier from a file URL, because it belongs to the reader. */
function unverified(path: string): string {
  const [address = '', fragment] = path.split('#', 2);
  const [place = '', query] = address.split('?', 2);
  const kept = query?.split(/&(?:amp;)?/).filter((part) => !part.startsWith('verifier=')) ?? [];
  return `${place}${kept.length > 0 ? `?${kept.join('&amp;')}` : ''}${fragment === undefined ? '' : `#${fragment}`}`;
}

/**
 * Reverts `withHost` before storing, so that reading and saving a text leaves it unchanged.
 * Frames keep their host, because sanitising allows only https URLs there.
 */
export function withoutHost<H extends string | null | undefined>(html: H, origin: string): H {
  if (typeof html !== 'string') return html;
  const host = origin.replace(/^https?:/, '').toLowerCase();
  const here = new RegExp(`^https?:${host.replace(/[^a-z0-9/]/g, '\\$&')}(?=/)`, 'i');
  const apart = (tag: string) =>
    tag.replace(linking, (whole, name: string, given: string) => {
      const quote = /^["']/.exec(given)?.[0] ?? '';
      const address = quote ? given.slice(1, -1) : given;
      const path = address.replace(here, '');
      if (path === address && !path.startsWith('/')) return whole;
      return `${name}${quote}${ofFile.test(path) ? unverified(path) : path}${quote}`;
    });
  return html.replace(tags, (tag) => (/^<iframe/i.test(tag) ? tag : apart(tag))) as H;
}
