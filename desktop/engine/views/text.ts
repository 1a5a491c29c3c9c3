// Course HTML as a line of plain text.

import sanitize from 'sanitize-html';

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

export function plainText(html: string | null | undefined, most = Number.POSITIVE_INFINITY): string {
  const spaced = (html ?? '').replaceAll(/<(?:br|\/p|\/li|\/h\d|\/tr|\/div)[^>]*>/gi, '$& ');
  const text = sanitize(spaced, { allowedTags: [], allowedAttributes: {} })
    .replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.length <= most ? text : `${text.slice(0, most).replace(/\s+\S*$/, '')}…`;
}
