// Pages of the server for items that are not kept here. Only Canvas servers have pages for users.

import { wayOf } from '../server/pull';
import type { Cache } from '../store/cache';

export function pageOnServer(cache: Cache, { html_url }: { readonly html_url?: string | null }): string | null {
  const url = wayOf(cache) === 'lists' && html_url ? URL.parse(html_url) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}
