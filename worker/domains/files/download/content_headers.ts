// Headers for user content: a browser must neither guess its type nor run scripts in it.

import { isSafeToShow } from '../content_types';

const ascii = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\/%]/g, '_');

const extended = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** RFC 6266: an ASCII fallback for old clients, and the exact name. */
export const disposition = (name: string, inline: boolean): string =>
  `${inline ? 'inline' : 'attachment'}; filename="${ascii(name)}"; filename*=UTF-8''${extended(name)}`;

/** @param inline shown in the browser, if that is safe */
export const contentHeaders = (file: { display_name: string; content_type: string }, inline: boolean): Record<string, string> => ({
  'Content-Type': file.content_type.startsWith('text/') ? `${file.content_type}; charset=utf-8` : file.content_type,
  'Content-Disposition': disposition(file.display_name, inline && isSafeToShow(file.content_type)),
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'",
  'Referrer-Policy': 'no-referrer',
  // Caches must revalidate each time, so that access is checked; the ETag makes that cheap.
  'Cache-Control': 'private, no-cache',
  'Accept-Ranges': 'bytes',
});
