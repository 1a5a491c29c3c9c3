// Which pages a viewer may see, and which page a URL refers to.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { closedModules, isReached } from '../modules/items/content';
import type { PageRow } from './json';
import { slugOf } from './slug';
import { pages } from './table';
import type { Wiki } from './wiki';

type Place = Pick<Wiki, 'context_type' | 'context_id'>;

/** Literal, to match the partial index of live pages. */
const isThere = sql.raw("pages.workflow_state <> 'deleted'");

export const present = (wiki: Place, id?: number): SQL | undefined =>
  and(
    eq(pages.context_type, wiki.context_type),
    eq(pages.context_id, wiki.context_id),
    isThere,
    id === undefined ? undefined : eq(pages.id, id),
  );

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
export const isVisible = (wiki: Wiki): SQL | undefined =>
  wiki.seesUnpublished
    ? undefined
    : and(
        isOut(wiki.now),
        wiki.eyes === undefined || !wiki.hasModules ? undefined : isReached('Page', 'pages.id', closedModules(wiki.eyes, wiki.context_id)),
      );

export const visible = (wiki: Wiki): SQL | undefined => and(present(wiki), isVisible(wiki));

/** The pages that the list shows. */
export const listed = (wiki: Wiki): SQL | undefined => (wiki.lists ? visible(wiki) : sql`0`);

const where = ({ context_type, context_id }: Place, condition: SQL): SQL =>
  sql`(select id from pages where context_type = ${context_type} and context_id = ${context_id} and workflow_state <> 'deleted' and ${condition})`;

const former = ({ context_type, context_id }: Place, urls: readonly string[]): SQL =>
  sql`(select p.id from former_page_urls f join pages p on p.id = f.page_id and p.workflow_state <> 'deleted'
    where f.context_type = ${context_type} and f.context_id = ${context_id} and f.url in (${urls[0]}, ${urls[1]}) limit 1)`;

/**
 * A select of the page id for a URL parameter, or null: `page_id:7`, else a current slug, else a former slug, else a number.
 * A page whose slug is `7` takes precedence over page 7.
 */
export function pageIdOf(wiki: Place, given: string): SQL {
  const byNumber = /^page_id:(\d+)$/.exec(given)?.[1];
  if (byNumber !== undefined) return sql`select ${where(wiki, sql`id = ${readId(byNumber) ?? 0}`)}`;
  const slug = slugOf(given);
  const candidates = [
    where(wiki, sql`url = ${given}`),
    where(wiki, sql`url = ${slug}`),
    former(wiki, [given, slug]),
    where(wiki, sql`id = ${readId(given) ?? 0}`),
  ];
  return sql`select coalesce(${sql.join(candidates, sql`, `)})`;
}

export const frontPageId = (wiki: Place): SQL => sql`select ${where(wiki, sql`front_page = 1`)}`;
