// Converts HTML to plain text.

import { lookUp } from '@carrel/shared/wire/look_up';

const entities: Readonly<Record<string, string>> = { nbsp: ' ', lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const said = (entity: string, code: string | undefined, name: string | undefined): string => {
  if (name !== undefined) return lookUp(entities, name.toLowerCase()) ?? entity;
  const point = code?.toLowerCase().startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number(code);
  return point > 0 && point < 0x110000 ? String.fromCodePoint(point) : entity;
};

/** Keeps line breaks; without tags and entities. */
export const htmlToText = (html: string): string =>
  html
    .replace(/<(br|\/p|\/div|\/li|\/h\d)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d{1,7}|x[0-9a-f]{1,6})|([a-z]{1,8}));/gi, said)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
