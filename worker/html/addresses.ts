// Addresses in course texts: kept without their host, told with it, so that a text reads the same wherever it is shown.

import { lookUp } from '@carrel/shared/wire/look_up';

const tags = /<[a-z][^>]*>/gi;
const rooted = /\s(src|href|poster|data-api-endpoint)="(\/(?!\/)[^"]*)"/g;
const fileAddress = /^\/(?:(?:courses|users|groups)\/\d+\/)?files\/(\d+)(?:\/(?:download|preview|file_preview))?(\?[^#]*)?(?=#|$)/;

/** A file's address with what lets whoever has it read the file. */
const verified = (address: string, verifiers: Readonly<Record<string, string>>): string =>
  address.replace(fileAddress, (whole, id: string, query: string | undefined) =>
    lookUp(verifiers, id) === undefined ? whole : `${whole}${query === undefined ? '?' : '&amp;'}verifier=${lookUp(verifiers, id)}`,
  );

/**
 * The HTML with addresses below `/` made whole. Null stays null.
 * @param verifiers of the files that it shows, as JSON by their ids
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

/** A file's address without the verifier, which was its reader's. */
function unverified(path: string): string {
  const [address = '', fragment] = path.split('#', 2);
  const [place = '', query] = address.split('?', 2);
  const kept = query?.split(/&(?:amp;)?/).filter((part) => !part.startsWith('verifier=')) ?? [];
  return `${place}${kept.length > 0 ? `?${kept.join('&amp;')}` : ''}${fragment === undefined ? '' : `#${fragment}`}`;
}

/**
 * The HTML as it is kept: what `withHost` made whole is taken apart again, so that a text that is read and saved stays as it was.
 * Frames keep their hosts: they are let through with a secure address only.
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
