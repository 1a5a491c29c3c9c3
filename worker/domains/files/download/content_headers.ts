// What goes out with the bytes that people have put here: a browser must neither guess what they are nor run what is in them.

import { isSafeToShow } from '../content_types';

const ascii = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\/%]/g, '_');

const extended = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** RFC 6266: a name that every client understands, and the right one. */
export const disposition = (name: string, inline: boolean): string =>
  `${inline ? 'inline' : 'attachment'}; filename="${ascii(name)}"; filename*=UTF-8''${extended(name)}`;

/** @param inline shown in the page, where that is safe */
export const contentHeaders = (file: { display_name: string; content_type: string }, inline: boolean): Record<string, string> => ({
  'Content-Type': file.content_type.startsWith('text/') ? `${file.content_type}; charset=utf-8` : file.content_type,
  'Content-Disposition': disposition(file.display_name, inline && isSafeToShow(file.content_type)),
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'",
  'Referrer-Policy': 'no-referrer',
  // Whoever keeps it must ask each time whether it is still theirs to see; the ETag makes that cheap.
  'Cache-Control': 'private, no-cache',
  'Accept-Ranges': 'bytes',
});
