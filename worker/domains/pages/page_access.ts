// The requested page, with what is needed to decide about access, and the resulting errors.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { problem, unauthorized } from '../../http/problem';
import { pageIdOf } from '../../rules/pages/which';
import { isPageVisible } from './policy';
import { pages } from './table';
import { playsRole, type Wiki } from './wiki';

interface Sought {
  readonly id: number;
  readonly editing_roles: string;
  readonly is_visible: number;
}

/** @param id a select of the page's id */
export const selectPageAccess = (db: Database, wiki: Wiki, id: SQL) =>
  db.build
    .select({
      id: pages.id,
      editing_roles: pages.editing_roles,
      is_visible: sql<number>`(${isPageVisible(wiki) ?? sql`1`})`.as('is_visible'),
    })
    .from(pages)
    .where(eq(pages.id, sql`(${id})`));

/** @throws Problem 404 for an unknown page, 401 for one that is not visible to the caller */
export function readablePage(found: readonly Sought[], missing = 'page not found'): Sought {
  const [page] = found;
  if (!page) throw problem(404, missing);
  if (!page.is_visible) throw unauthorized();
  return page;
}

/** @throws Problem 401 for a page that the caller may not edit */
export function editablePage(found: readonly Sought[], wiki: Wiki): Sought {
  const page = readablePage(found);
  if (!wiki.canUpdate && !playsRole(wiki, page.editing_roles)) throw unauthorized();
  return page;
}

export const idOfPage = (wiki: Wiki, path: { readonly url?: string }): SQL => pageIdOf(wiki, path.url ?? '');

/** The row of a page that is visible to the caller. */
export const loadPage = (db: Database, wiki: Wiki, id: SQL) =>
  db.build
    .select()
    .from(pages)
    .where(and(eq(pages.id, sql`(${id})`), isPageVisible(wiki)));
