// Bookmarks as the service writes them, for places in a list that a test makes up.

import { env } from 'cloudflare:test';
import { sealFor, writeBookmark } from '@carrel/worker/http/page';
import { base } from './api';

/** @param path below `/api/v1`, as it is asked for @param query what orders the list */
export const bookmarkAt = (path: string, values: readonly unknown[], query: Readonly<Record<string, string>> = {}): Promise<string> =>
  writeBookmark(values, sealFor(env.SIGNING_SECRET, new URL(`${base}/api/v1${path}`), query));
