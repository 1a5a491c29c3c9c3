// Addresses in course texts: kept without their host, told with it, so that a text reads the same wherever it is shown.

const tags = /<[a-z][^>]*>/gi;
const rooted = /\s(src|href|poster|data-api-endpoint)="\/(?!\/)/g;

/** The HTML with addresses below `/` made whole. Null stays null. */
export const withHost = <H extends string | null | undefined>(html: H, origin: string): H =>
  typeof html === 'string' ? (html.replace(tags, (tag) => tag.replace(rooted, ` $1="${origin}/`)) as H) : html;

const linking = /(\s(?:src|href|poster|data-api-endpoint)\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)/gi;
const ofFile = /^\/(?:(?:courses|users|groups)\/\d+\/)?files\/\d+(?:\/[a-z_]+)?\?/;

/** A file's address without the verifier, which was its reader's. */
function unverified(path: string): string {
  const [place = '', query] = path.split('?', 2);
  const kept = query?.split(/&(?:amp;)?/).filter((part) => !part.startsWith('verifier=')) ?? [];
  return kept.length > 0 ? `${place}?${kept.join('&amp;')}` : place;
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
