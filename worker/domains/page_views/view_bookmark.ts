// The place in a list of page views.

import { type PageWanted, startAfter } from '../../http/page';
import type { ViewTime } from './lines';

/** The last view of the page before, from a bookmark. @throws Problem 404 for a bookmark of another list */
export function bookmarked(page: PageWanted): ViewTime | undefined {
  const [at, uuid] = startAfter(page, 2) ?? [];
  return at === undefined ? undefined : { time: String(at), uuid: String(uuid) };
}
