// Files that were chosen in a tool: the service fetches them. Pure.

import type { ContentItem } from './content_items';

const longest = 255;

function nameInAddress(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const extensionOf = (name: string): string => /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';

/** The name of a file: its title, with the extension of its address where the title has none. */
export function nameOfFile({ title, text, url = '' }: Pick<ContentItem, 'title' | 'text' | 'url'>): string {
  const inAddress = nameInAddress(url);
  const given = (title ?? text ?? inAddress).trim().slice(0, longest - 20) || 'file';
  return extensionOf(given) === '' ? `${given}${extensionOf(inAddress)}` : given;
}
