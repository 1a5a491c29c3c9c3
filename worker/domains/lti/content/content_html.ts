// Content that was chosen in a tool as HTML for texts. Pure.

import { sanitise } from '@carrel/shared/html/sanitise';
import { escapeHtml } from '../../../site/frame';
import type { ContentItem } from './content_items';

const sized = ({ width, height }: Pick<ContentItem, 'width' | 'height'>) =>
  [...(width ? [` width="${width}"`] : []), ...(height ? [` height="${height}"`] : [])].join('');

/**
 * HTML that can be stored in a text.
 * @param address of the item: for a link to a resource of the tool, the one that opens it
 */
export function contentHtml(item: ContentItem, address: string): string {
  const title = escapeHtml(item.title ?? item.text ?? address);
  switch (item.type) {
    case 'html':
      return sanitise(item.html ?? '');
    case 'image':
      return `<img src="${escapeHtml(address)}" alt="${escapeHtml(item.title ?? item.text ?? '')}"${sized(item)}>`;
    default:
      return item.isFramed
        ? `<iframe src="${escapeHtml(address)}" title="${title}"${sized(item)}></iframe>`
        : `<a href="${escapeHtml(address)}">${title}</a>`;
  }
}
