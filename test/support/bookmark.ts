// Page bookmarks as the service writes them, for made-up positions in a list.

import { env } from 'cloudflare:test';
import { sealFor, writeBookmark } from '@carrel/worker/http/page';
import { base } from './api';

/** @param path below `/api/v1`, as requested @param query the parameters that order the list */
export const bookmarkAt = (path: string, values: readonly unknown[], query: Readonly<Record<string, string>> = {}): Promise<string> =>
  writeBookmark(values, sealFor(env.SIGNING_SECRET, new URL(`${base}/api/v1${path}`), query));
