// Which pages a viewer may see, and which page a URL refers to.

import { and, type SQL, sql } from 'drizzle-orm';
import type { PageRow } from '../../rules/pages/rows';
import { presentPages } from '../../rules/pages/which';
import { closedModules, isReachable } from '../modules/items/content';
import type { Wiki } from './wiki';

/** Published by hand or by its publication date, which the scheduled run stores later. `pages` may have another alias. */
export const isOut = (now: string, name = 'pages'): SQL => {
  const page = sql.raw(name);
  return sql`(${page}.workflow_state = 'active' or (${page}.workflow_state = 'unpublished' and ${page}.publish_at <= ${now}))`;
};

/** The page with its scheduled publication applied, stored or not. */
export const asOf = (page: PageRow, now: string): PageRow =>
  page.workflow_state === 'unpublished' && page.publish_at !== null && page.publish_at <= now
    ? { ...page, workflow_state: 'active', publish_at: null }
    : page;

/** Whether the current `pages` row is visible to the caller. */
export const isPageVisible = (wiki: Wiki): SQL | undefined =>
  wiki.seesUnpublished
    ? undefined
    : and(
        isOut(wiki.now),
        wiki.eyes === undefined || !wiki.hasModules
          ? undefined
          : isReachable('Page', 'pages.id', closedModules(wiki.eyes, wiki.context_id)),
      );

export const visiblePages = (wiki: Wiki): SQL | undefined => and(presentPages(wiki), isPageVisible(wiki));

/** The pages that the list shows. */
export const listedPages = (wiki: Wiki): SQL | undefined => (wiki.lists ? visiblePages(wiki) : sql`0`);
